/// A program brightens a picture.
struct PixelRows: Scenario {
    static let id = "pixel-rows"
    static let detector = "tasks-too-small"
    static let gain = Gain.processorTime
    static let summary = "A task group has a child task for every few pixels."
    static let repair = "It has a child task for each of a few large parts."
    static let tolerated = [
        Tolerance("task-explosion", because: "the tasks are created faster than they run"),
        Tolerance("lock-contention", because: "the tasks pass their results to the group under its lock"),
        Tolerance("useless-wakeups", because: "threads wake after the small tasks are done"),
        Tolerance("work-too-small", because: "each task is an item of the executor's queue"),
    ]

    let label: String
    let parts: Int

    init(_ variation: inout Variation) {
        label = variation.label("picture")
        parts = variation.count("parts", 40_000...60_000)
    }

    func run(repaired: Bool) {
        ProgramTask.run {
            let tasks = repaired ? 4 * Machine.processors : parts
            await withTaskGroup(of: Int.self) { group in
                for task in 0..<tasks {
                    group.addTask {
                        var sum = task
                        for part in 0..<parts / tasks { sum &+= Self.brighten(part &+ task) }
                        return sum
                    }
                }
                for await _ in group {}
            }
        }
    }

    @inline(never)
    private static func brighten(_ part: Int) -> Int {
        (0..<16).reduce(part) { ($0 &* 1_099_511_628_211) ^ $1 }
    }
}
