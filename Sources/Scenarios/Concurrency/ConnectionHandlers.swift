import Dispatch
import Glibc

/// A chat server reads the messages of its connections.
struct ConnectionHandlers: Scenario {
    static let id = "connection-handlers"
    static let detector = "overlapping-handlers"
    static let summary = """
        A chat server gives each connection's read source a queue of its own; the handlers take microseconds.
        """
    static let repair = "The queues of the connections target one serial queue."
    static let tolerated = [
        Tolerance("queue-forest", because: "every connection is a hierarchy of its own"),
        Tolerance("thread-explosion", because: "every connection that has something to do asks for a thread"),
        Tolerance("useless-wakeups", because: "libdispatch asks for more threads than find something to do"),
    ]

    let label: String
    let connections: Int
    let rounds: Int
    let handling: Duration

    init(_ variation: inout Variation) {
        label = variation.label("connection")
        connections = variation.count("connections", 6...12)
        rounds = variation.count("rounds", 80...160)
        handling = variation.duration("handling", .microseconds(4)...(.microseconds(12)))
    }

    func run(repaired: Bool) {
        let root = repaired ? DispatchQueue(label: "\(label)s") : nil
        let pipes = (0..<connections).map { _ in MessagePipe() }
        let received = DispatchGroup()
        let sources = pipes.enumerated().map { index, pipe in
            let queue = DispatchQueue(label: "\(label).\(index)", target: root)
            let source = DispatchSource.makeReadSource(fileDescriptor: pipe.input, queue: queue)
            source.setEventHandler {
                pipe.receive()
                Work.compute(for: handling)
                received.leave()
            }
            source.activate()
            return source
        }
        for _ in 0..<rounds {
            for pipe in pipes {
                received.enter()
                pipe.send()
            }
            received.wait()
        }
        for source in sources { source.cancel() }
    }
}
