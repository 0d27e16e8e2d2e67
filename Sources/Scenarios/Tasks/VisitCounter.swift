/// A web service counts its visits.
struct VisitCounter: Scenario {
    static let id = "visit-counter"
    static let detector = "actor-contention"
    static let gain = Gain.duration
    static let summary = """
        Every task calls one actor for each visit that it counts, for a few microseconds of work each.
        """
    static let repair = "A task counts its visits itself and passes the sum to the actor."
    static let tolerated = [
        Tolerance("useless-wakeups", because: "threads wake for tasks that find the actor held again")
    ]
    static let exemptions = [
        Exemption(
            .oneProcessor,
            because: "all tasks run on one thread, so no task arrives while another task is on the actor")
    ]

    let label: String
    let tasks: Int
    let visits: Int

    init(_ variation: inout Variation) {
        label = variation.label("visits")
        tasks = variation.count("tasks", 8...16)
        visits = variation.count("visits", 1_500...2_500)
    }

    func run(repaired: Bool) {
        ProgramTask.run {
            let counter = Counter()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<tasks {
                    group.addTask {
                        var own = 0
                        for visit in 0..<visits {
                            Work.compute(for: .microseconds(1))
                            own += 1
                            if repaired, visit + 1 < visits { continue }
                            await counter.add(own, for: label)
                            own = 0
                        }
                    }
                }
            }
        }
    }

    private actor Counter {
        private var visits: [String: Int] = [:]

        func add(_ count: Int, for page: String) {
            visits[page, default: 0] += count
            Work.compute(for: .microseconds(5))
        }
    }
}
