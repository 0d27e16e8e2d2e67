/// Batches of records: a run of records of one stream at a time, as long as no other stream has an earlier one, with
/// one load for the header of each. What needs more takes the way that single records take.
extension EventPass {
    /// Why a run of records of one stream ends.
    private enum RunEnd {
        /// The batch is full.
        case full
        /// Another stream has a record that comes before the next one.
        case overtaken
        /// The next record takes the long way.
        case unusual
        /// The next header takes the long way, or is in another packet.
        case unread
    }

    /// Whether records can be decoded after the reader has gone on: no length or tag refers to the packet or the
    /// header.
    var canReadAhead: Bool {
        streams.allSatisfy { $0.trace.classes.allSatisfy { !$0.refersToPacket && !$0.refersToHeader } }
    }

    /// Keeps the pages of records that are on their way to another thread, which would read them from the file again.
    func keepPages(bytes: Int) {
        for stream in streams { stream.keptBytes = bytes }
    }

    /// A batch for records of these streams.
    func makeBatch(capacity: Int) -> RecordBatch { RecordBatch(capacity: capacity, of: streams, layouts: layouts) }

    /// Delivers every event record.
    ///
    /// - Parameters:
    ///   - readsAhead: whether another thread reads while `body` runs.
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

    /// Delivers every event record in a batch by itself, before the next one is found.
    private func runOneByOne(_ body: (RecordBatch) throws -> Void) throws -> ReadSummary {
        let batch = RecordBatch(capacity: 1, of: streams, layouts: layouts, decoder: decoder)
        return try run { record in
            batch.replaceAll(with: record)
            try body(batch)
        }
    }

    /// Refills a batch with the next event records. It is empty at the trace's end.
    func fill(_ batch: RecordBatch) {
        batch.removeAll()
        guard var current = heap.first else { return }
        var heap = heap
        defer { self.heap = heap }
        var rival = heap.rivalKey
        while true {
            let cursor = cursors.baseAddress! + current
            switch takeRun(of: cursor, until: rival, into: batch) {
            case .full:
                return
            case .overtaken:
                current = heap.settleFirst(key: clocks.key(cursor.pointee.clock, clock: cursor.pointee.clockIndex))
                rival = heap.rivalKey
                continue
            case .unusual:
                if batch.isFull { return }
                if let end = findEnd(of: current, cursor) {
                    take(cursor, of: current, into: batch)
                    cursor.pointee.position = end
                }
            case .unread: break
            }
            guard readHeader(of: current, cursor) else {
                heap.removeFirst()
                guard let next = heap.first else { return }
                current = next
                rival = heap.rivalKey
                continue
            }
            let key = clocks.key(cursor.pointee.clock, clock: cursor.pointee.clockIndex)
            if key < rival { continue }
            current = heap.settleFirst(key: key)
            rival = heap.rivalKey
        }
    }

    /// Takes the record at a cursor, whose end has been found, in the long way.
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

    /// Takes a run of records of one stream, from the one at the cursor on. The run ends before a record that another
    /// stream precedes, or that needs more than one load for one of its parts.
    ///
    /// Afterwards the cursor is at the next record, or behind the last one if the next header was not read.
    @inline(__always)
    private func takeRun(
        of cursor: UnsafeMutablePointer<StreamCursor>, until rival: UInt64, into batch: RecordBatch
    ) -> RunEnd {
        guard clocks.countsCycles, let header = cursor.pointee.header, let word = header.pointee.word else {
            return .unusual
        }
        let usual = header.pointee.usual
        let (base, tid) = (cursor.pointee.base, cursor.pointee.tid)
        let (layouts, classTable) = (cursor.pointee.layouts, cursor.pointee.classTable)
        let contentEnd = cursor.pointee.contentEnd >> 3
        let lastHeader = contentEnd &- header.pointee.largestSize >> 3
        var (layout, clock) = (cursor.pointee.layout, cursor.pointee.clock)
        // Bytes from the packet's first: the record's header, and what follows it.
        var (start, position) = (cursor.pointee.headerStart >> 3, cursor.pointee.position >> 3)
        guard cursor.pointee.position & 7 == 0, cursor.pointee.contentEnd & 7 == 0 else { return .unusual }
        var reason = RunEnd.full
        let clockIndex = cursor.pointee.clockIndex
        batch.extend { rows, room in
            var taken = 0
            while true {
                guard taken < room else { break }
                let end = position &+ layout.pointee.length
                guard layout.pointee.length >= 0, end <= contentEnd, end > start else {
                    reason = .unusual
                    break
                }
                let context = base + position
                var thread = tid
                if tid == 0, layout.pointee.tid.isThere {
                    thread = UInt32(truncatingIfNeeded: layout.pointee.tid.load(from: context))
                }
                (rows + taken).initialize(
                    to: RecordBatch.Row(
                        layout, at: clocks.nanoseconds(clock, clock: clockIndex),
                        payload: context + layout.pointee.payloadOffset, tid: thread))
                taken &+= 1
                position = end
                guard end <= lastHeader else {
                    reason = .unread
                    break
                }
                let bits = UInt64(littleEndian: (base + end).loadUnaligned(as: UInt64.self))
                let tag = bits & word.tagMask
                guard tag >= usual.lowest, tag <= usual.highest, tag < UInt64(UInt(bitPattern: classTable.count)),
                    case let index = classTable[Int(truncatingIfNeeded: tag)], index >= 0
                else {
                    reason = .unread
                    break
                }
                let low = (bits &>> word.timeShift) & word.timeMask
                var next = (clock & ~word.timeMask) | low
                if low < clock & word.timeMask { next &+= word.timeMask &+ 1 }
                start = end
                position = end &+ word.bytes
                layout = layouts + Int(index)
                clock = next
                if next >= rival {
                    reason = .overtaken
                    break
                }
            }
            if taken > 0 { count(taken, from: rows[0].nanoseconds, to: rows[taken - 1].nanoseconds) }
            return taken
        }
        cursor.pointee.layout = layout
        cursor.pointee.clock = clock
        cursor.pointee.headerStart = start << 3
        cursor.pointee.position = position << 3
        return reason
    }
}
