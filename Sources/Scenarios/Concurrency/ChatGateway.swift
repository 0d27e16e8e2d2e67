import Dispatch
import Glibc

/// A chat gateway serves its connections on one event loop.
struct ChatGateway: Scenario {
    static let id = "chat-gateway"
    static let detector = "event-loop-blocked"
    static let gain = Gain.eventLoop
    static let summary = """
        A gateway's event loop compresses the history for a client itself, and all other connections have to \
        wait.
        """
    static let repair = "A queue compresses the history and returns the result to the loop."

    let label: String
    let connections: Int
    let histories: Int
    let packing: Duration

    init(_ variation: inout Variation) {
        label = variation.label("history")
        connections = variation.count("connections", 3...8)
        histories = variation.count("histories", 4...7)
        packing = variation.duration("packing", .milliseconds(60)...(.milliseconds(90)))
    }

    func run(repaired: Bool) {
        let loop = EventLoop()
        let pipes = (0..<connections).map { _ in MessagePipe() }
        let packed = Milestones()
        let queue = DispatchQueue(label: label)
        for pipe in pipes {
            loop.read(pipe.input) {
                while pipe.receive() { Work.compute(for: .microseconds(30)) }
            }
        }
        let thread = ProgramThread { loop.run(name: "gateway.loop") }
        queue.sync {}
        for history in 0..<histories {
            // The request of the client arrives.
            loop.execute {
                if repaired {
                    queue.async {
                        Work.compute(for: packing)
                        loop.execute { packed.reach() }
                    }
                } else {
                    Work.compute(for: packing)
                    packed.reach()
                }
            }
            // The other connections continue.
            for pipe in pipes {
                usleep(2000)
                pipe.send()
            }
            packed.wait(for: history + 1)
            usleep(5000)
        }
        loop.stop()
        thread.join()
    }
}
