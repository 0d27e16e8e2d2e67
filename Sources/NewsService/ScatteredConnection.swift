import Dispatch

/// Before the fix: its own queue, an item for every step, and a source that is configured after its activation.
final class ScatteredConnection: Connection, @unchecked Sendable {
    private let socket: Socket
    private let queue: TracedQueue
    private let source: TracedSource
    private let articles: ArticleStore
    private let state: QueueStateStore
    private let mainLoop: MainLoop
    // Accessed only on `queue`.
    private var buffer = LineBuffer()

    init(socket: Socket, number: Int, articles: ArticleStore, state: QueueStateStore, mainLoop: MainLoop) {
        self.socket = socket
        self.articles = articles
        self.state = state
        self.mainLoop = mainLoop
        // Serial and independent of all other queues, so as many threads as connections may run at once.
        queue = TracedQueue(label: "news.connection.\(number)")

        // Activated first, "so that no byte is missed", and configured afterwards.
        source = TracedSource.makeReadSource(fileDescriptor: socket.descriptor, queue: .global())
        source.setEventHandler {}
        source.activate()
        source.setTarget(queue: queue)
        source.setCancelHandler { socket.close() }
        source.setEventHandler { [self] in readable() }
    }

    /// Reads all received requests and handles each one as its own item.
    private func readable() {
        guard socket.receiveAll(into: &buffer) else {
            source.cancel()
            return
        }
        for line in buffer.takeLines() {
            guard let query = Query(line: line) else { continue }
            queue.async { [self] in count(query) }
        }
    }

    /// Counts the words one by one.
    private func count(_ query: Query) {
        for word in query.words { state.count(word) }
        articles.queue.async { [self] in
            let answer = articles.search(query)
            queue.async { [self] in reply(answer) }
        }
    }

    private func reply(_ answer: String) {
        socket.send(answer + "\n")
        TracedQueue.main.async { [mainLoop] in mainLoop.show(answered: 1) }
    }
}
