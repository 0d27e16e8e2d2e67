import DispatchModel

/// The objects of a live view as a table, with the selected row in sight.
struct LiveTable {
    let view: LiveView
    let columns: Int
    /// Number of lines of the table, with its titles.
    let rows: Int

    private static let tableColumns: [TextTable.Column] = [
        .init(title: "kind", width: 6, alignsRight: false, dropRank: 3),
        .init(title: "rate/s", width: 6),
        .init(title: "depth", width: 5),
        .init(title: "busy", width: 5, dropRank: 5),
        .init(group: "wait", title: "p50", width: 5, dropRank: 4),
        .init(group: "wait", title: "p99", width: 5),
        .init(group: "run", title: "p99", width: 5, dropRank: 1),
        .init(title: "lost", width: 6, dropRank: 2),
        .init(title: "now", width: 34, alignsRight: false, dropRank: 0),
    ]
    /// Lines above the rows: the tabs and the titles.
    private static let headLines = 3

    var lines: [TextLine] {
        guard rows > 0 else { return [] }
        let room = max(rows - Self.headLines, 1)
        let shown = visible(room)
        var table = TextTable(firstTitle: "object", columns: Self.tableColumns)
        table.rows = shown.map(row)
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

    private func row(_ object: LiveObject) -> TextTable.Row {
        let isSelected = object.id == view.selected
        return TextTable.Row(
            branches: isSelected ? "▸" : " ", first: .init(object.name, isSelected ? .strong : .plain),
            cells: [
                .init(object.kind.rawValue, .faint), .init(CompactNumber.rate(object.rate)),
                .init(
                    object.depth == 0 ? "–" : CompactNumber.count(object.depth), object.depth > 0 ? .warning : .plain),
                .init(CompactNumber.percent(object.busy)), .init(object.wait?.p50), .init(object.wait?.p99, .strong),
                .init(object.run?.p99), .init(object.lost == .zero ? "–" : CompactNumber.duration(object.lost)),
                .init(object.owner ?? ""),
            ])
    }
}
