import DispatchAnalysis
import DispatchModel
import ReportText

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
        let files = missing.count(of: .files)
        let parts = [
            part(missing.filter { $0.kind == .events }, "event"),
            part(missing.filter { $0.kind == .packets }, "packet"),
            files == 0 ? nil : "\(CompactNumber.counted(files, "file")) with events at unknown times",
        ].compactMap { $0 }
        guard !parts.isEmpty else { return nil }
        return parts.joined(separator: "; ") + (findings.map { "; " + touched(in: $0) } ?? "")
    }

    /// A sentence about discarded events, and the notes about unreadable parts.
    static func sentences(on trace: TraceSummary) -> [String] {
        [discarded(of: trace)].compactMap { $0 } + trace.notes.map(DisplayText.escaped)
    }

    /// A sentence about discarded events; nil if there are none.
    static func discarded(of trace: TraceSummary) -> String? {
        guard trace.discarded > 0 else { return nil }
        return "The recorder discarded \(CompactNumber.counted(trace.discarded, "event")): results may be incomplete."
    }

    /// For example `6,234 events, in 2 intervals, 0.104000 s to 0.157000 s, after 1.700000 s`.
    private static func part(_ gaps: [MissingEvents], _ noun: String) -> String? {
        guard !gaps.isEmpty else { return nil }
        let timed = gaps.filter(\.isTimed)
        var times = timed.prefix(intervalLimit).map(interval).joined(separator: ", ")
        if timed.count > intervalLimit { times += " and \(timed.count - intervalLimit) more" }
        if timed.isEmpty {
            times = "at unknown times"
        } else {
            times = (timed.count == 1 ? "" : "in \(timed.count) intervals, ") + times
            if timed.count < gaps.count { times += ", and at unknown times" }
        }
        return "\(CompactNumber.counted(gaps.count(of: gaps[0].kind), noun)), \(times)"
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
