import DispatchAnalysis
import DispatchModel

/// A table of one process. One type per table defines its columns and their meaning.
///
/// Rows are added while the trace is read (``observe(_:_:)``) or at its end (``finish(_:_:)``). A table stores no rows,
/// so that memory does not grow with the trace.
protocol TraceTable {
    /// The values that a row is written from.
    associatedtype Row

    /// The meaning of a row.
    static var meaning: String { get }
    /// The columns that identify a row; empty when no columns do.
    static var key: [String] { get }
    /// Columns are added at the end and never renamed.
    static var columns: TableColumns<Row> { get }
    /// The observations that the table reads.
    static var followed: ObservationKinds { get }

    init()

    /// Adds the rows of an observation. Items are passed to ``observe(_:_:)-(Item,_)``.
    mutating func observe(_ observation: Observation, _ add: (Row) -> Void)

    /// Adds the row of an item.
    mutating func observe(_ item: Item, _ add: (Row) -> Void)

    /// Adds the rows that are complete at the end of the trace.
    func finish(_ analysis: Analysis, _ add: (Row) -> Void)
}

extension TraceTable {
    static var followed: ObservationKinds { [] }
    mutating func observe(_ observation: Observation, _ add: (Row) -> Void) {}
    mutating func observe(_ item: Item, _ add: (Row) -> Void) {}
    func finish(_ analysis: Analysis, _ add: (Row) -> Void) {}

    /// The descriptions of the columns, without the type of the rows.
    static var descriptions: [ColumnDescription] { columns.descriptions }
}
