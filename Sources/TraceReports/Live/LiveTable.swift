import DispatchModel
import ReportText

/// The objects of a live view as a table, with the selected row in sight.
struct LiveTable {
    let view: LiveView
    let columns: Int
    /// Number of lines of the table, with its titles.
    let rows: Int

    private static var tableColumns: TextColumns<LiveObject> {
        TextColumns { columns in
            columns.add("kind", width: 6, alignsRight: false, dropRank: 3, .faint) { $0.kind.rawValue }
            columns.add("rate/s", width: 6) { CompactNumber.rate($0.rate) }
            columns.add("depth", width: 5) {
                $0.depth == 0 ? TextTable.Cell("–") : $0.depth.cell($0.depth > 0 ? .warning : .plain)
            }
            columns.add("busy", width: 5, dropRank: 5) { CompactNumber.percent($0.busy) }
            columns.add("p50", in: "wait", width: 5, dropRank: 4) { $0.wait?.p50 }
            columns.add("p99", in: "wait", width: 5, .strong) { $0.wait?.p99 }
            columns.add("p99", in: "run", width: 5, dropRank: 1) { $0.run?.p99 }
            columns.add("lost", width: 6, dropRank: 2) { $0.lost == .zero ? nil : $0.lost }
            columns.add("now", width: 34, alignsRight: false, dropRank: 0) { $0.owner ?? "" }
        }
    }
    /// Lines above the rows: the tabs and the titles.
    private static let headLines = 3

    var lines: [TextLine] {
        guard rows > 0 else { return [] }
        let room = max(rows - Self.headLines, 1)
        let shown = visible(room)
        let tableColumns = Self.tableColumns
        var table = TextTable(firstTitle: "object", columns: tableColumns)
        table.rows = shown.map { object in
            let isSelected = object.id == view.selected
            return .init(
                branches: isSelected ? "▸" : " ", first: .init(object.name, isSelected ? .strong : .plain),
                cells: tableColumns.cells(of: object))
        }
        var page = TextPage(TextStyle(width: columns))
        table.draw(on: &page)
        return Array(([tabs] + page.lines).prefix(rows))
    }

    /// The rows around the selected one.
    private func visible(_ room: Int) -> ArraySlice<LiveObject> {
        let position = view.rows.firstIndex { $0.id == view.selected } ?? 0
        let begin = min(max(position - room / 2, 0), max(view.rows.count - room, 0))
        return view.rows[begin..<min(begin + room, view.rows.count)]
    }

    private var tabs: TextLine {
        var line = TextLine()
        let objects = view.snapshot?.objects ?? []
        func add(_ name: String, _ count: Int, isChosen: Bool) {
            line.append(isChosen ? "[\(name) \(count)]" : " \(name) \(count) ", isChosen ? .strong : .faint)
        }
        add("all", objects.count, isChosen: view.kind == nil)
        for kind in LiveObject.Kind.allCases {
            add(kind.rawValue + "s", objects.count { $0.kind == kind }, isChosen: view.kind == kind)
        }
        line.append("  by \(view.order.rawValue)", .place)
        if !view.filter.isEmpty { line.append("  /\(DisplayText.escaped(view.filter))", .place) }
        return line
    }
}
