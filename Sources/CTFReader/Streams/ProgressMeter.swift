/// Reports the share of bytes read at intervals.
struct ProgressMeter {
    private let total: Double
    private let step: Double
    private let report: ((Double) -> Void)?
    private var bytes = 0
    private var reported = 0.0

    /// Creates a meter that reports each time the share of `bytes` has grown by `step`.
    init(bytes: Int, step: Double, report: ((Double) -> Void)?) {
        total = Double(max(bytes, 1))
        self.step = step
        self.report = report
    }

    mutating func advance(by count: Int) {
        guard let report else { return }
        bytes += count
        let share = min(Double(bytes) / total, 1)
        if share - reported >= step {
            reported = share
            report(share)
        }
    }

    /// Reports the end.
    func finish() { report?(1) }
}
