import ArgumentParser
import DispatchAnalysis

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
                let space = String(repeating: " ", count: width - type.id.count)
                text += "  \(type.id)\(space)  \(type.title)\(type.isLint ? " (with --lint)" : "")\n"
            }
            return try StandardOutput.write(text)
        }
        let type = try Self.detector(detector)
        let documentation = type.documentation
        try StandardOutput.write(
            "\(type.id): \(type.title)\n\n\(documentation)\(documentation.hasSuffix("\n") ? "" : "\n")"
                + Self.options(of: type))
    }

    /// The detector with this id.
    ///
    /// - Throws: ``CommandFailure``, which lists those that there are.
    static func detector(_ id: String) throws -> any Detector.Type {
        if let type = DetectorRegistry.all.first(where: { $0.id == id }) { return type }
        let known = DetectorRegistry.all.map { $0.id }.joined(separator: ", ")
        throw CommandFailure(.usage, "there is no detector \(Terminal.quoted(id)); there are \(known)")
    }

    /// How to change the thresholds that the documentation describes.
    private static func options(of detector: any Detector.Type) -> String {
        guard !detector.thresholds.isEmpty else { return "" }
        let lines = detector.thresholds.map { threshold in
            "  --threshold \(detector.id).\(threshold.name)=\(threshold.standardText)    \(threshold.expectation)\n"
        }
        return "\n## Options of report, check and timeline, with the defaults\n\n" + lines.joined()
    }
}
