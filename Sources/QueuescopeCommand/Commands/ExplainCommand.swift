import ArgumentParser
import DispatchAnalysis
import NameSuggestions
import ReportText
import TraceReports

/// `queuescope explain`: documents a detector.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Explains a detector: what it finds, its thresholds, and the remedy.")

    @Argument(
        help: "The id of the detector, such as staircase-contention. Without it, all detectors are listed.",
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
        page.addParagraph("Detectors. `queuescope explain DETECTOR` documents one of them.\n", indent: 0)
        for type in all {
            page.addParagraph(
                type.title + (type.isLint ? " (with --lint)" : ""), label: TextLine("  " + type.id), indent: indent)
        }
        try destination.write(page.string())
    }

    /// The detector with this id.
    ///
    /// - Throws: ``CommandFailure`` with similar ids.
    static func detector(_ id: String) throws -> any Detector.Type {
        if let type = DetectorRegistry.all.first(where: { $0.id == id }) { return type }
        let suggestion = NameSuggestion(for: id, among: DetectorRegistry.all.map { $0.id })
        throw CommandFailure(
            .usage,
            "there is no detector \(Terminal.quoted(id))\(suggestion.question) "
                + "`queuescope explain` lists all detectors.")
    }
}
