/// A pass over all event records of a trace, in order of time. It can pause before any record, so that the passes of
/// several traces can be interleaved.
///
/// Not thread-safe.
final class EventPass {
    let streams: [DataStream]
    let cursors: UnsafeMutableBufferPointer<StreamCursor>
    let decoder: RecordDecoder
    let layouts: UnsafePointer<RecordLayout>
    let clocks: PassClocks
    var heap: StreamHeap
    private var meter: ProgressMeter
    var summary = ReadSummary()
    /// Notes about ignored parts of the metadata and files that are not read.
    private let notes: [TraceNote]
    /// The counts of the window, after its end.
    private var counted: ReadSummary?
    /// The time of the next record; nil at the end of the trace.
    private(set) var nextTime: Int64?

    /// The progress is reported each time it has grown by this share.
    private static let progressStep = 0.005

    /// A stream, positioned at its first record.
    private struct OpenedStream {
        var stream: DataStream
        var cursor: StreamCursor
        var hasRecords: Bool

        init(_ file: MappedFile, _ trace: TracePlan, _ ledger: PacketLedger?, _ excerpt: StreamExcerpt) {
            stream = DataStream(file, trace, ledger: ledger, excerpt: excerpt)
            cursor = StreamCursor(base: file.bytes, layouts: trace.layouts)
            hasRecords = stream.advance(&cursor)
        }

        /// The order of records with equal time.
        var rank: (UInt64, UInt64, String) { (stream.plan?.id ?? 0, stream.instanceID ?? 0, stream.file.name) }
    }

    /// Opens the streams.
    ///
    /// - Parameters:
    ///   - whole: the trace.
    ///   - agreement: for a clock of the trace, the clock with the shared offset that gives the records their time.
    ///   - ledger: the packets of other pieces of the trace; nil without other pieces.
    ///   - order: the time that orders the records.
    ///   - window: the window to read; nil for everything.
    ///   - progress: called at intervals with the share of bytes read.
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
        // The decoder needs a cursor even when there is no stream.
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

    /// Delivers all event records to `body`.
    func run(_ body: (EventRecord) throws -> Void) throws -> ReadSummary {
        try resume(through: .max, body)
        return finish()
    }

    /// Delivers the event records up to a time. Afterwards ``nextTime`` is later, or nil.
    ///
    /// - Parameters:
    ///   - limit: the last time to deliver, in nanoseconds from the origin of the clock.
    ///   - body: called with each record.
    /// - Throws: the errors of `body`. The pass cannot continue after an error.
    func resume(through limit: Int64, _ body: (EventRecord) throws -> Void) throws {
        guard var current = heap.first else { return }
        let clocks = clocks
        var heap = heap
        let decoder = decoder
        var record = EventRecord(of: cursors[current], decoder)
        var events = summary.events
        var last = summary.lastNanoseconds ?? 0
        nextTime = nil
        // Records of one thread come in runs. The heap does not change until another stream has an earlier record.
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
                record.payload.start = cursor.pointee.base + (decoder.payloadStart >> 3)
                record.take(cursor, cursor.pointee.layout)
                if events == 0 { summary.firstNanoseconds = record.nanoseconds }
                last = record.nanoseconds
                events &+= 1
                try body(record)
                cursor.pointee.position = end
            }
            guard moveToNext(cursor, &current, &rival, &heap) else { break }
        }
        summary.events = events
        if events > 0 { summary.lastNanoseconds = last }
        self.heap = heap
    }

    /// Moves to the next record: of the current stream while it has the earliest record, otherwise of another stream.
    ///
    /// - Returns: false at the end of the trace.
    @inline(__always)
    func moveToNext(
        _ cursor: UnsafeMutablePointer<StreamCursor>, _ current: inout Int, _ rival: inout UInt64,
        _ heap: inout StreamHeap
    ) -> Bool {
        if readHeader(of: current, cursor) {
            let key = clocks.key(cursor.pointee.clock, clock: cursor.pointee.clockIndex)
            if key < rival { return true }
            current = heap.updateFirst(key: key)
        } else {
            heap.removeFirst()
            guard let next = heap.first else { return false }
            current = next
        }
        rival = heap.rivalKey
        return true
    }

    /// Reads the header of the next record.
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

    /// Publishes the packet numbers of this piece to the other pieces. Call for all pieces before the first of them is
    /// finished.
    func publishPackets() {
        for stream in streams { stream.publishPackets() }
    }

    /// Starts the counts of the window and discards the counts of earlier records.
    func beginCounting() {
        summary = ReadSummary()
    }

    /// Ends the counts of the window. Later records are not counted.
    func endCounting() { counted = summary }

    /// Ends the pass.
    ///
    /// - Returns: counts, losses and damage.
    func finish() -> ReadSummary {
        var summary = counted ?? summary
        summary.notes += notes
        summary.add(streams)
        meter.finish()
        for stream in streams { stream.releaseKeptPages() }
        return summary
    }
}

extension EventRecord {
    /// Creates the record at a cursor, without any values.
    init(of cursor: StreamCursor, _ decoder: RecordDecoder) {
        self.init(EventPayload(start: cursor.base, decoder: decoder), slots: cursor.layout.pointee.slots)
    }

    /// Takes over the values of the cursor and of the event class.
    @inline(__always)
    mutating func take(_ cursor: UnsafeMutablePointer<StreamCursor>, _ layout: UnsafePointer<RecordLayout>) {
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
