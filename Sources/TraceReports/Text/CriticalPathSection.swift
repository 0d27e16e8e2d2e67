import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// The critical path: the chain of causes that determines the duration of the run, of an item or of a signpost
/// interval.
struct CriticalPathSection {
    let path: CriticalPath
    let model: DispatchModel
    let symbols: SymbolTable
    let detail: TextStyle.Detail

    private static let standardLimit = 6

    func draw(on page: inout TextPage) {
        guard path.duration > .zero, !path.totals.isEmpty else { return }
        page.addSection("CRITICAL PATH", note: "the chain of causes to the end of \(what): \(path.duration)")
        let rows = PathRows.rows(of: path.totals, in: model, symbols: symbols)
        let whole = Double(max(1, path.duration.count))
        let columns = TextColumns<PathRows.Row> { columns in
            columns.add("time", width: 6, .strong) { $0.time }
            columns.add("share", width: 5) { CompactNumber.percent(Double($0.time.count) / whole) }
            columns.add("times", width: 7, dropRank: 1) { $0.count }
            columns.add("queue", width: 26, alignsRight: false, dropRank: 0, .place) { $0.queue }
        }
        var shown = Array(rows.prefix(detail.limit(Self.standardLimit)))
        let others = rows.dropFirst(shown.count)
        if !others.isEmpty {
            let name = "\(CompactNumber.counted(others.count, "other kind")) of step"
            shown.append(
                others.reduce(into: PathRows.Row(name: name, queue: "", time: .zero, count: 0)) {
                    $0.time += $1.time
                    $0.count += $1.count
                })
        }
        page.addTable("step", columns, of: shown) { $0.name }
        page.addNote(
            "Followed backwards from the end: the last code that ran, the cause of its begin, and so on. The steps sum "
                + "to the whole duration. A shorter step shortens the whole until another chain is longer.")
        let share = Double(path.explained.count) / Double(path.duration.count)
        page.addNote("Named causes explain \(CompactNumber.percent(share)) of it.")
        guard path.target == .wholeRun, let last = path.segments.last, !last.kind.isNamed,
            last.duration.count > path.duration.count / 10
        else { return }
        page.addNote(
            "In the last \(last.duration), from \(CompactNumber.place(last.begin)) on, no item or thread began or "
                + "ended anything.")
    }

    private var what: String {
        switch path.target {
        case .wholeRun: "the run"
        case .item, .slowestItem: "the item"
        case .signpost: "the interval"
        }
    }
}
