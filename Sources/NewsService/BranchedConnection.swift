import Dispatch

/// After: a branch of the network's tree, set up before it is activated, one block for all that has arrived.
final class BranchedConnection: Connection, @unchecked Sendable {
    private let socket: Socket
    private let queue: TracedQueue
    private let source: TracedSource
    private let articles: ArticleStore
    private let state: LockStateStore
    private let mainLoop: MainLoop
    // Only on `queue`.
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

        // Everything is in place before the first event can come.
        source = TracedSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
        source.setEventHandler { [self] in readable() }
        source.setCancelHandler { socket.close() }
        source.activate()
        queue.activate()
    }

    /// Takes what has arrived, as one piece of work.
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
