import ArgumentParser
import DispatchAnalysis
import TraceReports

/// `queuescope explain`: what a detector looks for.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Explains a detector: what it finds, with which thresholds, and what to do.")

    @Argument(
        help: "The detector's id, such as staircase-contention; without it all are listed.",
        completion: .list(DetectorRegistry.all.map { $0.id }))
    var detector: String?

    func run() throws {
        let all = DetectorRegistry.all
        guard let detector else {
            let width = all.map { $0.id.count }.max() ?? 0
            var text = "Detectors; `queuescope explain DETECTOR` says more about one.\n\n"
            for type in all {
                text +=
                    "  \(DisplayText.padded(type.id, to: width))  \(type.title)\(type.isLint ? " (with --lint)" : "")\n"
            }
            return try StandardOutput.write(text)
        }
        let type = try Self.detector(detector)
        let destination = ReportDestination(file: nil)
        try destination.write(ExplainText(type, style: TextStyle(width: destination.width)).render())
    }

    /// The detector with this id.
    ///
    /// - Throws: ``CommandFailure``, which lists those that there are.
    static func detector(_ id: String) throws -> any Detector.Type {
        if let type = DetectorRegistry.all.first(where: { $0.id == id }) { return type }
        let known = DetectorRegistry.all.map { $0.id }.joined(separator: ", ")
        throw CommandFailure(.usage, "there is no detector \(Terminal.quoted(id)); there are \(known)")
    }
}
