import DispatchAnalysis
import DispatchModel

extension PerfettoExport {
    /// Writes a finding as a slice from its begin to its end. Each finding has its own track, because findings overlap.
    func write(_ finding: Finding, in model: DispatchModel, frames: (StackIndex) -> [String]) {
        let track = PerfettoTrack.finding(findingTracks.count)
        findingTracks.append("\(finding.id) \(finding.detector)")
        slice(
            on: track, finding.begin, max(finding.end, finding.begin), .text(finding.detector), .finding,
            annotations: Self.annotations(of: finding, in: model, frames: frames))
        for evidence in finding.evidence {
            instant(
                on: track, at: evidence.time, .text(evidence.event), .finding,
                annotations: [.named("detail", evidence.detail)])
        }
    }

    private static func annotations(
        of finding: Finding, in model: DispatchModel, frames: (StackIndex) -> [String]
    ) -> [PerfettoAnnotation] {
        var annotations: [PerfettoAnnotation] = [
            .named("id", finding.id), .named("severity", finding.severity.rawValue),
            .named("summary", finding.summary), .named("advice", finding.advice),
            .named("cost_ns", number: finding.cost.count),
            .named("occurrences", number: Int64(finding.occurrences)),
        ]
        if let caveat = finding.caveat { annotations.append(.named("caveat", caveat)) }
        for queue in finding.queues { annotations.append(.named("queue", PerfettoNames.label(of: model[queue]))) }
        for code in finding.code { annotations.append(.named("code", model[code].description)) }
        for measure in finding.measures { annotations.append(.named(measure.name, measure.value)) }
        for (title, stack) in finding.stacks {
            annotations.append(.named(title, frames(stack).joined(separator: "\n")))
        }
        return annotations
    }
}
