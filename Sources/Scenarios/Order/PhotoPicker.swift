import Dispatch
import Glibc

/// An application shows a photo before it starts its run loop.
struct PhotoPicker: Scenario {
    static let id = "photo-picker"
    static let detector = "deadlock"
    static let gain = Gain.failedRuns
    static let summary = """
        The main thread waits on a semaphore for a task that needs the main actor before it signals the semaphore.
        """
    static let repair = "The main thread serves the main queue, and the task continues the work."
    static let tolerated = [
        Tolerance("semaphore-never-signalled", because: "the task's signal never comes"),
        Tolerance("item-never-ran", because: "the main thread does not run the task"),
        Tolerance("main-queue-hang", because: "the main thread is blocked until the end"),
    ]
    static let ending = Ending.gaveUp

    let label: String
    let decoding: Duration

    init(_ variation: inout Variation) {
        label = variation.label("photo")
        decoding = variation.duration("decoding", .milliseconds(1)...(.milliseconds(5)))
    }

    func run(repaired: Bool) {
        let asked = Milestones()
        let shown = DispatchSemaphore(value: 0)
        Task.detached {
            Work.compute(for: decoding)
            asked.reach()
            await Self.show(label)
            if repaired { exit(0) }
            shown.signal()
        }
        if repaired { dispatchMain() }
        _ = ProgramThread { Watchdog.giveUp(after: .milliseconds(350), having: 1, of: asked) }
        shown.wait()
    }

    @MainActor @inline(never)
    private static func show(_ photo: String) { Work.compute(for: .microseconds(50)) }
}
