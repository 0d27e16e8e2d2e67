import Glibc

/// A thread that simulates several clients: it sends requests on all their connections, then reads all answers.
final class LoadClient: @unchecked Sendable {
    /// The number of requests that a client sends at once.
    private static let pipeline = 4
    private static let threadCount = 4

    private let port: UInt16
    private let clients: [Int]
    private let requests: Int
    private var thread = pthread_t()
    // Written by the thread, read after the thread has ended.
    private var checksum: UInt64 = 0

    /// Starts a suitable number of threads for the connections.
    static func start(port: UInt16, options: Options) -> [LoadClient] {
        (0..<min(threadCount, options.connections)).map { index in
            let clients = Array(stride(from: index, to: options.connections, by: threadCount))
            let client = LoadClient(port: port, clients: clients, requests: options.requests)
            client.start()
            return client
        }
    }

    private init(port: UInt16, clients: [Int], requests: Int) {
        self.port = port
        self.clients = clients
        self.requests = requests
    }

    private func start() {
        // A plain thread, because the clients are not part of the service and must not be in its trace.
        let context = Unmanaged.passRetained(self).toOpaque()
        let result = pthread_create(
            &thread, nil,
            { context in
                let client = Unmanaged<LoadClient>.fromOpaque(context!).takeRetainedValue()
                client.run()
                return nil
            }, context)
        precondition(result == 0, "Cannot start a client thread: \(String(cString: strerror(result))).")
    }

    /// Waits for the clients to end. Returns the checksum of all their answers.
    func join() -> UInt64 {
        pthread_join(thread, nil)
        return checksum
    }

    private func run() {
        do {
            let sockets = try clients.map { _ in try Socket.connected(to: port) }
            var buffers = sockets.map { _ in LineBuffer() }
            for first in stride(from: 0, to: requests, by: Self.pipeline) {
                let numbers = first..<min(first + Self.pipeline, requests)
                for (client, socket) in zip(clients, sockets) {
                    socket.send(numbers.map { Query(client: client, number: $0).line }.joined())
                }
                for index in sockets.indices {
                    receive(numbers.count, from: sockets[index], into: &buffers[index])
                }
            }
            sockets.forEach { $0.close() }
        } catch {
            fatalError("The clients cannot reach the server. \(error)")
        }
    }

    /// Reads answers and adds them to the checksum, which does not depend on their order.
    private func receive(_ count: Int, from socket: Socket, into buffer: inout LineBuffer) {
        withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 1) { bytes in
            var missing = count
            while missing > 0, let received = socket.receive(into: bytes, waiting: true), received > 0 {
                buffer.append(UnsafeRawBufferPointer(rebasing: bytes[..<received]))
                for line in buffer.takeLines() {
                    checksum &+= Fingerprint.of(line)
                    missing -= 1
                }
            }
        }
    }
}
