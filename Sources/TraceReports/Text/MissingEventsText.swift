import DispatchAnalysis
import DispatchModel

/// What a trace lacks and which findings that touches, as one paragraph of a report's head.
enum MissingEventsText {
    private static let intervalLimit = 3
    private static let findingLimit = 5

    /// The paragraph.
    ///
    /// - Parameters:
    ///   - missing: when events are missing.
    ///   - findings: of the same process; nil when they are of several.
    /// - Returns: nil when nothing is missing.
    static func paragraph(_ missing: [MissingEvents], findings: [Finding]? = nil) -> String? {
        let parts = [
            part(missing.filter { $0.kind == .events }, "event"),
            part(missing.filter { $0.kind == .packets }, "packet"),
            files(missing.filter { $0.kind == .files }),
        ].compactMap { $0 }
        guard !parts.isEmpty else { return nil }
        return parts.joined(separator: "; ") + (findings.map { "; " + touched(in: $0) } ?? "")
    }

    /// A sentence for what the recorder discarded, and the notes on what could not be read.
    static func sentences(on trace: TraceSummary) -> [String] {
        let lost = CompactNumber.counted(trace.discarded, "event")
        return (trace.discarded > 0 ? ["The recorder discarded \(lost): something may be missing here."] : [])
            + trace.notes.map(DisplayText.escaped)
    }

    /// `6,234 events in 2 intervals: 0.104000 s to 0.157000 s, after 1.700000 s`.
    private static func part(_ gaps: [MissingEvents], _ noun: String) -> String? {
        guard !gaps.isEmpty else { return nil }
        let count = gaps.reduce(0) { $0.clamped(plus: $1.count) }
        let timed = gaps.filter(\.isTimed)
        var times = timed.prefix(intervalLimit).map(interval).joined(separator: ", ")
        if timed.count > intervalLimit { times += " and \(timed.count - intervalLimit) more" }
        if timed.isEmpty {
            times = "at times that the trace does not tell"
        } else {
            times = (timed.count == 1 ? "" : "in \(timed.count) intervals, ") + times
            if timed.count < gaps.count { times += ", and at times that the trace does not tell" }
        }
        return "\(CompactNumber.counted(count, noun)), \(times)"
    }

    /// `2 files with events of any time`.
    private static func files(_ gaps: [MissingEvents]) -> String? {
        let count = gaps.reduce(0) { $0.clamped(plus: $1.count) }
        return count == 0 ? nil : "\(CompactNumber.counted(count, "file")) with events of any time"
    }

    private static func interval(_ gap: MissingEvents) -> String {
        // What is missing may begin before the first event that is there.
        switch (gap.begin.map { max($0, .zero) }, gap.end) {
        case (let begin?, let end?): "\(CompactNumber.place(begin)) to \(CompactNumber.place(end))"
        case (let begin?, nil): "after \(CompactNumber.place(begin))"
        case (nil, let end?): "up to \(CompactNumber.place(end))"
        case (nil, nil): ""
        }
    }

    private static func touched(in findings: [Finding]) -> String {
        let touched = findings.filter(\.isTouchedByLosses).map(\.id)
        if findings.isEmpty { return "what is not found may be among them" }
        if touched.isEmpty { return "no finding lies in that time" }
        if touched.count == findings.count, touched.count > 1 { return "every finding may be touched" }
        let rest = touched.count - findingLimit
        let names = touched.prefix(findingLimit).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        return "of \(CompactNumber.counted(findings.count, "finding")) it touches \(names)"
    }
}
