/// A search of the user in an album whose index is created at its first use.
struct PhotoSearch: Scenario {
    static let id = "photo-search"
    static let detector = "priority-inversion"
    static let gain = Gain.findings
    static let summary = "A search of the user awaits the task that creates the index, which has background priority."
    static let repair = "The task of the index has the priority of the search that awaits it."

    let label: String
    let indexing: Duration

    init(_ variation: inout Variation) {
        label = variation.label("photos")
        indexing = variation.duration("indexing", .milliseconds(20) ... .milliseconds(60))
    }

    func run(repaired: Bool) {
        ProgramTask.run {
            let index = Task.detached(priority: repaired ? .userInitiated : .background) {
                Work.compute(for: indexing)
                return label.count
            }
            let search = Task.detached(priority: .userInitiated) {
                let count = await index.value
                Work.compute(for: .milliseconds(1))
                return count
            }
            _ = await search.value
        }
    }
}
