/// One pass over all event records of a trace, in the order of time. It can pause before any record, so that the passes
/// over several traces can take turns.
///
/// Not safe to use from two threads at once.
final class EventPass {
    private let streams: [DataStream]
    private let cursors: UnsafeMutableBufferPointer<StreamCursor>
    private let decoder: RecordDecoder
    private let layouts: UnsafePointer<RecordLayout>
    private let clocks: PassClocks
    private var heap: StreamHeap
    private var meter: ProgressMeter
    private var summary = ReadSummary()
    /// What was counted in a window that is over.
    private var counted: ReadSummary?
    /// The time of the next record; nil at the trace's end.
    private(set) var nextTime: Int64?

    /// Progress is reported when it has grown by this share.
    private static let progressStep = 0.005

    /// A stream at its first record.
    private struct OpenedStream {
        var stream: DataStream
        var cursor: StreamCursor
        var hasRecords: Bool

        init(_ file: MappedFile, _ trace: TracePlan, _ ledger: PacketLedger?, _ excerpt: StreamExcerpt) {
            stream = DataStream(file, trace, ledger: ledger, excerpt: excerpt)
            cursor = StreamCursor(base: file.bytes, layouts: trace.layouts)
            hasRecords = stream.advance(&cursor)
        }

        /// What decides between records of equal time.
        var rank: (UInt64, UInt64, String) { (stream.plan?.id ?? 0, stream.instanceID ?? 0, stream.file.name) }
    }

    /// Opens the streams.
    ///
    /// - Parameters:
    ///   - trace: how the packets are decoded.
    ///   - files: the data stream files.
    ///   - agreement: for clocks of the trace, those that agree with other traces' and give the records their time.
    ///   - ledger: what other pieces of the trace have of it; nil when there are none.
    ///   - order: what decides between records.
    ///   - window: the part of the trace that is wanted; nil for all of it.
    ///   - progress: called now and then with the share of bytes read.
    init(
        trace: TracePlan, files: [MappedFile], agreement: [ClockClass: ClockClass] = [:],
        ledger: PacketLedger? = nil, order: EventOrder, window: WindowPlan? = nil,
        progress: ((Double) -> Void)?
    ) {
        let excerpts =
            window.map { WindowExcerpts(trace, $0, agreement: agreement, ledger: ledger).excerpts(of: files) }
            ?? files.map { StreamExcerpt(packets: 0..<$0.count) }
        let opened = zip(files, excerpts).map { OpenedStream($0, trace, ledger, $1) }.sorted { $0.rank < $1.rank }
        streams = opened.map(\.stream)
        cursors = .allocate(capacity: max(opened.count, 1))
        // A decoder stands at some cursor, also where there is no stream.
        let nowhere = UnsafeRawPointer(trace.layouts)
        cursors.initializeElement(at: 0, to: StreamCursor(base: nowhere, layouts: trace.layouts))
        heap = StreamHeap(capacity: streams.count)
        let (clocks, clockIndices) = PassClocks.collect(streams, agreement: agreement, order: order)
        self.clocks = clocks
        for (index, entry) in opened.enumerated() {
            cursors.initializeElement(at: index, to: entry.cursor)
            cursors[index].clockIndex = clockIndices[index]
            if entry.hasRecords {
                heap.insert(index, key: clocks.key(entry.cursor.clock, clock: clockIndices[index]))
            }
        }
        decoder = RecordDecoder(streams, cursors)
        layouts = trace.layouts
        meter = ProgressMeter(
            bytes: excerpts.reduce(0) { $0 + $1.packets.count }, step: Self.progressStep, report: progress)
        nextTime = heap.first.map { clocks.time(cursors[$0].clock, clock: cursors[$0].clockIndex) }
    }

    deinit {
        heap.deallocate()
        cursors.deallocate()
        clocks.deallocate()
    }

    /// Delivers every event record to `body`.
    func run(_ body: (EventRecord) throws -> Void) throws -> ReadSummary {
        try resume(through: .max, body)
        return finish()
    }

    /// Delivers the event records up to a time; afterwards ``nextTime`` is later, or nil.
    ///
    /// - Parameters:
    ///   - limit: the time, in nanoseconds from the clock's origin.
    ///   - body: called with every record.
    /// - Throws: what `body` throws; the pass cannot go on then.
    func resume(through limit: Int64, _ body: (EventRecord) throws -> Void) throws {
        guard var current = heap.first else { return }
        let clocks = clocks
        var heap = heap
        let decoder = decoder
        var record = EventRecord(of: cursors[current], decoder)
        var events = summary.events
        var last = summary.lastNanoseconds ?? 0
        nextTime = nil
        // Records of one thread come in runs: until another stream has an earlier one, the heap stays as it is.
        var rival = heap.rivalKey
        while true {
            let cursor = cursors.baseAddress! + current
            record.nanoseconds = clocks.nanoseconds(cursor.pointee.clock, clock: cursor.pointee.clockIndex)
            let time =
                clocks.showsTime
                ? clocks.time(cursor.pointee.clock, clock: cursor.pointee.clockIndex) : record.nanoseconds
            guard time <= limit else {
                nextTime = time
                break
            }
            if let end = findEnd(of: current, cursor) {
                record.streamIndex = current
                record.payload = cursor.pointee.base + (decoder.payloadStart >> 3)
                record.take(cursor, cursor.pointee.layout)
                if events == 0 { summary.firstNanoseconds = record.nanoseconds }
                last = record.nanoseconds
                events &+= 1
                try body(record)
                cursor.pointee.position = end
            }
            guard readHeader(of: current, cursor) else {
                heap.removeFirst()
                guard let next = heap.first else { break }
                current = next
                rival = heap.rivalKey
                continue
            }
            let key = clocks.key(cursor.pointee.clock, clock: cursor.pointee.clockIndex)
            if key < rival { continue }
            current = heap.settleFirst(key: key)
            rival = heap.rivalKey
        }
        summary.events = events
        if events > 0 { summary.lastNanoseconds = last }
        self.heap = heap
    }

