import Dispatch

/// A cache removes old entries in the background.
struct CacheExpiry: Scenario {
    static let id = "cache-expiry"
    static let detector = "strict-background-timer"
    static let gain = Gain.findings
    static let summary = """
        A cache removes old entries with a strict timer on a background queue: exact wake-ups for uncritical work.
        """
    static let repair = "The timer is not strict and has a leeway."

    let label: String
    let drops: Int
    let interval: Int

    init(_ variation: inout Variation) {
        label = variation.label("expiry")
        drops = variation.count("drops", 2...8)
        interval = variation.count("interval in ms", 10...25)
    }

    func run(repaired: Bool) {
        let queue = DispatchQueue(label: label, qos: .background)
        let dropped = DispatchSemaphore(value: 0)
        let timer = DispatchSource.makeTimerSource(flags: repaired ? [] : .strict, queue: queue)
        timer.schedule(
            deadline: .now() + .milliseconds(interval), repeating: .milliseconds(interval),
            leeway: repaired ? .milliseconds(interval) : .nanoseconds(0))
        timer.setEventHandler {
            Work.compute(for: .microseconds(100))
            dropped.signal()
        }
        timer.activate()
        for _ in 0..<drops { dropped.wait() }
        timer.cancel()
        queue.sync {}
    }
}
