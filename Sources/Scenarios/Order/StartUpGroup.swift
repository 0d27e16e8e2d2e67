import Dispatch

/// A start-up waits for all subsystems.
struct StartUpGroup: Scenario {
    static let id = "start-up-group"
    static let detector = "deadlock"
    static let gain = Gain.failedRuns
    static let summary = "Start-up waits for a group that a failed subsystem never leaves."
    static let repair = "Every subsystem leaves the group, also when it fails."
    static let tolerated = [
        Tolerance("unbalanced-group", because: "the group is never left")
    ]
    static let ending = Ending.gaveUp

    let label: String
    let subsystems: Int

    init(_ variation: inout Variation) {
        label = variation.label("start-up")
        subsystems = variation.count("subsystems", 2...6)
    }

    func run(repaired: Bool) {
        let queue = DispatchQueue(label: label)
        let ready = DispatchGroup()
        let started = Milestones()
        for subsystem in 0..<subsystems {
            ready.enter()
            queue.async {
                Work.compute(for: .microseconds(100))
                if repaired || subsystem > 0 { ready.leave() }
                started.reach()
            }
        }
        let starting = ProgramThread {
            started.reach()
            ready.wait()
        }
        if !repaired { Watchdog.giveUp(after: .milliseconds(350), having: subsystems + 1, of: started) }
        starting.join()
    }
}
