import CTFReader

/// Consecutive event records of one process, all of classes of the catalogue. They are valid during the call that
/// passes them.
public struct RoutedRecords {
    enum Source {
        /// A range of records of a batch.
        case rows(RecordBatch, Range<Int>)
        case single(EventRecord)
    }

    let source: Source
    let fields: FieldTables
    /// Records before this time, in nanoseconds since 1970-01-01T00:00:00Z, are moved to this time.
    let earliest: Int64
    /// The number of the process.
    public let process: Int
    /// The effective time of the first record, in nanoseconds since 1970-01-01T00:00:00Z.
    public let time: Int64

    /// Number of records.
    public var count: Int {
        switch source {
        case .rows(_, let range): range.count
        case .single: 1
        }
    }

    /// The effective time of the last record, in nanoseconds since 1970-01-01T00:00:00Z.
    public var lastTime: Int64 {
        switch source {
        case .rows(let batch, let range): max(batch.record(range.upperBound - 1).nanoseconds, earliest)
        case .single: time
        }
    }

    /// Calls `body` with each event, its effective time and its thread, which is 0 for definitions.
    public func forEach(_ body: (DispatchEvent, Int64, UInt32) throws -> Void) rethrows {
        func deliver(_ classIndex: Int, _ payload: EventPayload, at time: Int64, tid: UInt32) throws {
            let known = fields[classIndex]
            let event = DispatchEvent(id: known.pointee.id, payload: payload, fields: fields.places(of: known))
            guard let event else { return }
            try body(event, max(time, earliest), known.pointee.thread(of: payload, else: tid))
        }
        switch source {
        case .single(let record):
            try deliver(record.classIndex, record.payload, at: record.nanoseconds, tid: record.packetTID)
        case .rows(let batch, let range):
            for position in range {
                let record = batch.record(position)
                try deliver(record.classIndex, record.payload, at: record.nanoseconds, tid: record.tid)
            }
        }
    }
}
