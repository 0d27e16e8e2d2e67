import Dispatch

/// A payment waits for the answer that its own queue would deliver.
struct PaymentAnswer: Scenario {
    static let id = "payment-answer"
    static let detector = "deadlock"
    static let gain = Gain.failedRuns
    static let summary = """
        A payment blocks its serial queue on a semaphore for an answer that arrives on the same queue.
        """
    static let repair = "The answer arrives on a separate queue."
    static let tolerated = [
        Tolerance("semaphore-never-signalled", because: "the answer's signal never comes"),
        Tolerance("item-never-ran", because: "the answer is behind the payment"),
    ]
    static let ending = Ending.gaveUp

    let label: String
    let payments: Int

    init(_ variation: inout Variation) {
        label = variation.label("payment")
        payments = variation.count("payments", 1...4)
    }

    var culprits: [String] { [label] }

    func run(repaired: Bool) {
        let queue = DispatchQueue(label: label)
        let answers = DispatchQueue(label: "\(label).answers")
        let done = DispatchGroup()
        let asked = Milestones()
        for _ in 0..<payments {
            queue.async(group: done) {
                let answered = DispatchSemaphore(value: 0)
                (repaired ? answers : queue).async {
                    Work.compute(for: .microseconds(100))
                    answered.signal()
                }
                asked.reach()
                answered.wait()
            }
        }
        if !repaired { Watchdog.giveUp(after: .milliseconds(350), having: 1, of: asked) }
        done.wait()
    }
}
