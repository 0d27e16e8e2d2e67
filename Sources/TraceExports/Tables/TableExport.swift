import DispatchAnalysis
import DispatchModel

/// Writes the tables of a trace as comma-separated values while the trace is read.
///
/// Memory grows with queues, threads, code and findings, not with events.
public final class TableExport: TraceExport {
    public static let purpose = "for tables"
    public static let manual = """
        all tables of the trace in a new directory, for DuckDB, Spark or pandas: processes, queues, threads, code, \
        locks, items, waits, blocked_waits, handoffs, tasks, findings and still_waiting (what the program waited for \
        when the trace ended). datapackage.json describes the names, types, units and meaning of the columns, and \
        load.sql loads the tables into DuckDB. --table writes a single table to a file or to standard output:

          queuescope export trace --format csv -o tables
          queuescope export trace --format csv --table queues -o queues.csv

        The tables have all processes of the trace, or only the process selected with --process. Tools/fleet uses \
        them to read many traces.
        """
    public static let hasAllProcesses = true

    private let files: [TableFile]
    private var processes: [Int: ProcessTables] = [:]

    /// - Parameters:
    ///   - tables: the tables to write.
    ///   - sink: takes the next bytes of a table, its header first.
    public init(_ tables: [TableName], to sink: @escaping (TableName, [UInt8]) throws -> Void) {
        files = tables.map { name in TableFile(name) { try sink(name, $0) } }
    }

    public func observer(of process: Int) -> any ModelObserver & AnyObject {
        let tables = ProcessTables(files, process: process)
        processes[process] = tables
        return tables
    }

    /// Adds the rows that are complete after the analysis of a process. ``end()`` throws failures of this call.
    public func finish(_ analysis: Analysis, of process: Int) { processes[process]?.finish(analysis) }

    public func end() throws {
        for file in files { try file.end() }
    }
}

/// The text of one table with the rows of all processes.
private final class TableFile {
    private static let bufferSize = 1 << 16

    let name: TableName
    private var text = CSVText()
    private let sink: ([UInt8]) throws -> Void
    private var failure: (any Error)?

    init(_ name: TableName, _ sink: @escaping ([UInt8]) throws -> Void) {
        self.name = name
        self.sink = sink
        for column in name.table.descriptions { text.append(number: column.name) }
        text.endRow()
    }

    @inline(__always)
    func add<Row>(_ row: Row, _ writers: [TableColumns<Row>.Writer], process: Int) {
        guard failure == nil else { return }
        if Self.write(row, writers, process: process, to: &text) >= Self.bufferSize { flush() }
    }

    /// Writes one row. A function of its own, so that exclusive access to the text is checked once per row and not per
    /// field.
    ///
    /// - Returns: the number of bytes in the text.
    @inline(__always)
    private static func write<Row>(
        _ row: Row, _ writers: [TableColumns<Row>.Writer], process: Int, to text: inout CSVText
    ) -> Int {
        text.process = process
        for writer in writers { writer(row, &text) }
        text.endRow()
        return text.count
    }

    private func flush() {
        do { try sink(text.take()) } catch { failure = error }
    }

    func end() throws {
        if failure == nil { flush() }
        if let failure { throw failure }
    }
}

/// The tables of one process.
private final class ProcessTables: ModelObserver {
    private let tables: [ProcessTable]
    private let itemTables: [ProcessTable]
    let followed: ObservationKinds

    init(_ files: [TableFile], process: Int) {
        func open<Table: TraceTable>(_ type: Table.Type, _ file: TableFile) -> ProcessTable {
            ProcessTableOf<Table>(file, process: process)
        }
        tables = files.map { open($0.name.table, $0) }
        itemTables = tables.filter { $0.followed.contains(.items) }
        followed = tables.reduce([]) { $0.union($1.followed) }
    }

    func observe(_ observation: Observation, in model: DispatchModel) {
        if case .item(let item) = observation { return observe(item, in: model) }
        for table in tables where table.followed.contains(observation.kind) { table.observe(observation) }
    }

    func observe(_ item: Item, in model: DispatchModel) {
        for table in itemTables { table.observe(item) }
    }

    func finish(_ analysis: Analysis) {
        for table in tables { table.finish(analysis) }
    }
}

/// One table of one process.
private class ProcessTable {
    let followed: ObservationKinds

    init(followed: ObservationKinds) { self.followed = followed }

    func observe(_ observation: Observation) {}
    func observe(_ item: Item) {}
    func finish(_ analysis: Analysis) {}
}

private final class ProcessTableOf<Table: TraceTable>: ProcessTable {
    private var table = Table()
    private let writers = Table.columns.writers
    private let file: TableFile
    private let process: Int

    init(_ file: TableFile, process: Int) {
        self.file = file
        self.process = process
        super.init(followed: Table.followed)
    }

    override func observe(_ observation: Observation) {
        table.observe(observation) { file.add($0, writers, process: process) }
    }

    override func observe(_ item: Item) {
        table.observe(item) { file.add($0, writers, process: process) }
    }

    override func finish(_ analysis: Analysis) {
        table.finish(analysis) { file.add($0, writers, process: process) }
    }
}
