import Dispatch

/// A service with a queue of its own asks a network client and waits a limited time for the answer.
struct ProfileService: Scenario {
    static let id = "profile-service"
    static let detector = "wait-for-own-queue"
    static let gain = Gain.duration
    static let summary = """
        A service waits on its queue for an answer, at most some 100 ms, and the answer is delivered on the same queue.
        """
    static let repair = "The answer is delivered on the queue of the client."

    let label: String
    let clientLabel: String
    let limit: Int
    let requests: Int

    var culprits: [String] { [label] }

    init(_ variation: inout Variation) {
        label = variation.label("profiles")
        clientLabel = variation.label("client")
        limit = variation.count("limit", 80...160)
        requests = variation.count("requests", 2...4)
    }

    func run(repaired: Bool) {
        let (service, client) = (DispatchQueue(label: label), DispatchQueue(label: clientLabel))
        for _ in 0..<requests {
            service.async {
                let answered = DispatchSemaphore(value: 0)
                client.async {
                    Work.compute(for: .microseconds(200))
                    if repaired { answered.signal() } else { service.async { answered.signal() } }
                }
                // The program continues without the answer.
                _ = answered.wait(timeout: .now() + .milliseconds(limit))
            }
        }
        service.sync {}
        service.sync {}
    }
}
