/// The tables of a trace.
public enum TableName: String, CaseIterable, Sendable {
    case processes, queues, threads, code, locks, items, waits
    case blockedWaits = "blocked_waits"
    case handoffs, tasks, findings
    case stillWaiting = "still_waiting"

    /// The type that defines the columns and rows of the table.
    var table: any TraceTable.Type {
        switch self {
        case .processes: ProcessesTable.self
        case .queues: QueuesTable.self
        case .threads: ThreadsTable.self
        case .code: CodeTable.self
        case .locks: LocksTable.self
        case .items: ItemsTable.self
        case .waits: WaitsTable.self
        case .blockedWaits: BlockedWaitsTable.self
        case .handoffs: HandoffsTable.self
        case .tasks: TasksTable.self
        case .findings: FindingsTable.self
        case .stillWaiting: StillWaitingTable.self
        }
    }

    /// The file in a directory of tables.
    public var fileName: String { rawValue + ".csv" }
}