    /// Finds the end of the record at a cursor.
    ///
    /// - Returns: the first bit after it; nil when it is damaged, and has been skipped.
    @inline(__always)
    private func findEnd(of stream: Int, _ cursor: UnsafeMutablePointer<StreamCursor>) -> Int? {
        let layout = cursor.pointee.layout
        var end = layout.pointee.payloadStart(after: cursor.pointee.position)
        if layout.pointee.payloadSize >= 0 {
            decoder.begin(cursor, payloadStart: end)
            end &+= layout.pointee.payloadSize
            guard end <= cursor.pointee.contentEnd else {
                streams[stream].skipDamage(.endOfContent, at: cursor.pointee.headerStart, &cursor.pointee)
                return nil
            }
        } else {
            do throws(FieldWalker.Problem) {
                end = try decoder.measure(cursor)
            } catch {
                streams[stream].skipDamage(error, at: cursor.pointee.headerStart, &cursor.pointee)
                return nil
            }
        }
        guard end != cursor.pointee.headerStart else {
            streams[stream].skipEmptyRecord(&cursor.pointee)
            return nil
        }
        return end
    }

    /// Reads the next record's header.
    ///
    /// - Returns: false at the end of the stream.
    @inline(__always)
    private func readHeader(of stream: Int, _ cursor: UnsafeMutablePointer<StreamCursor>) -> Bool {
        let before = cursor.pointee.clock
        if !cursor.pointee.advance() {
            let packet = streams[stream].packetStart
            let isAlive = streams[stream].advance(&cursor.pointee)
            meter.advance(by: (isAlive ? streams[stream].packetStart : streams[stream].file.count) - packet)
            guard isAlive else { return false }
        }
        if cursor.pointee.clock < before { streams[stream].noteClock(cursor.pointee, before: before) }
        return true
    }

    /// Tells the other pieces of the trace which packets this one has; before any of them is finished.
    func notePackets() {
        for stream in streams { stream.notePackets() }
    }

    /// Begins to count: the records delivered so far lie before the window.
    func beginCounting() {
        summary = ReadSummary()
    }

    /// Ends counting: the records to come lie behind the window.
    func endCounting() { counted = summary }

    /// Ends the pass.
    ///
    /// - Returns: counts, losses and damage.
    func finish() -> ReadSummary {
        var summary = counted ?? summary
        summary.add(streams)
        meter.finish()
        return summary
    }
}

// MARK: - Batches

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

    /// Whether records can be decoded after the reader has gone on: no length or tag refers to the packet or the header.
    var canReadAhead: Bool {
        streams.allSatisfy { $0.trace.classes.allSatisfy { !$0.refersToPacket && !$0.refersToHeader } }
    }

    /// Keeps the pages of records that are on their way to another thread, which would read them from the file again.
    func keepPages(bytes: Int) {
        for stream in streams { stream.keptBytes = bytes }
    }

    /// A batch for records of these streams.
    func makeBatch(capacity: Int) -> RecordBatch { RecordBatch(capacity: capacity, of: streams, layouts: layouts) }

    /// Delivers every event record in a batch by itself, before the next one is found.
    func runOneByOne(_ body: (RecordBatch) throws -> Void) throws -> ReadSummary {
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
        record.payload = cursor.pointee.base + (decoder.payloadStart >> 3)
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

extension EventRecord {
    /// The record at a cursor, of which nothing has been read.
    fileprivate init(of cursor: StreamCursor, _ decoder: RecordDecoder) {
        self.init(
            classIndex: 0, nanoseconds: 0, tid: 0, payload: cursor.base, slots: cursor.layout.pointee.slots,
            slotCount: 0, decoder: decoder)
    }

    /// Takes over what the stream's cursor and the record's class tell.
    @inline(__always)
    fileprivate mutating func take(
        _ cursor: UnsafeMutablePointer<StreamCursor>, _ layout: UnsafePointer<RecordLayout>
    ) {
        classIndex = layout.pointee.classIndex
        clockValue = cursor.pointee.clock
        slots = layout.pointee.slots
        slotCount = layout.pointee.slotCount
        processor = cursor.pointee.processor
        packetTID = cursor.pointee.tid
        processID = 0
        if layout.pointee.tid.isThere || layout.pointee.pid.isThere {
            let context = BitField.align(cursor.pointee.position, layout.pointee.streamContextAlignment)
            let start = cursor.pointee.base + (context >> 3)
            if packetTID == 0 { packetTID = UInt32(truncatingIfNeeded: layout.pointee.tid.load(from: start, decoder)) }
            processID = UInt32(truncatingIfNeeded: layout.pointee.pid.load(from: start, decoder))
        }
    }
}
