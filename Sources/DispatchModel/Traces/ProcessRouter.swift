import TraceSchema

/// Distinguishes the processes of several traces.
///
/// A trace of the ring buffer, or of LTTng's per-process buffers, belongs to one process, which its metadata identify.
/// In LTTng's per-user buffers, each record identifies its process. Pieces of one trace (a rotated session, several
/// snapshots) have the same UUID, so their processes are the same. The same process id in traces with different UUIDs
/// identifies different processes. Within a trace, an id is reused if the program name changes.
struct ProcessRouter {
    private struct Key: Hashable {
        /// The UUID of the trace, or its position if it has none.
        var trace: [UInt8]
        var pid: UInt32
    }

    private let traces: [DispatchTrace]
    /// By trace: the value that it shares with its other pieces.
    private let identities: [[UInt8]]
    /// The processes, in the order of their first event.
    private(set) var processes: [TracedProcess] = []
    /// By process: the positions of the traces with its events.
    private(set) var tracesOfProcess: [Set<Int>] = []
    private var known: [Key: Int] = [:]
    private var last: (trace: Int, pid: UInt32, process: Int) = (-1, 0, -1)

    init(_ traces: [DispatchTrace]) {
        self.traces = traces
        identities = traces.enumerated().map { index, trace in
            trace.trace.uuid ?? withUnsafeBytes(of: index.littleEndian) { Array($0) }
        }
    }

    /// The process of a record.
    ///
    /// - Parameters:
    ///   - trace: the position of the trace.
    ///   - pid: the process id in the record; 0 for none.
    /// - Returns: the number of the process.
    @inline(__always)
    mutating func process(of trace: Int, pid: UInt32) -> Int {
        if last.trace == trace, last.pid == pid { return last.process }
        return find(trace, pid)
    }

    @inline(never)
    private mutating func find(_ trace: Int, _ named: UInt32) -> Int {
        let key = key(of: trace, named)
        let process = known[key] ?? add(key, from: trace)
        tracesOfProcess[process].insert(trace)
        last = (trace, named, process)
        return process
    }

    /// The key of the process in the trace's metadata, or otherwise of the process in the record.
    private func key(of trace: Int, _ named: UInt32) -> Key {
        let pid = traces[trace].processID
        return Key(trace: identities[trace], pid: pid != 0 ? UInt32(truncatingIfNeeded: pid) : named)
    }

    private mutating func add(_ key: Key, from trace: Int) -> Int {
        let process = processes.count
        known[key] = process
        processes.append(traces[trace].process(numbered: process))
        processes[process].pid = Int(key.pid)
        tracesOfProcess.append([])
        return process
    }

    /// Sets the time of the process's first event.
    mutating func begin(_ process: Int, at time: Int64) { processes[process].begin = time }

    /// Stores the description that a process recorded.
    ///
    /// - Parameters:
    ///   - process: the number of the process of the record.
    ///   - state: the description.
    ///   - trace: the position of the trace.
    ///   - pid: the process id.
    /// - Returns: the number of the process of the record: a new one if another program has this id now.
    mutating func describe(_ process: Int, as state: DispatchEvent.ProcessState, in trace: Int, pid: UInt32) -> Int {
        var process = process
        let name = processes[process].name
        if !name.isEmpty, !state.name.isEmpty, name != state.name {
            process = add(key(of: trace, pid), from: trace)
            tracesOfProcess[process].insert(trace)
            last = (trace, pid, process)
        }
        processes[process].name = state.name
        processes[process].processors = UsableProcessors(state)
        processes[process].schema = SchemaVersion(major: Int(state.schemaMajor), minor: Int(state.schemaMinor))
        return process
    }
}
