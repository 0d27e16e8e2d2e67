import Dispatch

/// A service writes many reports at once.
struct ReportGenerator: Scenario {
    static let id = "report-generator"
    static let detector = "thread-explosion"
    static let gain = Gain.workers
    static let summary = """
        A service gives each report its own serial queue, and every one of them blocks on the disk.
        """
    static let repair = "The reports' queues target one serial queue."
    static let tolerated = [
        Tolerance("queue-forest", because: "every report is a separate hierarchy")
    ]

    let label: String
    let reports: Int
    let writing: Duration

    init(_ variation: inout Variation) {
        label = variation.label("report")
        reports = 10 * Machine.processors + variation.count("more than ten for each processor", 12...36)
        writing = variation.duration("writing", .milliseconds(8)...(.milliseconds(15)))
    }

    func run(repaired: Bool) {
        let disk = repaired ? DispatchQueue(label: "\(label)s") : nil
        let written = DispatchGroup()
        for report in 0..<reports {
            let queue = DispatchQueue(label: "\(label).\(report)", target: disk)
            queue.async(group: written) {
                Work.compute(for: .microseconds(100))
                Work.block(for: writing)
            }
        }
        written.wait()
    }
}
