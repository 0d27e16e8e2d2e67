/// Looks, without decoding, for the records in some packets of a data stream that a window needs: what says what there
/// is, and what is open behind the last packet.
struct PacketScan: Sendable {
    /// What was found in consecutive packets.
    struct Found {
        /// Records to deliver, in the order of the stream.
        var places: [RecordPlace] = []
        /// Records that opened something and were not closed, the outermost first.
        var open: [RecordPlace] = []
        /// How many records closed something that was opened before these packets.
        var closed = 0
        var latest: RecordPlace?
        /// The last record of all, when its role is to wait.
        var waiting: RecordPlace?
        /// Whether there is any record, and the clock at the last.
        var lastClock: UInt64?

        /// Adds what was found in the packets behind these.
        mutating func append(_ next: Found) {
            places += next.places
            open.removeLast(min(next.closed, open.count))
            closed += max(0, next.closed - open.count)
            open += next.open
            latest = next.latest ?? latest
            if next.lastClock != nil {
                waiting = next.waiting
                lastClock = next.lastClock
            }
        }
    }

    private let file: MappedFile
    private let trace: TracePlan
    private let roles: [RecordRole]
    /// Whether the stream is of one thread, so that its records nest.
    private let isOfOneThread: Bool

    init(_ file: MappedFile, _ trace: TracePlan, roles: [RecordRole], isOfOneThread: Bool) {
        self.file = file
        self.trace = trace
        self.roles = roles
        self.isOfOneThread = isOfOneThread
    }

    /// Goes over all records.
    ///
    /// - Parameters:
    ///   - packets: offsets of the first packet, and behind the last.
    ///   - ledger: what other pieces of the trace have of it; nil when there are none.
    /// - Returns: what was found.
    /// - Complexity: O(records) in time, O(found) in memory.
    func run(_ packets: Range<Int>, ledger: PacketLedger? = nil) -> Found {
        guard !packets.isEmpty else { return Found() }
        let stream = DataStream(file, trace, ledger: ledger, excerpt: StreamExcerpt(packets: packets))
        let cursors = UnsafeMutableBufferPointer<StreamCursor>.allocate(capacity: 1)
        cursors.initialize(repeating: StreamCursor(base: file.bytes, layouts: trace.layouts))
        defer { cursors.deallocate() }
        let cursor = cursors.baseAddress!
        let decoder = RecordDecoder([stream], cursors)
        let stack = UnsafeMutablePointer<SkipTable.Record>.allocate(capacity: SkipTable.depthLimit)
        stack.initialize(repeating: .init(), count: SkipTable.depthLimit)
        defer { stack.deallocate() }
        var table: (plan: StreamPlan, table: SkipTable)?
        defer { table?.table.deallocate() }
        var state = SkipTable.State()
        var found = Found()
        var packets: [Int] = []
        while true {
            if stream.plan != nil, packets.last != stream.packetStart { packets.append(stream.packetStart) }
            if let plan = stream.plan, cursor.pointee.position & 7 == 0 {
                if table.map({ $0.plan !== plan }) ?? true {
                    table?.table.deallocate()
                    table = SkipTable(plan, in: trace, roles: roles, nests: isOfOneThread).map { (plan, $0) }
                }
                if let table {
                    state.clock = cursor.pointee.clock
                    let base = cursor.pointee.base - file.bytes
                    let end = table.table.skip(
                        file.bytes, from: base + cursor.pointee.position >> 3,
                        to: base + cursor.pointee.contentEnd >> 3, &state, open: stack)
                    cursor.pointee.position = (end - base) << 3
                    cursor.pointee.clock = state.clock
                }
            }
            guard cursor.pointee.advance() || stream.advance(&cursor.pointee) else { break }
            guard let end = measure(cursor, stream, decoder) else { continue }
            look(at: cursor, packet: stream.packetStart, end: end, &state, stack, &found)
            cursor.pointee.position = end
        }
        conclude(state, stack, packets, &found)
        return found
    }

    /// The first bit behind the record at the cursor; nil when it is damaged, and its packet skipped.
    private func measure(
        _ cursor: UnsafeMutablePointer<StreamCursor>, _ stream: DataStream, _ decoder: RecordDecoder
    ) -> Int? {
        let layout = cursor.pointee.layout
        do throws(FieldWalker.Problem) {
            let end =
                layout.pointee.payloadSize >= 0
                ? layout.pointee.payloadStart(after: cursor.pointee.position) + layout.pointee.payloadSize
                : try decoder.measure(cursor)
            guard end <= cursor.pointee.contentEnd, end > cursor.pointee.headerStart else { throw .endOfContent }
            return end
        } catch {
            stream.skipDamage(error, at: cursor.pointee.headerStart, &cursor.pointee)
            return nil
        }
    }

    private func look(
        at cursor: UnsafeMutablePointer<StreamCursor>, packet: Int, end: Int, _ state: inout SkipTable.State,
        _ stack: UnsafeMutablePointer<SkipTable.Record>, _ found: inout Found
    ) {
        let place = RecordPlace(
            packet: packet, start: cursor.pointee.headerStart, end: end, clock: cursor.pointee.clock)
        state.last = .init(offset: packet + place.start >> 3, end: packet + end >> 3, clock: place.clock)
        let role = roles[cursor.pointee.layout.pointee.classIndex]
        state.isWaiting = role == .waiting
        switch role {
        case .passing, .waiting: break
        case .state, .name: found.places.append(place)
        case .latest where isOfOneThread: found.latest = place
        case .latest: found.places.append(place)
        case .opening where isOfOneThread:
            stack[state.depth] = state.last
            state.depth = min(state.depth + 1, SkipTable.depthLimit - 1)
        case .closing where isOfOneThread:
            if state.depth == 0 { state.closed += 1 } else { state.depth -= 1 }
        case .opening, .closing: break
        }
    }

    private func conclude(
        _ state: SkipTable.State, _ stack: UnsafeMutablePointer<SkipTable.Record>, _ packets: [Int],
        _ found: inout Found
    ) {
        guard state.last.offset >= 0 else { return }
        func place(_ record: SkipTable.Record) -> RecordPlace {
            // Few are open, and the packets of one scan are not many.
            let packet = packets.last { $0 <= record.offset } ?? record.offset
            return RecordPlace(
                packet: packet, start: (record.offset - packet) << 3, end: (record.end - packet) << 3,
                clock: record.clock)
        }
        found.lastClock = state.last.clock
        found.closed = state.closed
        guard isOfOneThread else { return }
        found.open = (0..<state.depth).map { place(stack[$0]) }
        if state.isWaiting { found.waiting = place(state.last) }
    }
}
