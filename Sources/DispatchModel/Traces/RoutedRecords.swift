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

extension ModelBuilder {
    /// Processes event records of the process.
    ///
    /// - Parameters:
    ///   - records: the records; see ``handle(_:at:tid:)`` for their times.
    ///   - origin: the origin of the model's time, in nanoseconds since 1970-01-01T00:00:00Z.
    public mutating func handle(_ records: RoutedRecords, since origin: Int64) {
        switch records.source {
        case .rows(let batch, let range):
            _ = handle(batch, range, records.fields, earliest: records.earliest, since: origin)
        case .single(let record):
            _ = handle(record, records.fields, earliest: records.earliest, since: origin)
        }
    }

    /// Processes a single record.
    ///
    /// - Returns: false for a class that is unknown to this version.
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

    /// Processes records of a batch, the form of nearly all events.
    ///
    /// - Returns: the number of records of unknown classes or definitions.
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
                // Decode this record before the next one is requested.
                let sync = DispatchEvent.SyncBegin(record.payload, fields.places(of: known))
                let end = batch.record(next)
                let ending = fields[end.classIndex]
                if ending.pointee.endsCallout, ending.pointee.thread(of: end.payload, else: end.tid) == tid,
                    handleUncontendedSync(
                        sync, tid: tid, until: Timestamp(nanoseconds: max(end.nanoseconds, earliest) - origin))
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
