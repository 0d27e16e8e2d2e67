import Dispatch

/// A service exports its metrics from time to time.
struct MetricsExport: Scenario {
    static let id = "metrics-export"
    static let detector = "source-without-qos"
    static let gain = Gain.findings
    static let summary = """
        A service exports its metrics with a timer whose queue and target queues have no quality of service.
        """
    static let repair = "The timer's queue has the quality of service utility."

    let label: String
    let exports: Int
    let interval: Int

    init(_ variation: inout Variation) {
        label = variation.label("metrics")
        exports = variation.count("exports", 2...8)
        interval = variation.count("interval in ms", 5...20)
    }

    func run(repaired: Bool) {
        let queue = repaired ? DispatchQueue(label: label, qos: .utility) : DispatchQueue(label: label)
        let exported = DispatchSemaphore(value: 0)
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + .milliseconds(interval), repeating: .milliseconds(interval))
        timer.setEventHandler {
            Work.compute(for: .microseconds(100))
            exported.signal()
        }
        timer.activate()
        for _ in 0..<exports { exported.wait() }
        timer.cancel()
        queue.sync {}
    }
}
