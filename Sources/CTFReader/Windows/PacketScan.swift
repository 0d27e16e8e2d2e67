/// Searches packets of a data stream for the records that a window needs: definitions, and operations that are open
/// after the last packet. Other records are skipped by their size.
struct PacketScan: Sendable {
    /// The result for consecutive packets.
    struct Found {
        /// Records to deliver, in the order of the stream.
        var places: [RecordPlace] = []
        /// Records that opened an operation and were not closed, outermost first.
        var open: [RecordPlace] = []
        /// Number of records that closed an operation of an earlier packet.
        var closed = 0
        var latest: RecordPlace?
        /// The last record, when its role is `waiting`.
        var waiting: RecordPlace?
        /// The clock value of the last record; nil without records.
        var lastClock: UInt64?

        init() {}

        /// The result for one record.
        init(of place: RecordPlace, _ role: RecordRole, isOfOneThread: Bool) {
            lastClock = place.clock
            switch role {
            case .state, .name: places = [place]
            case .latest: if isOfOneThread { latest = place } else { places = [place] }
            case .opening: if isOfOneThread { open = [place] }
            case .closing: if isOfOneThread { closed = 1 }
            case .waiting: if isOfOneThread { waiting = place }
            case .passing: break
            }
        }

        /// Appends the result of the packets that follow.
        mutating func append(_ next: Found) {
            places += next.places
            closed += max(0, next.closed - open.count)
            open.removeLast(min(next.closed, open.count))
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
    /// Whether the stream belongs to one thread, so that its records nest.
    private let isOfOneThread: Bool

    init(_ file: MappedFile, _ trace: TracePlan, roles: [RecordRole], isOfOneThread: Bool) {
        self.file = file
        self.trace = trace
        self.roles = roles
        self.isOfOneThread = isOfOneThread
    }

    /// Scans packets.
    ///
    /// - Parameters:
    ///   - packets: the range of the packets in bytes.
    ///   - ledger: the packets of other pieces of the trace; nil without other pieces.
    /// - Returns: the result.
    /// - Complexity: O(records) in time, O(records in the result) in memory.
    func run(_ packets: Range<Int>, ledger: PacketLedger? = nil) -> Found { run([packets], ledger: ledger)[0] }

    /// Scans several parts of the stream. ``SkipTable/laneCount`` parts are interleaved.
    func run(_ parts: [Range<Int>], ledger: PacketLedger? = nil) -> [Found] {
        var found = Array(repeating: Found(), count: parts.count)
        var next = parts.indices.makeIterator()
        let reader = FileReader(file)
        func nextPart(_ memory: PartMemory) -> ScannedPart? {
            while let position = next.next() {
                if parts[position].isEmpty { continue }
                return ScannedPart(self, memory, reader, parts[position], ledger, position: position)
            }
            return nil
        }
        let lanes = UnsafeMutableBufferPointer<SkipTable.Lane>.allocate(capacity: SkipTable.laneCount)
        defer { lanes.deallocate() }
        var running: [ScannedPart] = []
        while running.count < lanes.count, let part = nextPart(PartMemory()) {
            lanes.initializeElement(at: running.count, to: part.lane)
            running.append(part)
        }
        var plan: StreamPlan?
        var table: SkipTable?
        defer { table?.deallocate() }
        while !running.isEmpty {
            let count = running.count < lanes.count ? 1 : lanes.count
            let stopped = table?.skip(UnsafeMutableBufferPointer(rebasing: lanes[..<count])) ?? 0
            if running[stopped].decodeNext(&lanes[stopped], plan: table == nil ? nil : plan) {
                if plan == nil, let first = running[stopped].stream.plan {
                    plan = first
                    table = SkipTable(first, in: trace, roles: roles, nests: isOfOneThread)
                }
                continue
            }
            found[running[stopped].position] = running[stopped].conclude(lanes[stopped])
            if let part = nextPart(running[stopped].memory) {
                (lanes[stopped], running[stopped]) = (part.lane, part)
            } else {
                let last = running.count - 1
                (lanes[stopped], running[stopped]) = (lanes[last], running[last])
                running.removeLast()
            }
        }
        return found
    }

    /// Memory for one part at a time. Reading a part takes less time than using the pages of the mapped file.
    private final class PartMemory {
        /// Largest part that is copied, in bytes.
        private static let limit = 4 << 20
        private var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)

        deinit { bytes.deallocate() }

        /// Reads a part of a file; nil when it is too large or cannot be read.
        func read(_ part: Range<Int>, of file: MappedFile, _ reader: FileReader) -> MappedFile? {
            let size = part.count + MappedFile.page
            guard part.count <= Self.limit else { return nil }
            if bytes.count < size {
                bytes.deallocate()
                bytes = .allocate(byteCount: size, alignment: MappedFile.page)
            }
            guard reader.read(part, into: bytes.baseAddress!) else { return nil }
            bytes[part.count..<size].initializeMemory(as: UInt8.self, repeating: 0)
            return MappedFile(part, of: file, copy: UnsafeRawPointer(bytes.baseAddress!))
        }
    }

