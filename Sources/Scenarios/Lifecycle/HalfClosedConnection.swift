import Dispatch
import Glibc

/// A service reads from a client that ends its input early.
struct HalfClosedConnection: Scenario {
    static let id = "half-closed-connection"
    static let detector = "busy-loop"
    static let gain = Gain.processorTime
    static let summary = "A service keeps the read source of a connection after the client has ended its input."
    static let repair = "The handler cancels the source when it reads 0 bytes."

    let label: String
    let messages: Int
    let work: Int

    init(_ variation: inout Variation) {
        label = variation.label("connection")
        messages = variation.count("messages", 3...8)
        work = variation.count("time after the input in ms", 300...400)
    }

    var culprits: [String] { [label] }

    func run(repaired: Bool) {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return }
        let (server, client) = (ends[0], ends[1])
        let connection = Connection(server, on: DispatchQueue(label: label))
        connection.source.setEventHandler { connection.receive(cancelsAtEnd: repaired) }
        connection.source.activate()
        for _ in 0..<messages {
            _ = write(client, "hello", 5)
            Work.block(for: .milliseconds(2))
        }
        shutdown(client, Int32(SHUT_WR))
        // The service works for the client, whose connection stays open for the answer.
        Work.block(for: .milliseconds(work))
        connection.source.cancel()
    }

    private final class Connection: @unchecked Sendable {
        let source: any DispatchSourceRead

        init(_ descriptor: Int32, on queue: DispatchQueue) {
            source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        }

        func receive(cancelsAtEnd: Bool) {
            var bytes = [UInt8](repeating: 0, count: 64)
            if read(Int32(source.handle), &bytes, bytes.count) == 0, cancelsAtEnd { source.cancel() }
        }
    }
}
