/// Fills batches with runs of records of one stream, while no other stream has an earlier record. A run needs one load
/// for the header of each record. Other records take the slow path.
extension EventPass {
    /// Whether records can be decoded after the reader has moved on. This is not possible when lengths or tags refer to
    /// the packet or the event header.
    var canReadAhead: Bool {
        streams.allSatisfy { $0.trace.classes.allSatisfy { !$0.refersToPacket && !$0.refersToHeader } }
    }

    /// Keeps the pages of records that another thread decodes later. Otherwise that thread would read them from the
    /// file again.
    func keepPages(bytes: Int) {
        for stream in streams { stream.keptBytes = bytes }
    }

    /// Creates a batch for records of these streams.
    func makeBatch(capacity: Int) -> RecordBatch { RecordBatch(capacity: capacity, of: streams, layouts: layouts) }

    /// Delivers all event records.
    ///
    /// - Parameters:
    ///   - readsAhead: whether other threads may read while `body` runs.
    ///   - body: called with batches.
    func runInBatches(readsAhead: Bool, _ body: (RecordBatch) throws -> Void) throws -> ReadSummary {
        guard canReadAhead else { return try runOneByOne(body) }
        if readsAhead { return try RecordPipeline(self).run(body) }
        let batch = makeBatch(capacity: 1024)
        while true {
            fill(batch)
            if batch.count == 0 { return finish() }
            try body(batch)
        }
    }

    /// Delivers all event records in batches of one record.
    private func runOneByOne(_ body: (RecordBatch) throws -> Void) throws -> ReadSummary {
        let batch = RecordBatch(capacity: 1, of: streams, layouts: layouts, decoder: decoder)
        return try run { record in
            batch.replaceAll(with: record)
            try body(batch)
        }
    }

    /// Refills a batch with the next event records. The batch is empty at the end of the trace.
    func fill(_ batch: RecordBatch) {
        batch.removeAll()
        guard var current = heap.first else { return }
        var heap = heap
        defer { self.heap = heap }
        var rival = heap.rivalKey
        while true {
            let cursor = cursors.baseAddress! + current
            switch takeRun(of: cursor, until: rival, into: batch) {
            case .refused:
                return
            case .overtaken:
                current = heap.updateFirst(key: clocks.key(cursor.pointee.clock, clock: cursor.pointee.clockIndex))
                rival = heap.rivalKey
                continue
            case .needsSlowPath:
                if batch.isFull { return }
                if let end = decoder.findEnd(of: cursor) {
                    take(cursor, of: current, into: batch)
                    cursor.pointee.position = end
                }
            case .headerNotRead: break
            }
            guard moveToNext(cursor, &current, &rival, &heap) else { return }
        }
    }

    /// Slow path: appends the record at a cursor, after its end was found.
    private func take(_ cursor: UnsafeMutablePointer<StreamCursor>, of stream: Int, into batch: RecordBatch) {
        var record = EventRecord(of: cursor.pointee, decoder)
        record.take(cursor, cursor.pointee.layout)
        record.nanoseconds = clocks.nanoseconds(cursor.pointee.clock, clock: cursor.pointee.clockIndex)
        record.payload.start = cursor.pointee.base + (decoder.payloadStart >> 3)
        batch.append(record, at: cursor.pointee, of: stream)
        count(1, from: record.nanoseconds, to: record.nanoseconds)
    }

    private func count(_ events: Int, from first: Int64, to last: Int64) {
        if summary.events == 0 { summary.firstNanoseconds = first }
        summary.events += events
        summary.lastNanoseconds = last
    }

    /// Appends a run of records of one stream, from the record at the cursor on. The run ends before a record that
    /// comes after a record of another stream, or that needs the slow path.
    @inline(__always)
    private func takeRun(
        of cursor: UnsafeMutablePointer<StreamCursor>, until rival: UInt64, into batch: RecordBatch
    ) -> StreamCursor.RunEnd {
        guard clocks.countsCycles else { return .needsSlowPath }
        let (base, tid, clockIndex) = (cursor.pointee.base, cursor.pointee.tid, cursor.pointee.clockIndex)
        var reason = StreamCursor.RunEnd.refused
        batch.extend { rows, room in
            var taken = 0
            reason = cursor.pointee.run(until: rival) { record in
                guard taken < room else { return false }
                let context = base + record.context
                var thread = tid
                if tid == 0, record.layout.pointee.tid.isThere {
                    thread = UInt32(truncatingIfNeeded: record.layout.pointee.tid.load(from: context))
                }
                (rows + taken).initialize(
                    to: RecordBatch.Row(
                        record.layout, at: clocks.nanoseconds(record.clock, clock: clockIndex),
                        payload: context + record.layout.pointee.payloadOffset, tid: thread))
                taken &+= 1
                return true
            }
            if taken > 0 { count(taken, from: rows[0].nanoseconds, to: rows[taken - 1].nanoseconds) }
            return taken
        }
        return reason
    }
}
