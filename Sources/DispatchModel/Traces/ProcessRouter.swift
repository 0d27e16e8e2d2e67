import TraceSchema

/// Tells the processes of several traces apart.
///
/// A trace of the ring buffer, or of LTTng's buffers per process, is of one process, which its metadata name. In
/// LTTng's buffers per user each record names its process. Pieces of one trace (a rotated session, several snapshots)
/// have one identity, so their processes are the same; the same number in traces of different identity is a process
/// each. Within a trace a number is another process when the program that it says to be is another one.
struct ProcessRouter {
    private struct Key: Hashable {
        /// The trace's identity, or its own place where it has none.
        var trace: [UInt8]
        var pid: UInt32
    }

    private let traces: [DispatchTrace]
    /// What each trace has in common with its other pieces.
    private let identities: [[UInt8]]
    /// The processes, in the order of their first event.
    private(set) var processes: [TracedProcess] = []
    /// Per process: the places of the traces with its events.
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
    ///   - trace: the trace's place.
    ///   - pid: the process that the record names; 0 when it names none.
    /// - Returns: its number.
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

    /// The process of a trace's own metadata; where they name none, the one that the record names.
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

    /// The process's first event was recorded at this time.
    mutating func begin(_ process: Int, at time: Int64) { processes[process].begin = time }

    /// Takes in what a process says of itself.
    ///
    /// - Parameters:
    ///   - process: the process that the record is of, by its number.
    ///   - state: what it says.
    ///   - trace: the trace's place.
    ///   - pid: the process's number.
    /// - Returns: the process that the record is of; a new one when another program has the number now.
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
