import DispatchModel

/// The type of a field of a table.
enum TableValueType: Sendable, Hashable {
    case integer, number, text, boolean
    /// A time in nanoseconds since the first event record of the process.
    case instant
    /// A duration in nanoseconds.
    case duration
    /// The key of a row of this table, in the same process.
    case index(TableName)
}

/// A value that can be a field of a table. The types of the model define the unit and the referenced table.
protocol TableValue: SendableMetatype {
    static var tableType: TableValueType { get }
    static var isOptional: Bool { get }
    func write(to text: inout CSVText)
}

extension TableValue {
    static var isOptional: Bool { false }
}

extension Optional: TableValue where Wrapped: TableValue {
    static var tableType: TableValueType { Wrapped.tableType }
    static var isOptional: Bool { true }
    func write(to text: inout CSVText) {
        if let self { self.write(to: &text) } else { text.appendEmpty() }
    }
}

extension Int: TableValue {
    static var tableType: TableValueType { .integer }
    func write(to text: inout CSVText) { text.append(Int64(self)) }
}

extension Double: TableValue {
    static var tableType: TableValueType { .number }
    func write(to text: inout CSVText) { if isFinite { text.append(number: "\(self)") } else { text.appendEmpty() } }
}

extension Bool: TableValue {
    static var tableType: TableValueType { .boolean }
    func write(to text: inout CSVText) { text.append(number: self ? "true" : "false") }
}

extension String: TableValue {
    static var tableType: TableValueType { .text }
    func write(to text: inout CSVText) { text.append(self) }
}

extension Timestamp: TableValue {
    static var tableType: TableValueType { .instant }
    func write(to text: inout CSVText) { text.append(nanoseconds) }
}

extension Nanoseconds: TableValue {
    static var tableType: TableValueType { .duration }
    func write(to text: inout CSVText) { text.append(count) }
}

extension QueueIndex: TableValue {
    static var tableType: TableValueType { .index(.queues) }
    func write(to text: inout CSVText) { text.append(Int64(rawValue)) }
}

extension ThreadIndex: TableValue {
    static var tableType: TableValueType { .index(.threads) }
    func write(to text: inout CSVText) { text.append(Int64(rawValue)) }
}

extension CodeIndex: TableValue {
    static var tableType: TableValueType { .index(.code) }
    func write(to text: inout CSVText) { text.append(Int64(rawValue)) }
}

extension LockIndex: TableValue {
    static var tableType: TableValueType { .index(.locks) }
    func write(to text: inout CSVText) { text.append(Int64(rawValue)) }
}

extension ItemNumber: TableValue {
    static var tableType: TableValueType { .index(.items) }
    func write(to text: inout CSVText) { text.append(rawValue) }
}
