/// A shop imports its catalogue.
struct CatalogueImport: Scenario {
    static let id = "catalogue-import"
    static let detector = "task-explosion"
    static let gain = Gain.longestWait
    static let summary = "A task group creates a child task for every article of a long catalogue at once."
    static let repair = "The group has a few child tasks at a time, and creates the next one when one has ended."
    static let tolerated = [
        Tolerance("useless-wakeups", because: "threads wake for tasks that other threads have already run")
    ]
    static let exemptions = [
        Exemption(.middle, because: "all tasks were created in the first half")
    ]

    let label: String
    let articles: Int
    let work: Duration

    init(_ variation: inout Variation) {
        label = variation.label("catalogue")
        articles = variation.count("articles", 3_000...5_000)
        work = variation.duration("work", .microseconds(40)...(.microseconds(80)))
    }

    func run(repaired: Bool) {
        ProgramTask.run {
            await withTaskGroup(of: Void.self) { group in
                for article in 0..<articles {
                    if repaired, article >= 2 * Machine.processors { await group.next() }
                    group.addTask { Work.compute(for: work) }
                }
            }
        }
    }
}
