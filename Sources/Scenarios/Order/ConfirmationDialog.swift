import Dispatch
import Glibc

/// An application asks the user and waits for the answer.
struct ConfirmationDialog: Scenario {
    static let id = "confirmation-dialog"
    static let detector = "deadlock"
    static let gain = Gain.failedRuns
    static let summary = """
        The main queue blocks on a semaphore for the answer to a dialog that the main queue still has to show.
        """
    static let repair = "The answer of the dialog continues the work, and no thread blocks."
    static let tolerated = [
        Tolerance("semaphore-never-signalled", because: "the dialog's signal never comes"),
        Tolerance("item-never-ran", because: "the dialog is behind the item that waits for it"),
        Tolerance("main-queue-hang", because: "the main thread is blocked until the end"),
    ]
    static let ending = Ending.gaveUp

    let label: String
    let questions: Int

    init(_ variation: inout Variation) {
        label = variation.label("dialog")
        questions = variation.count("questions", 1...3)
    }

    func run(repaired: Bool) {
        let store = DispatchQueue(label: label)
        let asked = Milestones()
        DispatchQueue.main.async {
            store.sync { Work.compute(for: .microseconds(100)) }
            if repaired { return ask(questions) }
            let answered = DispatchSemaphore(value: 0)
            DispatchQueue.main.async { answered.signal() }
            asked.reach()
            answered.wait()
        }
        if !repaired { _ = ProgramThread { Watchdog.giveUp(after: .milliseconds(350), having: 1, of: asked) } }
        dispatchMain()
    }

    private func ask(_ rest: Int) {
        if rest == 0 { exit(0) }
        DispatchQueue.main.async { ask(rest - 1) }
    }
}
