import Dispatch

/// A service polls a sensor.
struct SensorPolling: Scenario {
    static let id = "sensor-polling"
    static let detector = "late-timer"
    static let gain = Gain.duration
    static let summary = "The timer that polls a sensor shares its queue with work many times longer than its interval."
    static let repair = "The timer has its own queue."

    let label: String
    let polls: Int
    let interval: Int
    let evaluation: Duration

    init(_ variation: inout Variation) {
        label = variation.label("sensor")
        polls = variation.count("polls", 4...6)
        interval = variation.count("interval in ms", 15...25)
        evaluation = variation.duration("evaluation", .milliseconds(60)...(.milliseconds(85)))
    }

    var culprits: [String] { [label] }

    func run(repaired: Bool) {
        let queue = DispatchQueue(label: label)
        let evaluations = repaired ? DispatchQueue(label: "\(label).evaluation") : queue
        let polled = DispatchSemaphore(value: 0)
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(
            deadline: .now() + .milliseconds(interval), repeating: .milliseconds(interval), leeway: .milliseconds(1))
        timer.setEventHandler {
            polled.signal()
            evaluations.async { Work.compute(for: evaluation) }
        }
        timer.activate()
        for _ in 0..<polls { polled.wait() }
        timer.cancel()
        queue.sync {}
    }
}
