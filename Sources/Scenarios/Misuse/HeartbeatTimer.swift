import Dispatch

/// A service sends heartbeats when its configuration is loaded.
struct HeartbeatTimer: Scenario {
    static let id = "heartbeat-timer"
    static let detector = "delayed-registration"
    static let gain = Gain.findings
    static let summary = "A service activates its heartbeat timer on a queue that is still suspended."
    static let repair = "It resumes the queue first."

    let label: String
    let beats: Int
    let loading: Duration

    init(_ variation: inout Variation) {
        label = variation.label("heartbeat")
        beats = variation.count("beats", 2...6)
        loading = variation.duration("loading", .milliseconds(20)...(.milliseconds(60)))
    }

    func run(repaired: Bool) {
        let queue = DispatchQueue(label: label)
        let beating = DispatchSemaphore(value: 0)
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + .milliseconds(100), repeating: .milliseconds(10), leeway: .milliseconds(1))
        timer.setEventHandler { beating.signal() }
        queue.suspend()
        if repaired {
            Work.block(for: loading)
            queue.resume()
            timer.activate()
        } else {
            timer.activate()
            Work.block(for: loading)
            queue.resume()
        }
        for _ in 0..<beats { beating.wait() }
        timer.cancel()
        queue.sync {}
    }
}
