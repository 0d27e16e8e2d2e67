/// One pass over all event records of a trace, in the order of time. It can pause before any record, so that the passes
/// over several traces can take turns.
///
/// Not safe to use from two threads at once.
final class EventPass {
    let trace: TracePlan
    /// What gives the records their time: the trace's clock, or one that agrees with those of other traces.
    let clock: ClockClass
    let order: EventOrder

    private let streams: [DataStream]
    private let cursors: UnsafeMutableBufferPointer<StreamCursor>
    private let decoder: RecordDecoder
    private var heap: StreamHeap
    private var converter: ClockConverter
    private var meter: ProgressMeter
    private var summary = ReadSummary()
    /// The time of the next record; nil at the trace's end.
    private(set) var nextTime: Int64?

    /// Progress is reported when it has grown by this share.
    private static let progressStep = 0.005

    /// Opens the streams.
    ///
    /// - Parameters:
    ///   - trace: how the packets are decoded.
    ///   - files: the data stream files.
    ///   - clock: what gives the records their time; nil for the trace's own clock.
    ///   - order: what decides between records.
    ///   - progress: called now and then with the share of bytes read.
    init(
        trace: TracePlan, files: [MappedFile], clock: ClockClass? = nil, order: EventOrder,
        progress: ((Double) -> Void)?
    ) {
        self.trace = trace
        self.clock = clock ?? trace.clock
        self.order = order
        // Streams in the order that decides between records of equal time.
        let opened = files.map { Self.open($0, trace) }.sorted {
            ($0.stream.plan?.id ?? 0, $0.stream.instanceID ?? 0, $0.stream.file.name)
                < ($1.stream.plan?.id ?? 0, $1.stream.instanceID ?? 0, $1.stream.file.name)
        }
        streams = opened.map(\.stream)
        cursors = .allocate(capacity: max(opened.count, 1))
        // A decoder stands at some cursor, also where there is no stream.
        let nowhere = UnsafeRawPointer(trace.layouts)
        cursors.initializeElement(at: 0, to: StreamCursor(base: nowhere, layouts: trace.layouts))
        heap = StreamHeap(capacity: streams.count)
        for (index, entry) in opened.enumerated() { cursors.initializeElement(at: index, to: entry.cursor) }
        decoder = RecordDecoder(trace, streams, cursors)
        converter = ClockConverter(self.clock)
        meter = ProgressMeter(files: files, step: Self.progressStep, report: progress)
        for (index, entry) in opened.enumerated() where entry.hasRecords {
            heap.insert(index, key: key(cursors[index].clock))
        }
        nextTime = heap.first.map { time(of: cursors[$0].clock) }
    }

    deinit {
        heap.deallocate()
        cursors.deallocate()
    }

    /// A stream at its first record.
    private static func open(
        _ file: MappedFile, _ trace: TracePlan
    ) -> (stream: DataStream, cursor: StreamCursor, hasRecords: Bool) {
        let stream = DataStream(file, trace)
        var cursor = StreamCursor(base: file.bytes, layouts: trace.layouts)
        let hasRecords = stream.advance(&cursor)
        return (stream, cursor, hasRecords)
    }

    /// Delivers every event record to `body`.
    func run(_ body: (EventRecord) throws -> Void) throws -> ReadSummary {
        try resume(through: .max, body)
        return finish()
    }

    @inline(__always)
    private func key(_ clock: UInt64) -> UInt64 {
        order == .clockValue ? clock : trace.clock.displayedNanoseconds(clock)
    }

    private func time(of cycles: UInt64) -> Int64 {
        order == .clockValue ? converter.nanoseconds(cycles) : clock.displayedNanosecondsFromOrigin(cycles)
    }

