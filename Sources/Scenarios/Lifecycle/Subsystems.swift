import Dispatch

/// A client library with a queue for each subsystem.
struct Subsystems: Scenario {
    static let id = "subsystems"
    static let detector = "queue-forest"
    static let gain = Gain.workers
    static let summary = """
        A client library runs each of its subsystems on its own serial queue, so many more hierarchies are active \
        than the machine has processors.
        """
    static let repair = "The queues of the subsystems target one serial queue."
    static let tolerated = [
        Tolerance("thread-explosion", because: "every subsystem with work requests a thread"),
        Tolerance("useless-wakeups", because: "libdispatch requests more threads than it has work for"),
    ]

    let label: String
    let subsystems: Int
    let rounds: Int

    init(_ variation: inout Variation) {
        label = variation.label("client")
        subsystems = 4 * Machine.processors + variation.count("more than four for each processor", 3...8)
        rounds = variation.count("rounds", 10...20)
    }

    func run(repaired: Bool) {
        let root = repaired ? DispatchQueue(label: label) : nil
        let names = ["network", "cache", "parser", "store", "index", "log", "metrics"]
        let queues = (0..<subsystems).map { subsystem in
            DispatchQueue(label: "\(label).\(names[subsystem % names.count]).\(subsystem)", target: root)
        }
        let done = DispatchGroup()
        for _ in 0..<rounds {
            for queue in queues { queue.async(group: done) { Work.compute(for: .microseconds(300)) } }
            done.wait()
        }
    }
}
