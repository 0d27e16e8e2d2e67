import DispatchAnalysis
import DispatchModel

/// The missing parts of a trace and the findings that they affect, as one paragraph in the head of a report.
enum MissingEventsText {
    private static let intervalLimit = 3
    private static let findingLimit = 5

    /// Describes the missing events, packets and files.
    ///
    /// - Parameters:
    ///   - missing: the missing parts.
    ///   - findings: the findings of the same process; nil for several processes.
    /// - Returns: a paragraph; nil when nothing is missing.
    static func paragraph(_ missing: [MissingEvents], findings: [Finding]? = nil) -> String? {
        let parts = [
            part(missing.filter { $0.kind == .events }, "event"),
            part(missing.filter { $0.kind == .packets }, "packet"),
            files(missing.filter { $0.kind == .files }),
        ].compactMap { $0 }
        guard !parts.isEmpty else { return nil }
        return parts.joined(separator: "; ") + (findings.map { "; " + touched(in: $0) } ?? "")
    }

    /// A sentence about discarded events, and the notes about unreadable parts.
    static func sentences(on trace: TraceSummary) -> [String] {
        let lost = CompactNumber.counted(trace.discarded, "event")
        return (trace.discarded > 0 ? ["The recorder discarded \(lost): results may be incomplete."] : [])
            + trace.notes.map(DisplayText.escaped)
    }

    /// For example `6,234 events, in 2 intervals, 0.104000 s to 0.157000 s, after 1.700000 s`.
    private static func part(_ gaps: [MissingEvents], _ noun: String) -> String? {
        guard !gaps.isEmpty else { return nil }
        let count = gaps.reduce(0) { $0.clamped(plus: $1.count) }
        let timed = gaps.filter(\.isTimed)
        var times = timed.prefix(intervalLimit).map(interval).joined(separator: ", ")
        if timed.count > intervalLimit { times += " and \(timed.count - intervalLimit) more" }
        if timed.isEmpty {
            times = "at unknown times"
        } else {
            times = (timed.count == 1 ? "" : "in \(timed.count) intervals, ") + times
            if timed.count < gaps.count { times += ", and at unknown times" }
        }
        return "\(CompactNumber.counted(count, noun)), \(times)"
    }

    /// For example `2 files with events at unknown times`.
    private static func files(_ gaps: [MissingEvents]) -> String? {
        let count = gaps.reduce(0) { $0.clamped(plus: $1.count) }
        return count == 0 ? nil : "\(CompactNumber.counted(count, "file")) with events at unknown times"
    }

    private static func interval(_ gap: MissingEvents) -> String {
        // Missing events can precede the first recorded event.
        switch (gap.begin.map { max($0, .zero) }, gap.end) {
        case (let begin?, let end?): "\(CompactNumber.place(begin)) to \(CompactNumber.place(end))"
        case (let begin?, nil): "after \(CompactNumber.place(begin))"
        case (nil, let end?): "up to \(CompactNumber.place(end))"
        case (nil, nil): ""
        }
    }

    private static func touched(in findings: [Finding]) -> String {
        let touched = findings.filter(\.isTouchedByLosses).map(\.id)
        if findings.isEmpty { return "findings may be missing because of them" }
        if touched.isEmpty { return "no finding is in that time" }
        if touched.count == findings.count, touched.count > 1 { return "every finding may be affected" }
        let rest = touched.count - findingLimit
        let names = touched.prefix(findingLimit).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        return "of \(CompactNumber.counted(findings.count, "finding")), this affects \(names)"
    }
}
