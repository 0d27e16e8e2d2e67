import CTFReader

/// The process of each record, and the number of ignored records, while traces are read.
struct RecordRouting {
    private(set) var router: ProcessRouter
    /// By trace: the number of records of unknown classes (`unknown`), and of records before the trace is complete
    /// (`ignored`).
    private(set) var unknown: [Int]
    private(set) var ignored: [Int]
    private var begun = 0
    private var begins: [Int64] = []
    private var threads: ThreadOwners
    private let traceBegins: [Int64]
    private let wholeSince: [Int64]

    init(_ collection: TraceCollection, begins: [Int64]) {
        router = ProcessRouter(collection.traces)
        unknown = Array(repeating: 0, count: collection.traces.count)
        ignored = unknown
        threads = ThreadOwners(kernels: collection.kernels.map(\.host), traces: collection.traces.map(\.host))
        traceBegins = begins
        wholeSince = collection.wholeSince
    }

    mutating func forgetCounts() {
        for index in unknown.indices { (unknown[index], ignored[index]) = (0, 0) }
    }

    /// The process of a thread in a kernel trace; nil before the process's first event.
    func process(of tid: UInt32, kernel: Int, _ record: EventRecord) -> Int? {
        guard let process = threads.owner(of: tid, kernel: kernel), record.nanoseconds >= begins[process]
        else { return nil }
        return process
    }

    /// The process of a record, with the record; nil for a record that is ignored.
    mutating func route(
        _ record: EventRecord, of index: Int, _ fields: FieldTables, _ begin: (TracedProcess) throws -> Void
    ) rethrows -> RoutedRecords? {
        let known = fields[record.classIndex]
        let pid = known.pointee.process(of: record.payload, else: record.processID)
        let process = try process(
            of: pid, record.payload, known, at: record.nanoseconds, trace: index, fields, begin)
        guard let process else { return nil }
        threads.add(known.pointee.thread(of: record.payload, else: record.packetTID), of: process, trace: index)
        return RoutedRecords(
            source: .single(record), fields: fields, earliest: wholeSince[index], process: process,
            time: max(record.nanoseconds, wholeSince[index]))
    }

    /// The consecutive records of one process in a batch of the first trace, from a position on; nil if the first
    /// record is ignored. Advances `position` past the returned records. Only for collections without a kernel trace.
    mutating func route(
        _ batch: RecordBatch, from position: inout Int, _ fields: FieldTables,
        _ begin: (TracedProcess) throws -> Void
    ) rethrows -> RoutedRecords? {
        let (first, head) = (position, batch.record(position))
        let known = fields[head.classIndex]
        let pid = known.pointee.process(of: head.payload, else: 0)
        position += 1
        let process = try process(of: pid, head.payload, known, at: head.nanoseconds, trace: 0, fields, begin)
        guard let process else { return nil }
        // Stop at a description of the process, because it can reveal that the id was reused.
        while !known.pointee.describesProcess, position < batch.count {
            let record = batch.record(position)
            let next = fields[record.classIndex]
            guard next.pointee.id != 0, !next.pointee.describesProcess, record.nanoseconds >= wholeSince[0],
                next.pointee.process(of: record.payload, else: 0) == pid
            else { break }
            position += 1
        }
        return RoutedRecords(
            source: .rows(batch, first..<position), fields: fields, earliest: wholeSince[0], process: process,
            time: max(head.nanoseconds, wholeSince[0]))
    }

    /// The process of a record, which begins if it is new; nil for a record that is ignored.
    private mutating func process(
        of pid: UInt32, _ payload: EventPayload, _ known: UnsafePointer<RecordFields>, at nanoseconds: Int64,
        trace index: Int, _ fields: FieldTables, _ begin: (TracedProcess) throws -> Void
    ) rethrows -> Int? {
        let time = max(nanoseconds, wholeSince[index])
        guard time == nanoseconds || known.pointee.isDefinition else {
            ignored[index] += 1
            return nil
        }
        guard known.pointee.id != 0 else {
            unknown[index] += 1
            return nil
        }
        var process = router.process(of: index, pid: pid)
        if known.pointee.describesProcess,
            case .processState(let state)? = DispatchEvent(
                id: known.pointee.id, payload: payload, fields: fields.places(of: known))
        {
            process = router.describe(process, as: state, in: index, pid: pid)
        }
        if process == begun {
            begun += 1
            begins.append(min(time, traceBegins.isEmpty ? time : traceBegins[index]))
            router.begin(process, at: begins[process])
            try begin(router.processes[process])
        }
        return process
    }
}
