/// One pass over all event records of a trace, in the order of time. It can pause before any record, so that the passes
/// over several traces can take turns.
///
/// Not safe to use from two threads at once.
final class EventPass {
    let streams: [DataStream]
    let cursors: UnsafeMutableBufferPointer<StreamCursor>
    let decoder: RecordDecoder
    let layouts: UnsafePointer<RecordLayout>
    let clocks: PassClocks
    var heap: StreamHeap
    private var meter: ProgressMeter
    var summary = ReadSummary()
    /// On files of the trace that are not read.
    private let notes: [TraceNote]
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
    ///   - whole: the trace.
    ///   - agreement: for clocks of the trace, those that agree with other traces' and give the records their time.
    ///   - ledger: what other pieces of the trace have of it; nil when there are none.
    ///   - order: what decides between records.
    ///   - window: the part of the trace that is wanted; nil for all of it.
    ///   - progress: called now and then with the share of bytes read.
    init(
        of whole: CTFTrace, agreement: [ClockClass: ClockClass] = [:], ledger: PacketLedger? = nil,
        order: EventOrder, window: WindowPlan? = nil, progress: ((Double) -> Void)?
    ) {
        let (trace, files) = (whole.plan, whole.files)
        notes = whole.notes
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
            if let end = decoder.findEnd(of: cursor) {
                record.streamIndex = current
                record.payload.start = cursor.pointee.base + (decoder.payloadStart >> 3)
                record.take(cursor, cursor.pointee.layout)
                if events == 0 { summary.firstNanoseconds = record.nanoseconds }
                last = record.nanoseconds
                events &+= 1
                try body(record)
                cursor.pointee.position = end
            }
            guard goOn(cursor, &current, &rival, &heap) else { break }
        }
        summary.events = events
        if events > 0 { summary.lastNanoseconds = last }
        self.heap = heap
    }

    /// Goes to the next record: of the current stream, as long as that has the earliest one, else of another stream.
    ///
    /// - Returns: false when there is none.
    @inline(__always)
    func goOn(
        _ cursor: UnsafeMutablePointer<StreamCursor>, _ current: inout Int, _ rival: inout UInt64,
        _ heap: inout StreamHeap
    ) -> Bool {
        if readHeader(of: current, cursor) {
            let key = clocks.key(cursor.pointee.clock, clock: cursor.pointee.clockIndex)
            if key < rival { return true }
            current = heap.settleFirst(key: key)
        } else {
            heap.removeFirst()
            guard let next = heap.first else { return false }
            current = next
        }
        rival = heap.rivalKey
        return true
    }

    /// Reads the next record's header.
    ///
    /// - Returns: false at the end of the stream.
    @inline(__always)
    func readHeader(of stream: Int, _ cursor: UnsafeMutablePointer<StreamCursor>) -> Bool {
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
        summary.notes += notes
        summary.add(streams)
        meter.finish()
        return summary
    }
}

extension EventRecord {
    /// The record at a cursor, of which nothing has been read.
    init(of cursor: StreamCursor, _ decoder: RecordDecoder) {
        self.init(EventPayload(start: cursor.base, decoder: decoder), slots: cursor.layout.pointee.slots)
    }

    /// Takes over what the stream's cursor and the record's class tell.
    @inline(__always)
    mutating func take(
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
            let decoder = payload.decoder
            if packetTID == 0 { packetTID = UInt32(truncatingIfNeeded: layout.pointee.tid.load(from: start, decoder)) }
            processID = UInt32(truncatingIfNeeded: layout.pointee.pid.load(from: start, decoder))
        }
    }
}
