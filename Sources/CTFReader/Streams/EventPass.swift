/// One pass over all event records of a trace, in the order of time.
struct EventPass {
    let trace: TracePlan
    let files: [MappedFile]
    let order: EventOrder
    let progress: ((Double) -> Void)?

    /// Progress is reported when it has grown by this share.
    private static let progressStep = 0.005

    /// Delivers every event record to `body`.
    func run(_ body: (EventRecord) throws -> Void) throws -> ReadSummary {
        // Streams in the order that decides between records of equal time.
        let opened = files.map { open($0) }.sorted {
            ($0.stream.plan?.id ?? 0, $0.stream.instanceID ?? 0, $0.stream.file.name)
                < ($1.stream.plan?.id ?? 0, $1.stream.instanceID ?? 0, $1.stream.file.name)
        }
        let streams = opened.map(\.stream)
        let cursors = UnsafeMutableBufferPointer<StreamCursor>.allocate(capacity: streams.count)
        defer { cursors.deallocate() }
        for (index, entry) in opened.enumerated() {
            cursors.initializeElement(at: index, to: entry.cursor)
        }
        var heap = StreamHeap(capacity: streams.count)
        defer { heap.deallocate() }
        for (index, entry) in opened.enumerated() where entry.hasRecords {
            heap.insert(index, key: key(cursors[index].clock))
        }
        var summary = ReadSummary()
        try withExtendedLifetime(streams) {
            try deliver(streams, cursors, &heap, &summary, body)
        }
        summarise(streams, &summary)
        progress?(1)
        return summary
    }

    /// A stream at its first record.
    private func open(_ file: MappedFile) -> (stream: DataStream, cursor: StreamCursor, hasRecords: Bool) {
        let stream = DataStream(file, trace)
        var cursor = StreamCursor(base: file.bytes, layouts: trace.layouts)
        let hasRecords = stream.advance(&cursor)
        return (stream, cursor, hasRecords)
    }

    @inline(__always)
    private func key(_ clock: UInt64) -> UInt64 {
        order == .clockValue ? clock : trace.clock.displayedNanoseconds(clock)
    }

    private func deliver(
        _ streams: [DataStream], _ cursors: UnsafeMutableBufferPointer<StreamCursor>, _ heap: inout StreamHeap,
        _ summary: inout ReadSummary, _ body: (EventRecord) throws -> Void
    ) throws {
        guard var current = heap.first else { return }
        var meter = ProgressMeter(files: files, step: Self.progressStep, report: progress)
        var converter = ClockConverter(trace.clock)
        let decoder = RecordDecoder(trace, streams, cursors)
        var record = EventRecord(
            classIndex: 0, clockValue: 0, nanoseconds: 0, streamIndex: 0, packetTID: 0, payload: cursors[current].base,
            slots: cursors[current].layout.pointee.slots, slotCount: 0, decoder: decoder)
        var events = 0
        while true {
            let cursor = cursors.baseAddress! + current
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
                record.nanoseconds = converter.nanoseconds(cursor.pointee.clock)
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
        if events > 0 { summary.lastNanoseconds = record.nanoseconds }
    }

    private func summarise(_ streams: [DataStream], _ summary: inout ReadSummary) {
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
    }
}
