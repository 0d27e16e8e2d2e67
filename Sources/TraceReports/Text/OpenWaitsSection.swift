import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// The waits of threads, tasks and items at the end of the trace, grouped by cause. They show where a program that
/// hangs is blocked, and what would end the wait.
struct OpenWaitsSection {
    let analysis: Analysis
    let symbols: SymbolTable
    let detail: TextStyle.Detail

    private static let standardLimit = 12
    /// Most waiters that a row names.
    private static let nameLimit = 4

    private var text: OpenWaitText { OpenWaitText(model: analysis.model, symbols: symbols) }

    func draw(on page: inout TextPage) {
        let shownWaits = analysis.shownOpenWaits
        guard !shownWaits.isEmpty else { return }
        let waits = detail == .everything ? analysis.stillWaiting.waits : shownWaits
        page.addSection("STILL WAITING", note: "when the trace ended, cycles first, then the longest")
        let rows = OpenWaitRows.rows(of: waits, in: analysis.model, symbols: symbols)
        let shown = rows.prefix(detail.limit(Self.standardLimit))
        var cycle: Int?
        for row in shown {
            if row.cycle != cycle { page.add(" " + heading(row.cycle, of: rows)) }
            cycle = row.cycle
            draw(row, on: &page)
        }
        page.addRest(rows.dropFirst(shown.count).reduce(0) { $0 + $1.waits.count }, "wait")
        let omitted = analysis.stillWaiting.omitted
        guard omitted > 0 else { return }
        page.addNote("\(CompactNumber.counted(omitted, "task or queue", plural: "tasks or queues")) also waited.")
    }

    private func heading(_ cycle: Int?, of rows: [OpenWaitRows.Row]) -> String {
        guard let cycle else { return "Other waits:" }
        let count = rows.reduce(0) { $0 + ($1.cycle == cycle ? $1.waits.count : 0) }
        return "\(CompactNumber.counted(count, "wait")) in a cycle, so none of them ends:"
    }

    private func draw(_ row: OpenWaitRows.Row, on page: inout TextPage) {
        let count = row.waits.count
        var names = ""
        if count > 1 {
            let shown = row.waits.prefix(Self.nameLimit).map(text.waiter).joined(separator: ", ")
            names = " (\(shown)\(count > Self.nameLimit ? " and \(count - Self.nameLimit) more" : ""))"
        }
        let label =
            count == 1
            ? text.waiter(row.longest)
            : { if case .task = row.longest.waiter { "\(count) tasks" } else { "\(count) threads" } }()
        let since = "\(row.longest.duration), since \(row.longest.begin)"
        let line = TextLine(" " + label, .strong)
        page.addParagraph("\(row.cause), for \(since)\(names).", label: line, indent: max(16, line.width + 2))
    }
}
