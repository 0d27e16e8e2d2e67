import DispatchAnalysis
import DispatchModel

/// The critical path: the chain of causes that determines the duration of the run, of an item or of a signpost
/// interval.
struct CriticalPathSection {
    let path: CriticalPath
    let model: DispatchModel
    let symbols: SymbolTable
    let detail: TextStyle.Detail

    private static let standardLimit = 6

    private struct Step: Hashable {
        let kind: CriticalPath.Kind
        let code: CodeIndex
        /// The label of the queue, when the code is unknown; otherwise empty.
        let place: String
    }

    private struct Row {
        let name: String
        let queue: String
        var time: Nanoseconds
        var count: Int
    }

    func draw(on page: inout TextPage) {
        guard path.duration > .zero, !path.totals.isEmpty else { return }
        page.addSection("CRITICAL PATH", note: "the chain of causes to the end of \(what): \(path.duration)")
        let rows = rows()
        var table = TextTable(
            firstTitle: "step",
            columns: [
                .init(title: "time", width: 6), .init(title: "share", width: 5),
                .init(title: "times", width: 7, dropRank: 1),
                .init(title: "queue", width: 26, alignsRight: false, dropRank: 0),
            ])
        let shown = rows.prefix(detail.limit(Self.standardLimit))
        for row in shown { table.rows.append(cells(row)) }
        if rows.count > shown.count {
            let rest = rows.dropFirst(shown.count).reduce(into: Row(name: "", queue: "", time: .zero, count: 0)) {
                $0.time += $1.time
                $0.count += $1.count
            }
            let name = "\(CompactNumber.counted(rows.count - shown.count, "other kind")) of step"
            table.rows.append(cells(Row(name: name, queue: "", time: rest.time, count: rest.count)))
        }
        table.draw(on: &page)
        page.addNote(
            "Followed backwards from the end: the last code that ran, the cause of its begin, and so on. The steps sum "
                + "to the whole duration. A shorter step shortens the whole until another chain is longer.")
        let rest = model.end - path.end
        guard path.target == .wholeRun, rest.count > path.duration.count / 10 else { return }
        page.addNote(
            "The path ends with the last activity, at \(CompactNumber.place(path.end)). In the \(rest) after "
                + "it, no item or thread began or ended anything.")
    }

    private var what: String {
        switch path.target {
        case .wholeRun: "the run"
        case .item, .slowestItem: "the item"
        case .signpost: "the interval"
        }
    }

    /// Merges the totals of queues with similar labels, and sorts the rows by time.
    private func rows() -> [Row] {
        var positions: [String: Int] = [:]
        var rows: [Row] = []
        // Names are cached because thousands of queues can run the same code.
        var names: [Step: String] = [:]
        for total in path.totals {
            let queue = total.queue.map { QueueName.pattern(of: $0, in: model) } ?? ""
            let step = Step(kind: total.kind, code: total.code, place: total.code == .unknown ? queue : "")
            let name =
                names[step]
                ?? PathStepName.of(total.kind, code: total.code, place: queue, in: model, symbols: symbols)
            names[step] = name
            let key = name + "\n" + queue
            if let known = positions[key] {
                rows[known].time += total.time
                rows[known].count += total.count
            } else {
                positions[key] = rows.count
                rows.append(Row(name: name, queue: queue, time: total.time, count: total.count))
            }
        }
        return rows.enumerated().sorted { ($1.element.time, $0.offset) < ($0.element.time, $1.offset) }.map(\.element)
    }

    private func cells(_ row: Row) -> TextTable.Row {
        let share = Double(row.time.count) / Double(max(1, path.duration.count))
        return TextTable.Row(
            first: .init(row.name),
            cells: [
                .init(row.time, .strong), .init(CompactNumber.percent(share)),
                .init(CompactNumber.count(row.count)), .init(row.queue, .place),
            ])
    }
}
