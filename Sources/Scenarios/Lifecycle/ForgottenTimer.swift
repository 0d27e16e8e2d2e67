import Dispatch

/// A service that should clean up regularly.
struct ForgottenTimer: Scenario {
    static let id = "forgotten-timer"
    static let detector = "source-never-activated"
    static let gain = Gain.work
    static let summary = "A service configures a timer for cleaning up and never activates it."
    static let repair = "It activates the timer."

    let label: String
    let interval: Int
    let requests: Int

    init(_ variation: inout Variation) {
        label = variation.label("cleaning")
        interval = variation.count("interval in ms", 5...15)
        requests = variation.count("requests", 28...34)
    }

    func run(repaired: Bool) {
        let queue = DispatchQueue(label: label)
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + .milliseconds(interval), repeating: .milliseconds(interval))
        timer.setEventHandler { Work.compute(for: .microseconds(100)) }
        if repaired { timer.activate() }
        for _ in 0..<requests {
            queue.sync { Work.compute(for: .microseconds(100)) }
            Work.block(for: .milliseconds(10))
        }
        if repaired { timer.cancel() }
        queue.sync {}
        // The service keeps its timer until it ends.
        _ = Unmanaged.passRetained(timer as AnyObject)
    }
}
