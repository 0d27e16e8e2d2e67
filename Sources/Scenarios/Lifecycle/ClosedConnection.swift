import Dispatch

/// A server closes a connection that it had paused.
struct ClosedConnection: Scenario {
    static let id = "closed-connection"
    static let detector = "released-while-suspended"
    static let gain = Gain.failedRuns
    static let summary = "A server releases a connection's queue while it is suspended: libdispatch aborts the process."
    static let repair = "It resumes the queue before it releases it."
    static let ending = Ending.crash

    let label: String
    let messages: Int

    init(_ variation: inout Variation) {
        label = variation.label("connection")
        messages = variation.count("messages", 1...20)
    }

    func run(repaired: Bool) {
        serve(repaired: repaired)
        DispatchQueue(label: "\(label)s").sync { Work.compute(for: .microseconds(100)) }
    }

    @inline(never)
    private func serve(repaired: Bool) {
        let connection = DispatchQueue(label: label)
        for _ in 0..<messages { connection.sync { Work.compute(for: .microseconds(50)) } }
        connection.suspend()
        if repaired { connection.resume() }
    }
}
