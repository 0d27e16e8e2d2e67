import DispatchModel

/// What a column says, for header rows, the documentation and the machine-readable schema.
struct ColumnDescription: Sendable {
    /// Ends in the unit, where it has one.
    let name: String
    /// One sentence.
    let meaning: String
    /// What a field holds.
    let type: TableValueType
    /// Fields may be empty: not known, or not there.
    let isOptional: Bool
}

/// The columns of a table: what they say, and how a row's field is written.
struct TableColumns<Row>: Sendable {
    /// Writes a row's field.
    typealias Writer = @Sendable (Row, inout CSVText) -> Void

    private(set) var descriptions: [ColumnDescription] = []
    /// Parallel to the descriptions.
    private(set) var writers: [Writer] = []

    /// Makes the columns that `body` adds.
    init(_ body: (inout Self) -> Void) { body(&self) }

    /// Adds a column; type, unit and the table that it refers to follow from the type of its values.
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
                name: "process", meaning: "The process; 0 in a trace of one.", type: .index(.processes),
                isOptional: false))
        writers.append { _, text in text.append(Int64(text.process)) }
    }

    /// Adds a column per part of a wait; they sum to the wait.
    mutating func addWaitParts(of whose: String, _ parts: @escaping @Sendable (Row) -> WaitParts?) {
        let meanings = [
            "an earlier item of the same queue ran", "an item of another queue held a shared serial ancestor",
            "readers drained before a writer, or a writer held the concurrent queue",
            "a queue of the hierarchy was suspended or inactive", "the due time of an asyncAfter had not come",
            "nothing held the queue and no worker was free", "a worker was requested and had not started",
            "the rest: a thread was there and had not yet got to run the item",
        ]
        for (position, (part, meaning)) in zip(WaitParts().named, meanings).enumerated() {
            add("\(part.name)_ns", "\(whose): \(meaning).") { parts($0)?.part(position) }
        }
    }
}

extension WaitParts {
    /// The part at this position of ``named``.
    func part(_ position: Int) -> Nanoseconds {
        switch position {
        case 0: ownBacklog
        case 1: hierarchy
        case 2: barrier
        case 3: suspended
        case 4: notDue
        case 5: pool
        case 6: threadStart
        default: scheduler
        }
    }
}
