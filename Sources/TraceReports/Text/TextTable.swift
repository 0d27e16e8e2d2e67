import DispatchModel
import ReportText

/// A table. Its first column gets the width that the other columns leave, and a narrow page drops the least important
/// columns.
struct TextTable {
    struct Column {
        /// A title above the titles of several columns: `wait` above `p50 p99 max`.
        var group = ""
        var title: String
        /// Number of terminal columns, without the gap before the column.
        var width: Int
        var alignsRight = true
        /// The column with the lowest rank is dropped first. A column with nil is never dropped.
        var dropRank: Int?
    }

    struct Cell: ExpressibleByStringLiteral {
        var text: String
        var color: TextColor = .plain

        init(_ text: String, _ color: TextColor = .plain) {
            self.text = text
            self.color = color
        }

        init(stringLiteral text: String) { self.init(text) }

        /// A duration, or a dash for nil.
        init(_ duration: Nanoseconds?, _ color: TextColor = .plain) {
            self.init(duration.map(CompactNumber.duration) ?? "–", color)
        }
    }

    struct Row {
        /// The branches of a tree that precede the first cell.
        var branches = ""
        var first: Cell
        /// Replaces the first cell when that does not fit.
        var shortFirst: String?
        /// One cell per column.
        var cells: [Cell]
    }

    let firstTitle: String
    let columns: [Column]
    var rows: [Row] = []

    /// Other columns are dropped when the first column would be narrower than this.
    private static let leastFirstWidth = 22
    private static let gap = 1

    init(firstTitle: String, columns: [Column]) {
        self.firstTitle = firstTitle
        self.columns = columns
    }

    func draw(on page: inout TextPage) {
        let shown = shownColumns(pageWidth: page.width)
        let widthOfOthers = shown.reduce(0) { $0 + columns[$1].width + Self.gap }
        let widest = rows.map { DisplayText.width($0.branches + $0.first.text) }.max() ?? 0
        let firstWidth = min(
            max(widest, DisplayText.width(firstTitle)), max(Self.leastFirstWidth, page.width - widthOfOthers - 1))
        drawTitles(on: &page, shown: shown, firstWidth: firstWidth)
        let firsts = DisplayText.shortened(
            rows.map { row in
                let room = firstWidth - DisplayText.width(row.branches)
                let fits = DisplayText.width(row.first.text) <= room
                return (fits ? row.first.text : row.shortFirst ?? row.first.text, room)
            })
        for (row, first) in zip(rows, firsts) {
            var line = TextLine(" ")
            line.append(row.branches, .faint)
            let room = firstWidth - DisplayText.width(row.branches)
            line.append(DisplayText.padded(first, to: room), row.first.color)
            for index in shown {
                let column = columns[index]
                let cell = row.cells[index].text
                // A number that is too long shifts the rest of its row, because a cut number would be a wrong number.
                let text = column.alignsRight ? cell : DisplayText.shortened(cell, to: column.width)
                line.append(String(repeating: " ", count: Self.gap))
                line.append(
                    DisplayText.padded(text, to: column.width, toRight: column.alignsRight), row.cells[index].color)
            }
            page.add(line)
        }
    }

    /// Whether the page is wide enough for the column with this title.
    func shows(_ title: String, on page: TextPage) -> Bool {
        shownColumns(pageWidth: page.width).contains { columns[$0].title == title }
    }

    private func shownColumns(pageWidth: Int) -> [Int] {
        var shown = Array(columns.indices)
        func width() -> Int { shown.reduce(Self.leastFirstWidth + 1) { $0 + columns[$1].width + Self.gap } }
        while width() > pageWidth,
            let next = shown.filter({ columns[$0].dropRank != nil }).min(by: {
                columns[$0].dropRank! < columns[$1].dropRank!
            })
        {
            shown.removeAll { $0 == next }
        }
        return shown
    }

    private func drawTitles(on page: inout TextPage, shown: [Int], firstWidth: Int) {
        var groups = TextLine()
        var titles = TextLine(" " + DisplayText.padded(firstTitle, to: firstWidth), .faint)
        var position = 0
        while position < shown.count {
            let group = columns[shown[position]].group
            var end = position
            let start = titles.width + Self.gap
            while end < shown.count, columns[shown[end]].group == group {
                let column = columns[shown[end]]
                titles.append(String(repeating: " ", count: Self.gap))
                titles.append(
                    DisplayText.padded(column.title, to: column.width, toRight: column.alignsRight), .faint)
                end += 1
                if group.isEmpty { break }
            }
            if !group.isEmpty, end == position + 1 {
                // A group title over a single column is the first word of its title, and has its alignment.
                groups.advance(to: start)
                let column = columns[shown[position]]
                groups.append(DisplayText.padded(group, to: column.width, toRight: column.alignsRight), .faint)
            } else if !group.isEmpty {
                groups.advance(to: start + 1)
                let room = titles.width - start - 1
                let dashes = max(0, room - DisplayText.width(group) - 2)
                let left = String(repeating: "─", count: dashes / 2)
                let right = String(repeating: "─", count: dashes - dashes / 2)
                groups.append(left + (dashes > 0 ? " \(group) " : group) + right, .faint)
            }
            position = max(end, position + 1)
        }
        if groups.width > 0 { page.add(groups) }
        page.add(titles)
    }
}
