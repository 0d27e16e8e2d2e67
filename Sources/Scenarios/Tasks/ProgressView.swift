import Dispatch
import Glibc

/// An application shows the progress of an import.
struct ProgressView: Scenario {
    static let id = "progress-view"
    static let detector = "actor-hopping"
    static let gain = Gain.switches
    static let summary = "An import switches to the main actor for every record to update a progress bar."
    static let repair = "It switches once for a thousand records."
    static let tolerated = [
        Tolerance("useless-wakeups", because: "each hop wakes a thread, and sometimes one too many"),
        Tolerance("work-too-small", because: "each hop is an item of the main queue"),
    ]

    let label: String
    let records: Int
    let parsing: Duration

    init(_ variation: inout Variation) {
        label = variation.label("import")
        records = variation.count("records", 3_000...6_000)
        // Longer work would cost as much as the switch on a fast machine.
        parsing = variation.duration("parsing", .microseconds(1)...(.microseconds(2)))
    }

    func run(repaired: Bool) {
        let bar = Bar(title: label)
        Task.detached {
            for record in 1...records {
                Work.compute(for: parsing)
                if !repaired || record % 1_000 == 0 { await bar.show(record) }
            }
            await bar.close()
        }
        dispatchMain()
    }

    @MainActor private final class Bar {
        private let title: String
        private var shown = 0

        nonisolated init(title: String) { self.title = title }

        func show(_ records: Int) { shown = records }

        func close() { exit(0) }
    }
}
