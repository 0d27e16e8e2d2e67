import Dispatch
import Synchronization

/// A client sends requests over a connection and finds the request of an answer by its number.
struct AnswerTable: Scenario {
    static let id = "answer-table"
    static let detector = "continuation-never-resumed"
    static let gain = Gain.failedRuns
    static let summary = "An answer with an unknown number is dropped, and the task that awaits it is never resumed."
    static let repair = "Every answer reaches the task of its request."
    static let exemptions = [FieldCondition.lostOne, .lostTwenty].map {
        Exemption($0, because: "the resume of the continuation may be among the missing events")
    }
    static let ending = Ending.gaveUp

    let label: String
    let requests: Int

    init(_ variation: inout Variation) {
        label = variation.label("client")
        requests = variation.count("requests", 60...120)
    }

    func run(repaired: Bool) {
        let client = Client(label: label)
        let answered = Milestones()
        for request in 1...requests {
            Task.detached {
                await client.ask(request, isLost: request == 5 && !repaired)
                answered.reach()
            }
            // The requests are sent one after the other.
            Work.block(for: .milliseconds(1))
        }
        if !repaired { Watchdog.giveUp(after: .milliseconds(350), having: requests - 1, of: answered) }
        answered.wait(for: requests)
    }

    private final class Client: Sendable {
        private let connection: DispatchQueue
        private let waiting = Mutex<[Int: CheckedContinuation<Void, Never>]>([:])

        init(label: String) { connection = DispatchQueue(label: label) }

        @inline(never)
        func ask(_ request: Int, isLost: Bool) async {
            await withCheckedContinuation { continuation in
                waiting.withLock { $0[request] = continuation }
                connection.async {
                    Work.compute(for: .microseconds(50))
                    self.answer(isLost ? -request : request)
                }
            }
        }

        private func answer(_ number: Int) {
            waiting.withLock { $0.removeValue(forKey: number) }?.resume()
        }
    }
}
