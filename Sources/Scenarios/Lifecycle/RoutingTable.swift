import Dispatch

/// A service updates a table that other threads read.
struct RoutingTable: Scenario {
    static let id = "routing-table"
    static let detector = "barrier-on-global"
    static let gain = Gain.findings
    static let summary = "A router updates its table with barriers on the global queue, which ignores barriers."
    static let repair = "The table has its own concurrent queue."

    let label: String
    let updates: Int
    let lookups: Int

    init(_ variation: inout Variation) {
        label = variation.label("routing")
        updates = variation.count("updates", 2...10)
        lookups = variation.count("look-ups", 2...6)
    }

    func run(repaired: Bool) {
        let queue =
            repaired
            ? DispatchQueue(label: label, attributes: .concurrent) : DispatchQueue.global(qos: .userInitiated)
        let done = DispatchGroup()
        for _ in 0..<updates {
            for _ in 0..<lookups { queue.async(group: done) { Work.compute(for: .microseconds(100)) } }
            queue.async(group: done, flags: .barrier) { Work.compute(for: .microseconds(100)) }
            done.wait()
        }
    }
}