    /// Delivers the event records up to a time; afterwards ``nextTime`` is later, or nil.
    ///
    /// - Parameters:
    ///   - limit: the time, in nanoseconds from the clock's origin.
    ///   - body: called with every record.
    /// - Throws: what `body` throws; the pass cannot go on then.
    func resume(through limit: Int64, _ body: (EventRecord) throws -> Void) throws {
        guard var current = heap.first else { return }
        var converter = converter
        var heap = heap
        let decoder = decoder
        let streams = streams
        let showsTime = order == .displayedTime
        var record = EventRecord(
            classIndex: 0, clockValue: 0, nanoseconds: 0, streamIndex: 0, packetTID: 0, payload: cursors[current].base,
            slots: cursors[current].layout.pointee.slots, slotCount: 0, decoder: decoder)
        var events = summary.events
        var last = summary.lastNanoseconds ?? 0
        nextTime = nil
        while true {
            let cursor = cursors.baseAddress! + current
            record.nanoseconds = converter.nanoseconds(cursor.pointee.clock)
            let time =
                showsTime ? clock.displayedNanosecondsFromOrigin(cursor.pointee.clock) : record.nanoseconds
            guard time <= limit else {
                nextTime = time
                break
            }
            let layout = cursor.pointee.layout
            var end = layout.pointee.payloadStart(after: cursor.pointee.position)
            var isWhole = true
            if layout.pointee.payloadSize >= 0 {
                decoder.begin(cursor, payloadStart: end)
                end &+= layout.pointee.payloadSize
                if end > cursor.pointee.contentEnd {
                    isWhole = false
                    streams[current].skipDamage(.endOfContent, at: cursor.pointee.headerStart, &cursor.pointee)
                }
            } else {
                do throws(FieldWalker.Problem) {
                    end = try decoder.measure(cursor)
                } catch {
                    isWhole = false
                    streams[current].skipDamage(error, at: cursor.pointee.headerStart, &cursor.pointee)
                }
            }
            if isWhole, end == cursor.pointee.headerStart {
                isWhole = false
                streams[current].skipEmptyRecord(&cursor.pointee)
            }
            if isWhole {
                record.classIndex = layout.pointee.classIndex
                record.clockValue = cursor.pointee.clock
                record.streamIndex = current
                record.payload = cursor.pointee.base + (decoder.payloadStart >> 3)
                record.slots = layout.pointee.slots
                record.slotCount = layout.pointee.slotCount
                record.packetTID = cursor.pointee.tid
                if layout.pointee.tid.mask != 0, record.packetTID == 0 {
                    let context = BitField.align(cursor.pointee.position, layout.pointee.streamContextAlignment)
                    record.packetTID = UInt32(
                        truncatingIfNeeded: layout.pointee.tid.load(from: cursor.pointee.base + (context >> 3)))
                }
                if events == 0 { summary.firstNanoseconds = record.nanoseconds }
                last = record.nanoseconds
                events &+= 1
                try body(record)
                cursor.pointee.position = end
            }
            let before = cursor.pointee.clock
            if !cursor.pointee.advance() {
                let packet = streams[current].packetStart
                let isAlive = streams[current].advance(&cursor.pointee)
                meter.advance(by: (isAlive ? streams[current].packetStart : streams[current].file.count) - packet)
                guard isAlive else {
                    heap.removeFirst()
                    guard let next = heap.first else { break }
                    current = next
                    continue
                }
            }
            if cursor.pointee.clock < before { streams[current].noteClock(cursor.pointee, before: before) }
            current = heap.settleFirst(key: key(cursor.pointee.clock))
        }
        summary.events = events
        if events > 0 { summary.lastNanoseconds = last }
        self.heap = heap
        self.converter = converter
    }

    /// Ends the pass.
    ///
    /// - Returns: counts, losses and damage.
    func finish() -> ReadSummary {
        // Files of one stream continue each other's count of discarded records.
        var discarded: [String: UInt64] = [:]
        for stream in streams {
            summary.packets += stream.packets
            summary.lostPackets =
                summary.lostPackets.addingReportingOverflow(stream.lostPackets).overflow
                ? .max : summary.lostPackets + stream.lostPackets
            let name = stream.instanceID.map { "\(stream.plan?.id ?? 0) \($0)" } ?? stream.file.path
            discarded[name] = max(discarded[name] ?? 0, stream.discarded)
        }
        for count in discarded.values {
            let (sum, overflow) = summary.discarded.addingReportingOverflow(count)
            summary.discarded = overflow ? .max : sum
        }
        summary.notes = streams.flatMap(\.notes).sorted { ($0.file, $0.byteOffset) < ($1.file, $1.byteOffset) }
        meter.finish()
        return summary
    }
}
