import Dispatch

/// Accepts connections and keeps them until their clients disconnect.
final class Server: @unchecked Sendable {
    let port: UInt16

    private let source: TracedSource
    private let queue: TracedQueue
    // Accessed only on `queue`.
    private var connections: [any Connection] = []

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - queue: the queue on which connections are accepted.
    ///   - makeConnection: creates the connection for a socket; called on `queue`.
    /// - Throws: the error of the system.
    init(
        queue: TracedQueue, makeConnection: @escaping @Sendable (Socket, _ number: Int) -> any Connection
    ) throws {
        let (listener, port) = try Socket.listening()
        self.port = port
        self.queue = queue
        source = TracedSource.makeReadSource(fileDescriptor: listener.descriptor, queue: queue)
        source.setEventHandler { [self] in
            // Accept one client per event. The source fires again while more clients wait.
            guard let socket = listener.accept() else { return }
            connections.append(makeConnection(socket, connections.count + 1))
        }
        source.setCancelHandler { listener.close() }
        source.activate()
    }

    /// Stops accepting connections.
    func stop() {
        source.cancel()
    }
}
