import CTFReader

/// Event records of one process that follow each other, all of classes of the catalogue. They are valid during the call
/// that hands them over.
public struct RoutedRecords {
    enum Source {
        /// So many of a batch.
        case rows(RecordBatch, Range<Int>)
        case single(EventRecord)
    }

    let source: Source
    let fields: FieldTables
    /// What comes before this, in nanoseconds since 1970-01-01T00:00:00Z, counts as happening then.
    let earliest: Int64
    /// The number of their process.
    public let process: Int
    /// When the first one counts as happening, in nanoseconds since 1970-01-01T00:00:00Z.
    public let time: Int64

    /// How many there are.
    public var count: Int {
        switch source {
        case .rows(_, let range): range.count
        case .single: 1
        }
    }

    /// When the last one counts as happening, in nanoseconds since 1970-01-01T00:00:00Z.
    public var lastTime: Int64 {
        switch source {
        case .rows(let batch, let range): max(batch.record(range.upperBound - 1).nanoseconds, earliest)
        case .single: time
        }
    }

    /// Calls `body` with what happened, when, and the thread; 0 for definitions.
    public func forEach(_ body: (DispatchEvent, Int64, UInt32) throws -> Void) rethrows {
        func tell(_ classIndex: Int, _ payload: EventPayload, at time: Int64, tid: UInt32) throws {
            let known = fields[classIndex]
            let event = DispatchEvent(id: known.pointee.id, payload: payload, fields: fields.places(of: known))
            guard let event else { return }
            try body(event, max(time, earliest), known.pointee.thread(of: payload, else: tid))
        }
        switch source {
        case .single(let record):
            try tell(record.classIndex, record.payload, at: record.nanoseconds, tid: record.packetTID)
        case .rows(let batch, let range):
            for position in range {
                let record = batch.record(position)
                try tell(record.classIndex, record.payload, at: record.nanoseconds, tid: record.tid)
            }
        }
    }
}

extension ModelBuilder {
    /// Takes in event records of the process.
    ///
    /// - Parameters:
    ///   - records: what happened; see ``handle(_:at:tid:)`` for their times.
    ///   - origin: where the model's time begins, in nanoseconds since 1970-01-01T00:00:00Z.
    public mutating func handle(_ records: RoutedRecords, since origin: Int64) {
        switch records.source {
        case .rows(let batch, let range):
            _ = handle(batch, range, records.fields, earliest: records.earliest, since: origin)
        case .single(let record):
            _ = handle(record, records.fields, earliest: records.earliest, since: origin)
        }
    }

    /// Takes in a record by itself.
    ///
    /// - Returns: false for one of a class that this version does not know.
    mutating func handle(
        _ record: EventRecord, _ fields: FieldTables, earliest: Int64 = .min, since origin: Int64
    ) -> Bool {
        let known = fields[record.classIndex]
        guard known.pointee.id != 0 else { return false }
        advance(to: Timestamp(nanoseconds: max(record.nanoseconds, earliest) - origin))
        DispatchEvent.decode(
            id: known.pointee.id, record.payload, fields: fields.places(of: known), into: &self,
            tid: known.pointee.thread(of: record.payload, else: record.packetTID))
        return true
    }

    /// Takes in records of a batch, in which nearly all events come.
    ///
    /// - Returns: how many were of classes, or definitions, that this version does not know.
    mutating func handle(
        _ batch: RecordBatch, _ range: Range<Int>, _ fields: FieldTables, earliest: Int64 = .min, since origin: Int64
    ) -> Int {
        model.pipeline?.reader = batch.pipeline
        var unknown = 0
        var next = range.lowerBound
        while next < range.upperBound {
            let record = batch.record(next)
            next += 1
            let known = fields[record.classIndex]
            guard known.pointee.id != 0 else {
                unknown += 1
                continue
            }
            let tid = known.pointee.thread(of: record.payload, else: record.tid)
            advance(to: Timestamp(nanoseconds: max(record.nanoseconds, earliest) - origin))
            if known.pointee.beginsSync, next < range.upperBound {
                // Read before the next record is asked for.
                let sync = DispatchEvent.SyncBegin(record.payload, fields.places(of: known))
                let end = batch.record(next)
                let ending = fields[end.classIndex]
                if ending.pointee.endsCallout, ending.pointee.thread(of: end.payload, else: end.tid) == tid,
                    pass(sync, tid: tid, until: Timestamp(nanoseconds: max(end.nanoseconds, earliest) - origin))
                {
                    next += 1
                } else {
                    handle(sync, tid: tid)
                }
                continue
            }
            DispatchEvent.decode(
                id: known.pointee.id, record.payload, fields: fields.places(of: known), into: &self, tid: tid)
        }
        return unknown
    }
}
