import Dispatch
import Glibc

/// A chat server reads the messages of its connections.
struct ConnectionHandlers: Scenario {
    static let id = "connection-handlers"
    static let detector = "overlapping-handlers"
    static let gain = Gain.workers
    static let summary = """
        A chat server gives each connection's read source its own queue. The handlers take microseconds.
        """
    static let repair = "The queues of the connections target one serial queue."
    static let tolerated = [
        Tolerance("queue-forest", because: "every connection is a separate hierarchy"),
        Tolerance("thread-explosion", because: "every connection with work requests a thread"),
        Tolerance("useless-wakeups", because: "libdispatch requests more threads than it has work for"),
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
