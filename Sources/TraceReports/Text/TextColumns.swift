import DispatchModel
import ReportText

/// The columns of a text table, each with its title, its width and the cell of a row.
struct TextColumns<Row> {
    private(set) var columns: [TextTable.Column] = []
    /// Parallel to `columns`.
    private var values: [(Row) -> TextTable.Cell] = []

    /// Creates the columns that `body` adds.
    init(_ body: (inout Self) -> Void) { body(&self) }

    /// Adds a column. Its format follows from the type of its values.
    mutating func add<Value: TextValue>(
        _ title: String, in group: String = "", width: Int, alignsRight: Bool = true, dropRank: Int? = nil,
        _ color: TextColor = .plain, _ value: @escaping (Row) -> Value
    ) {
        columns.append(
            TextTable.Column(group: group, title: title, width: width, alignsRight: alignsRight, dropRank: dropRank))
        values.append { value($0).cell(color) }
    }

    func cells(of row: Row) -> [TextTable.Cell] { values.map { $0(row) } }

    /// A row without values.
    var emptyCells: [TextTable.Cell] { columns.map { _ in "" } }
}

extension TextPage {
    /// Adds a table without branches.
    ///
    /// - Parameters:
    ///   - firstTitle: the title of the first column.
    ///   - columns: the other columns.
    ///   - rows: the rows, in order.
    ///   - first: the text of the first column.
    mutating func addTable<Row>(
        _ firstTitle: String, _ columns: TextColumns<Row>, of rows: some Sequence<Row>, first: (Row) -> String
    ) {
        var table = TextTable(firstTitle: firstTitle, columns: columns)
        table.rows = rows.map { .init(first: .init(first($0)), cells: columns.cells(of: $0)) }
        table.draw(on: &self)
    }
}

extension TextTable {
    init<Row>(firstTitle: String, columns: TextColumns<Row>) {
        self.init(firstTitle: firstTitle, columns: columns.columns)
    }
}
