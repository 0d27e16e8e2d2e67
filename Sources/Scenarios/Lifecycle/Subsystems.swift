import Dispatch

/// A client library has a queue for everything.
struct Subsystems: Scenario {
    static let id = "subsystems"
    static let detector = "queue-forest"
    static let summary = """
        A client library runs each of its subsystems on a serial queue of its own: more trees are active than there \
        are processors.
        """
    static let repair = "The queues of the subsystems target one serial queue."

    let label: String
    let subsystems: Int
    let rounds: Int

    init(_ variation: inout Variation) {
        label = variation.label("client")
        subsystems = variation.count("subsystems", 5...7)
        rounds = variation.count("rounds", 10...20)
    }

    func run(repaired: Bool) {
        let root = repaired ? DispatchQueue(label: label) : nil
        let names = ["network", "cache", "parser", "store", "index", "log", "metrics"].prefix(subsystems)
        let queues = names.map { DispatchQueue(label: "\(label).\($0)", target: root) }
        let done = DispatchGroup()
        for _ in 0..<rounds {
            for queue in queues { queue.async(group: done) { Work.compute(for: .milliseconds(1)) } }
            done.wait()
        }
    }
}
