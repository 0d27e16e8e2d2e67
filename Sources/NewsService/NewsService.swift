import Dispatch
import Glibc

/// The whole program: the server, its stores, its main loop, and the clients that create load.
struct NewsService {
    let options: Options

    /// Serves all requests of all clients, and returns the outcome.
    func run() throws -> Outcome {
        let articles = ArticleStore()
        let mainLoop = MainLoop(expecting: options.connections * options.requests)
        let server: Server
        let state: any StateStore
        switch options.variant {
        case .before:
            let shared = QueueStateStore()
            state = shared
            server = try Server(queue: TracedQueue(label: "news.listener")) { socket, number in
                ScatteredConnection(
                    socket: socket, number: number, articles: articles, state: shared, mainLoop: mainLoop)
            }
        case .after:
            let network = TracedQueue(label: "news.network")
            let shared = LockStateStore()
            state = shared
            server = try Server(queue: network.branch("listener")) { socket, number in
                BranchedConnection(
                    socket: socket, queue: network.branch("connection.\(number)", attributes: .initiallyInactive),
                    articles: articles, state: shared, mainLoop: mainLoop)
            }
        }

        let start = DispatchTime.now().uptimeNanoseconds
        let clients = LoadClient.start(port: server.port, options: options)
        mainLoop.runUntilAllAnswered()
        let checksum = clients.reduce(0) { $0 &+ $1.join() }
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        server.stop()

        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return Outcome(
            variant: options.variant, seconds: seconds, requests: mainLoop.answered,
            checksum: checksum &+ state.totalCount, voluntarySwitches: Int(usage.ru_nvcsw),
            involuntarySwitches: Int(usage.ru_nivcsw))
    }
}
