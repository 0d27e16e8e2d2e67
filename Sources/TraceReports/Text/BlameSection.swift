import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// The blame table: each place in the code that waited, with the code that it waited for.
struct BlameSection {
    let analysis: Analysis
    let symbols: SymbolTable
    let detail: TextStyle.Detail

    private static let standardRows = 4
    private static let standardCells = 3

    func draw(on page: inout TextPage) {
        let rows = analysis.blame.rows(limit: detail.limit(Self.standardCells))
        guard !rows.isEmpty else { return }
        page.addSection("WHO WAITED FOR WHOM", note: "waiting code, and the code that it waited for")
        var table = TextTable(
            firstTitle: "code",
            columns: [
                .init(title: "waited", width: 6), .init(title: "times", width: 6, dropRank: 1),
                .init(title: "because of", width: 30, alignsRight: false, dropRank: 0),
            ])
        let shown = rows.prefix(detail.limit(Self.standardRows))
        for row in shown { add(row, to: &table) }
        table.draw(on: &page)
        let rest = rows.dropFirst(shown.count).reduce(Nanoseconds.zero) { $0 + $1.total }
        if rest > .zero { page.addRest(rows.count - shown.count, "place", " that waited, \(rest) in total") }
        page.addNote(
            "The lower rows are the code that ran in that time, held the lock, or sent the signal that ended the wait. "
                + "Waits for workers, due times and suspensions are not listed: no code causes them.")
    }

    private func add(_ row: BlameMatrix.Row, to table: inout TextTable) {
        func name(_ code: CodeIndex) -> String { CodeName.brief(code, in: analysis.model, symbols: symbols) }
        table.rows.append(
            TextTable.Row(
                first: .init(rounds(row) ?? name(row.waiter)),
                cells: [.init(row.total, .strong), "", ""]))
        for (position, cell) in row.cells.enumerated() {
            let isLast = position == row.cells.count - 1 && row.rest == .zero
            let blamed = cell.blamed == .unknown ? "unknown code" : name(cell.blamed)
            table.rows.append(
                TextTable.Row(
                    branches: isLast ? "└ " : "├ ", first: .init(cell.blamed == row.waiter ? "itself" : blamed),
                    cells: [
                        .init(cell.time), .init(CompactNumber.count(cell.count)),
                        .init(cause(cell), .place),
                    ]))
        }
        if row.rest > .zero {
            table.rows.append(
                TextTable.Row(
                    branches: "└ ", first: .init("others", .faint),
                    cells: [.init(row.rest), "", ""]))
        }
    }

    /// The name of a row whose waiter is the next iteration of an event loop, which has no code. Nil for other rows.
    private func rounds(_ row: BlameMatrix.Row) -> String? {
        guard row.waiter == .unknown, row.rest == .zero else { return nil }
        let model = analysis.model
        let loops = row.cells.map { cell in
            cell.queue.flatMap { model[$0].kind == .eventLoop ? QueueName.pattern(of: $0, in: model) : nil }
        }
        guard Set(loops).count == 1, let pattern = loops[0] else { return nil }
        return "rounds of \(pattern)"
    }

    private func cause(_ cell: BlameMatrix.Cell) -> String {
        cell.cause.title + (cell.queue.map { " " + QueueName.pattern(of: $0, in: analysis.model) } ?? "")
    }
}
