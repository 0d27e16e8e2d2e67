import Dispatch

/// A program reads its settings at its start, in code that is not async.
struct SettingsStore: Scenario {
    static let id = "settings-store"
    static let detector = "deadlock"
    static let gain = Gain.failedRuns
    static let summary = """
        A method of an actor blocks on a semaphore until a task has stored the settings, but that task needs the actor.
        """
    static let repair = "The method is async and awaits the work of the task."
    static let tolerated = [
        Tolerance("semaphore-never-signalled", because: "the task that would signal never runs"),
        Tolerance("blocked-cooperative-pool", because: "the task blocks its thread until the end"),
    ]
    static let ending = Ending.gaveUp

    let label: String
    let files: Int

    init(_ variation: inout Variation) {
        label = variation.label("settings")
        files = variation.count("files", 1...8)
    }

    func run(repaired: Bool) {
        let reading = Milestones()
        let ended = Milestones()
        Task.detached {
            let store = Store()
            for file in 1...files {
                if repaired || file < files {
                    await store.read("\(label).\(file)")
                } else {
                    await store.readNow("\(label).\(file)", reading)
                }
            }
            ended.reach()
        }
        if !repaired { Watchdog.giveUp(after: .milliseconds(350), having: 1, of: reading) }
        ended.wait(for: 1)
    }

    private actor Store {
        private var settings: [String: Int] = [:]

        func read(_ file: String) { keep(file) }

        func readNow(_ file: String, _ reading: Milestones) {
            let kept = DispatchSemaphore(value: 0)
            Task {
                keep(file)
                kept.signal()
            }
            reading.reach()
            kept.wait()
        }

        private func keep(_ file: String) {
            Work.compute(for: .microseconds(100))
            settings[file] = file.count
        }
    }
}
