import Dispatch

/// A client waits for a server's answer.
struct AnswerSemaphore: Scenario {
    static let id = "answer-semaphore"
    static let detector = "semaphore-never-signalled"
    static let gain = Gain.failedRuns
    static let summary = "A client blocks on a semaphore that is not signalled when the request fails."
    static let repair = "The semaphore is always signalled."
    static let tolerated = [
        Tolerance("deadlock", because: "a thread waits until the end for a signal that never comes")
    ]
    static let ending = Ending.gaveUp

    let label: String
    let requests: Int

    init(_ variation: inout Variation) {
        label = variation.label("client")
        requests = variation.count("requests", 1...6)
    }

    func run(repaired: Bool) {
        let network = DispatchQueue(label: label)
        let failed = Milestones()
        let client = ProgramThread {
            for request in 1...requests {
                let answered = DispatchSemaphore(value: 0)
                let isFailing = request == requests
                network.async {
                    Work.compute(for: .microseconds(200))
                    if !isFailing || repaired { answered.signal() }
                    if isFailing { failed.reach() }
                }
                answered.wait()
            }
        }
        if !repaired { Watchdog.giveUp(after: .milliseconds(350), having: 1, of: failed) }
        client.join()
    }
}
