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
        let destination = ReportDestination(file: nil)
        let style = TextStyle(width: destination.width)
        if let detector {
            return try destination.write(ExplainText(try Self.detector(detector), style: style).render())
        }
        let all = DetectorRegistry.all
        let indent = 4 + (all.map { $0.id.count }.max() ?? 0)
        var page = TextPage(style)
        page.addParagraph("Detectors; `queuescope explain DETECTOR` says more about one.\n", indent: 0)
        for type in all {
            page.addParagraph(
                type.title + (type.isLint ? " (with --lint)" : ""), label: TextLine("  " + type.id), indent: indent)
        }
        try destination.write(page.string())
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
