import DispatchAnalysis
import DispatchModel

/// A table of one process: one file per table, with its columns and their meaning.
///
/// Rows come while the trace is read (``observe(_:_:)``) or at its end (``finish(_:_:)``). A table keeps no rows, so
/// that memory does not grow with the trace.
protocol TraceTable {
    /// What a row is made of.
    associatedtype Row

    /// What a row stands for.
    static var meaning: String { get }
    /// The columns that tell its rows apart; empty when none do.
    static var key: [String] { get }
    /// Columns are added at the end and never renamed.
    static var columns: TableColumns<Row> { get }
    /// The observations that it reads.
    static var followed: ObservationKinds { get }

    init()

    /// Adds the rows that an observation gives. Items come by ``observe(_:_:)-(Item,_)``.
    mutating func observe(_ observation: Observation, _ add: (Row) -> Void)

    /// Adds the row of an item.
    mutating func observe(_ item: Item, _ add: (Row) -> Void)

    /// Adds the rows that are known at the end of the trace.
    func finish(_ analysis: Analysis, _ add: (Row) -> Void)
}

extension TraceTable {
    static var followed: ObservationKinds { [] }
    mutating func observe(_ observation: Observation, _ add: (Row) -> Void) {}
    mutating func observe(_ item: Item, _ add: (Row) -> Void) {}
    func finish(_ analysis: Analysis, _ add: (Row) -> Void) {}

    /// Its columns without the rows' type.
    static var descriptions: [ColumnDescription] { columns.descriptions }
}
