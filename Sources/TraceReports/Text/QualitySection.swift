import DispatchAnalysis
import ReportText

/// The result of the consistency checks of the trace.
struct QualitySection {
    let analysis: Analysis
    let detail: TextStyle.Detail

    func draw(on page: inout TextPage) {
        let checks = analysis.quality.checks
        let failed = checks.filter { !$0.passed }
        let limited = checks.filter { $0.passed && $0.isLimited }
        if detail == .brief, failed.isEmpty, limited.isEmpty, analysis.trace.notes.isEmpty { return }
        page.addSection("TRACE QUALITY")
        let made = checks.filter { $0.checked > 0 }
        let count = CompactNumber.counted(made.count, "check")
        let score = TextLine(" " + Self.score(analysis.quality.score), analysis.quality.score == 1 ? .good : .warning)
        page.addParagraph(
            made.isEmpty
                ? "there was nothing to check"
                : failed.isEmpty
                    ? "the trace passed all of its checks (\(count))"
                    : "\(made.count - failed.count) of \(count) passed: some numbers may be wrong",
            label: score, indent: score.width + 2)
        for check in detail == .everything ? checks : failed + limited { draw(check, on: &page) }
        if analysis.trace.unknown > 0 {
            let events = CompactNumber.counted(analysis.trace.unknown, "event")
            page.addParagraph(
                "\(events) of unknown classes were skipped: a newer recorder wrote them.",
                indent: 1)
        }
        for note in analysis.trace.notes {
            page.addParagraph(DisplayText.escaped(note), .plain, label: TextLine(" note", .warning), indent: 7)
        }
    }

    private func draw(_ check: Quality.Check, on page: inout TextPage) {
        let label =
            check.passed
            ? check.isLimited ? TextLine(" limit", .warning) : TextLine(" holds", .good) : TextLine(" fails", .error)
        var text = "\(check.id): \(DisplayText.escaped(check.detail))"
        if !check.passed {
            text += " (\(CompactNumber.grouped(check.violations)) of \(CompactNumber.grouped(check.checked)))"
        }
        page.addParagraph(text, label: label, indent: 7)
    }

    /// Rounds down, so that `100%` means no violation at all.
    private static func score(_ score: Double) -> String {
        guard score < 1 else { return "100%" }
        return CompactNumber.decimal(min(999, Int64(score * 1_000)), places: 1) + "%"
    }
}