    /// A part of the stream and the progress of its scan.
    private final class ScannedPart {
        /// The index among the parts.
        let position: Int
        let memory: PartMemory
        let stream: DataStream
        private let scan: PacketScan
        private let file: MappedFile
        private let begin: Int
        private let open = UnsafeMutablePointer<SkipTable.Record>.allocate(capacity: SkipTable.depthLimit)
        private let cursors = UnsafeMutableBufferPointer<StreamCursor>.allocate(capacity: 1)
        private let decoder: RecordDecoder
        private var found = Found()
        private var packets: [Int] = []
        /// Whether the lane has moved on from the position of the cursor.
        private var isInLane = false

        init(
            _ scan: PacketScan, _ memory: PartMemory, _ reader: FileReader?, _ packets: Range<Int>,
            _ ledger: PacketLedger?, position: Int
        ) {
            self.scan = scan
            self.memory = memory
            begin = packets.lowerBound
            self.position = position
            file = reader.flatMap { memory.read(packets, of: scan.file, $0) } ?? scan.file
            stream = DataStream(file, scan.trace, ledger: ledger, excerpt: StreamExcerpt(packets: packets))
            cursors.initialize(repeating: StreamCursor(base: file.bytes, layouts: scan.trace.layouts))
            decoder = RecordDecoder([stream], cursors)
            open.initialize(repeating: .init(), count: SkipTable.depthLimit)
        }

        /// The lane at the start of the part. The first record cannot be skipped.
        var lane: SkipTable.Lane { .init(file.bytes + begin, open: open) }

        deinit {
            cursors.deallocate()
            open.deallocate()
        }

        /// Decodes the header of the next record.
        ///
        /// - Parameters:
        ///   - lane: the lane of this part. It continues after the record.
        ///   - plan: the stream class whose records can be skipped; nil for none.
        /// - Returns: false at the end of the part.
        func decodeNext(_ lane: inout SkipTable.Lane, plan: StreamPlan?) -> Bool {
            let cursor = cursors.baseAddress!
            if isInLane {
                cursor.pointee.position = (lane.position - cursor.pointee.base) << 3
                cursor.pointee.clock = lane.clock
            }
            guard cursor.pointee.advance() || stream.advance(&cursor.pointee) else { return false }
            if packets.last != stream.packetStart { packets.append(stream.packetStart) }
            if let end = decoder.findEnd(of: cursor) {
                note(cursor, end: end, &lane)
                cursor.pointee.position = end
            }
            isInLane = plan != nil && stream.plan === plan && cursor.pointee.position & 7 == 0
            lane.clock = cursor.pointee.clock
            lane.position = cursor.pointee.base + cursor.pointee.position >> 3
            lane.end = isInLane ? cursor.pointee.base + cursor.pointee.contentEnd >> 3 : lane.position
            return true
        }

        private func note(_ cursor: UnsafeMutablePointer<StreamCursor>, end: Int, _ lane: inout SkipTable.Lane) {
            let role = scan.roles[cursor.pointee.layout.pointee.classIndex]
            let place = RecordPlace(
                packet: stream.packetStart, start: cursor.pointee.headerStart, end: end, clock: cursor.pointee.clock)
            let depth =
                switch role {
                case .opening where scan.isOfOneThread: 1
                case .closing where scan.isOfOneThread: -1
                default: 0
                }
            lane.note(cursor.pointee.base + place.start >> 3, at: place.clock, depth: depth)
            switch role {
            case .state, .name: found.places.append(place)
            case .latest where scan.isOfOneThread:
                found.latest = place
                lane.latest = .init()
            case .latest: found.places.append(place)
            case .passing, .waiting, .opening, .closing: break
            }
        }

        /// The result for the whole part.
        func conclude(_ lane: SkipTable.Lane) -> Found {
            guard lane.last.start != nil else { return found }
            found.lastClock = lane.last.clock
            found.closed = lane.closed
            guard scan.isOfOneThread else { return found }
            found.open = (0..<lane.depth).compactMap { find(open[$0])?.place }
            if let latest = find(lane.latest) { found.latest = latest.place }
            if let last = find(lane.last), last.role == .waiting { found.waiting = last.place }
            return found
        }

        /// Decodes a record that was skipped.
        private func find(_ record: SkipTable.Record) -> (place: RecordPlace, role: RecordRole)? {
            guard let start = record.start else { return nil }
            // A linear search is sufficient, because few records are open and a part has few packets.
            let packet = packets.last { $0 <= start - file.bytes } ?? 0
            // The packet may have another stream class than the last packet.
            let stream = DataStream(file, scan.trace, ledger: nil, excerpt: StreamExcerpt(packets: packet..<packet + 1))
            let decoder = RecordDecoder([stream], cursors)
            let cursor = cursors.baseAddress!
            cursor.pointee = StreamCursor(base: file.bytes, layouts: scan.trace.layouts)
            guard stream.advance(&cursor.pointee) else { return nil }
            cursor.pointee.position = (start - cursor.pointee.base) << 3
            cursor.pointee.clock = record.clock
            guard cursor.pointee.advance() || stream.advance(&cursor.pointee),
                let end = decoder.findEnd(of: cursor)
            else { return nil }
            let place = RecordPlace(packet: packet, start: cursor.pointee.headerStart, end: end, clock: record.clock)
            return (place, scan.roles[cursor.pointee.layout.pointee.classIndex])
        }
    }
}
