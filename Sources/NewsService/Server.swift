import Dispatch

/// Accepts connections, and keeps them until their clients leave.
final class Server: @unchecked Sendable {
    let port: UInt16

    private let source: TracedSource
    private let queue: TracedQueue
    // Only on `queue`.
    private var connections: [any Connection] = []

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - queue: where connections are accepted.
    ///   - makeConnection: makes the connection for a socket; called on `queue`.
    /// - Throws: what the system refused.
    init(
        queue: TracedQueue, makeConnection: @escaping @Sendable (Socket, _ number: Int) -> any Connection
    ) throws {
        let (listener, port) = try Socket.listening()
        self.port = port
        self.queue = queue
        source = TracedSource.makeReadSource(fileDescriptor: listener.descriptor, queue: queue)
        source.setEventHandler { [self] in
            // One per event: the source fires again while more clients wait.
            guard let socket = listener.accept() else { return }
            connections.append(makeConnection(socket, connections.count + 1))
        }
        source.setCancelHandler { listener.close() }
        source.activate()
    }

    /// Stops to accept.
    func stop() {
        source.cancel()
    }
}
