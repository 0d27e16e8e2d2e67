import Dispatch

/// A service counts events.
struct EventCounter: Scenario {
    static let id = "event-counter"
    static let detector = "work-too-small"
    static let gain = Gain.processorTime
    static let summary = "A service submits every increment of a counter with a separate `async`."
    static let repair = "It counts a batch first and submits the sum."

    static let tolerated = [
        Tolerance("long-sync-wait", because: "the program's last sync waits for every increment that is still queued")
    ]

    let label: String
    let events: Int
    let batch: Int

    init(_ variation: inout Variation) {
        label = variation.label("counter")
        events = variation.count("events", 40_000...80_000)
        batch = variation.count("batch", 2_000...4_000)
    }

    var culprits: [String] { [label] }

    func run(repaired: Bool) {
        let queue = DispatchQueue(label: label)
        let counter = Counter()
        var sum = 0
        for event in 1...events {
            if !repaired {
                queue.async { counter.value &+= event }
                continue
            }
            sum &+= event
            guard event % batch == 0 else { continue }
            let part = sum
            sum = 0
            queue.async {
                counter.value &+= part
                Work.compute(for: .microseconds(50))
            }
        }
        queue.sync {}
    }

    private final class Counter: @unchecked Sendable {
        // Accessed on the queue.
        var value = 0
    }
}
