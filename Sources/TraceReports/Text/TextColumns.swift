import DispatchModel

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

extension TextTable {
    init<Row>(firstTitle: String, columns: TextColumns<Row>) {
        self.init(firstTitle: firstTitle, columns: columns.columns)
    }
}

/// A value that can be a cell of a text table. Its type defines the format.
protocol TextValue {
    func cell(_ color: TextColor) -> TextTable.Cell
}

/// A count.
extension Int: TextValue {
    func cell(_ color: TextColor) -> TextTable.Cell { .init(CompactNumber.count(self), color) }
}

extension Nanoseconds: TextValue {
    func cell(_ color: TextColor) -> TextTable.Cell { .init(CompactNumber.duration(self), color) }
}

extension String: TextValue {
    func cell(_ color: TextColor) -> TextTable.Cell { .init(self, color) }
}

extension TextTable.Cell: TextValue {
    func cell(_ color: TextColor) -> TextTable.Cell { self }
}

/// A dash for nil.
extension Optional: TextValue where Wrapped: TextValue {
    func cell(_ color: TextColor) -> TextTable.Cell { self?.cell(color) ?? .init("–", color) }
}
