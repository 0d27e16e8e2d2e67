import Dispatch

/// The user reads an application's settings while they are saved in the background.
struct SemaphoreAsLock: Scenario {
    static let id = "semaphore-as-lock"
    static let detector = "priority-inversion"
    static let gain = Gain.blockedTime
    static let summary = """
        A semaphore protects settings: work of the user waits while background work holds it, and the semaphore \
        has no owner.
        """
    static let repair = "Saving copies the settings under a lock and writes them after it releases the lock."

    let label: String
    let saves: Int
    let writing: Duration

    init(_ variation: inout Variation) {
        label = variation.label("settings")
        saves = variation.count("saves", 2...5)
        writing = variation.duration("writing", .milliseconds(40)...(.milliseconds(80)))
    }

    func run(repaired: Bool) {
        let background = DispatchQueue(label: "\(label).saving", qos: .background)
        let user = DispatchQueue(label: "\(label).panel", qos: .userInteractive)
        let guardian = DispatchSemaphore(value: 1)
        let lock = Lock()
        let done = DispatchGroup()
        for _ in 0..<saves {
            let started = DispatchSemaphore(value: 0)
            background.async(group: done) {
                if repaired {
                    lock.withLock { Work.compute(for: .microseconds(20)) }
                    started.signal()
                    Work.block(for: writing)
                } else {
                    guardian.wait()
                    started.signal()
                    Work.block(for: writing)
                    guardian.signal()
                }
            }
            started.wait()
            user.async(group: done) {
                if repaired {
                    lock.withLock { Work.compute(for: .microseconds(20)) }
                } else {
                    guardian.wait()
                    Work.compute(for: .microseconds(20))
                    guardian.signal()
                }
            }
            done.wait()
        }
    }
}
