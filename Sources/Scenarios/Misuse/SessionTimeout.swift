import Dispatch

/// A server ends sessions that are idle.
struct SessionTimeout: Scenario {
    static let id = "session-timeout"
    static let detector = "handlerless-source"
    static let gain = Gain.work
    static let summary = "A server starts the timer of a session without a handler."
    static let repair = "The timer has a handler that ends the session."

    let label: String
    let timeout: Int

    init(_ variation: inout Variation) {
        label = variation.label("session")
        timeout = variation.count("timeout in ms", 5...20)
    }

    func run(repaired: Bool) {
        let queue = DispatchQueue(label: label)
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + .milliseconds(timeout), repeating: .milliseconds(timeout))
        if repaired { timer.setEventHandler { Work.compute(for: .microseconds(50)) } }
        timer.activate()
        Work.block(for: .milliseconds(timeout * 6))
        timer.cancel()
        queue.sync {}
    }
}
