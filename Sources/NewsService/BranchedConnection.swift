import Dispatch

/// After the fix: a branch of the network's hierarchy, configured before its activation, with one item per read.
final class BranchedConnection: Connection, @unchecked Sendable {
    private let socket: Socket
    private let queue: TracedQueue
    private let source: TracedSource
    private let articles: ArticleStore
    private let state: LockStateStore
    private let mainLoop: MainLoop
    // Accessed only on `queue`.
    private var buffer = LineBuffer()

    /// `queue` is an inactive branch of the network queue.
    init(
        socket: Socket, queue: TracedQueue, articles: ArticleStore, state: LockStateStore, mainLoop: MainLoop
    ) {
        self.socket = socket
        self.queue = queue
        self.articles = articles
        self.state = state
        self.mainLoop = mainLoop

        // The source is configured completely before its first event.
        source = TracedSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
        source.setEventHandler { [self] in readable() }
        source.setCancelHandler { socket.close() }
        source.activate()
        queue.activate()
    }

    /// Reads all received requests and handles them as one item.
    private func readable() {
        guard socket.receiveAll(into: &buffer) else {
            source.cancel()
            return
        }
        let queries = buffer.takeLines().compactMap { Query(line: $0) }
        guard !queries.isEmpty else { return }
        state.count(queries)
        articles.queue.async { [self] in
            let answers = queries.map { articles.search($0) + "\n" }.joined()
            queue.async { [self] in reply(answers, count: queries.count) }
        }
    }

    private func reply(_ answers: String, count: Int) {
        socket.send(answers)
        TracedQueue.main.async { [mainLoop] in mainLoop.show(answered: count) }
    }
}
