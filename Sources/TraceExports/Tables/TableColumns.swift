import DispatchModel

/// The description of a column, for header rows, the documentation and the machine-readable schema.
struct ColumnDescription: Sendable {
    /// The name, which ends with the unit if there is one.
    let name: String
    /// The meaning in one sentence.
    let meaning: String
    /// The type of the values.
    let type: TableValueType
    /// True when a field can be empty: unknown or absent.
    let isOptional: Bool
}

/// The columns of a table: their descriptions, and the functions that write the fields of a row.
struct TableColumns<Row>: Sendable {
    /// Writes a field of a row.
    typealias Writer = @Sendable (Row, inout CSVText) -> Void

    private(set) var descriptions: [ColumnDescription] = []
    /// Parallel to `descriptions`.
    private(set) var writers: [Writer] = []

    /// Creates the columns that `body` adds.
    init(_ body: (inout Self) -> Void) { body(&self) }

    /// Adds a column. Its type, unit and referenced table follow from the type of its values.
    @inline(__always)
    mutating func add<Value: TableValue>(
        _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Value
    ) {
        descriptions.append(
            ColumnDescription(name: name, meaning: meaning, type: Value.tableType, isOptional: Value.isOptional))
        writers.append { row, text in value(row).write(to: &text) }
    }

    /// Adds the column with the number of the process.
    mutating func addProcess() {
        descriptions.append(
            ColumnDescription(
                name: "process", meaning: "The process; 0 in a trace with one process.", type: .index(.processes),
                isOptional: false))
        writers.append { _, text in text.append(Int64(text.process)) }
    }

    /// Adds a column per part of a wait. The parts sum to the wait.
    mutating func addWaitParts(of whose: String, _ parts: @escaping @Sendable (Row) -> WaitParts?) {
        for part in WaitPart.allCases { add("\(part.name)_ns", "\(whose): \(part.meaning).") { parts($0)?[part] } }
    }
}
