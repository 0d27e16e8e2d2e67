/// Skips event records without decoding them: one load for the header of a record and one load for its size by id.
///
/// It supports streams whose event headers fit into one word, such as the streams of the recorder and of LTTng.
struct SkipTable {
    fileprivate struct Entry {
        /// Size of the record in bytes. Records that must be decoded have a size larger than any packet.
        var size = 1 << 60
        /// The change of the number of open records, or ``latest``.
        var depth = 0

        /// Marks a record with the role `latest` in ``depth``.
        static let latest = 1 << 16
    }

    /// A skipped record.
    struct Record {
        /// The first byte of the record; nil for none.
        var start: UnsafeRawPointer?
        /// The full clock value.
        var clock: UInt64 = 0
    }

    /// Maximum nesting. Deeper records are ignored.
    static let depthLimit = 64

    private let entries: UnsafeMutableBufferPointer<Entry>
    private let count: UInt64
    private let word: HeaderPlan.Word

    /// - Parameters:
    ///   - stream: the stream class.
    ///   - trace: its trace.
    ///   - roles: the roles of the event classes, by index.
    ///   - nests: whether to track opening and closing records.
    /// - Returns: nil when the event header has another form.
    init?(_ stream: StreamPlan, in trace: TracePlan, roles: [RecordRole], nests: Bool) {
        guard let header = stream.headerPlan?.pointee, let word = header.word else { return nil }
        self.word = word
        let count = min(stream.classTable.count - 1, Int(clamping: header.compact.highest)) + 1
        self.count = UInt64(count)
        entries = .allocate(capacity: max(count, 1))
        entries.initialize(repeating: Entry())
        for id in 0..<count where id >= Int(clamping: header.compact.lowest) && stream.classTable[id] >= 0 {
            let index = Int(stream.classTable[id])
            entries[id] = Self.entry(trace.layouts[index], roles[index], headerSize: word.bytes * 8, nests: nests)
        }
    }

    private static func entry(_ layout: RecordLayout, _ role: RecordRole, headerSize: Int, nests: Bool) -> Entry {
        let alignment = max(layout.streamContextAlignment, layout.eventContextAlignment, layout.payloadAlignment)
        guard layout.payloadSize >= 0, alignment <= 8 else { return Entry() }
        let size = layout.payloadStart(after: headerSize) + layout.payloadSize
        guard size % 8 == 0, size > 0 else { return Entry() }
        switch role {
        case .state, .name: return Entry()
        case .latest where !nests: return Entry()
        case .latest: return Entry(size: size >> 3, depth: Entry.latest)
        case .opening where nests: return Entry(size: size >> 3, depth: 1)
        case .closing where nests: return Entry(size: size >> 3, depth: -1)
        case .passing, .waiting, .opening, .closing: return Entry(size: size >> 3)
        }
    }

    func deallocate() { entries.deallocate() }

    /// The position in a stream.
    ///
    /// The size of a record depends on its header, and the position of the next header depends on the size. A processor
    /// can therefore handle several independent lanes in the time of one.
    struct Lane {
        /// The next record, and the end of the packet's content.
        var position: UnsafeRawPointer
        var end: UnsafeRawPointer
        /// The clock value of the last header.
        var clock: UInt64 = 0
        /// Number of open records, and number of records that closed an operation of an earlier part.
        var depth = 0
        var closed = 0
        /// ``depth`` before the last record, which is at this index of `open`.
        private var depthBefore = 0
        /// The stack of open records: memory for ``depthLimit`` records, initialized without a start.
        let open: UnsafeMutablePointer<Record>
        /// The last record with the role `latest`.
        var latest = Record()
        /// The last record.
        var last: Record { open[depthBefore] }

        /// - Parameters:
        ///   - start: the start and the end of an empty range. A word must be readable there.
        ///   - open: memory for ``depthLimit`` records.
        init(_ start: UnsafeRawPointer, open: UnsafeMutablePointer<Record>) {
            (position, end) = (start, start)
            self.open = open
        }

        /// Skips a record, unless it must be decoded. A whole word must be readable after the content.
        @inline(__always)
        fileprivate mutating func skip(_ table: SkipTable, _ entries: UnsafePointer<Entry>) -> Bool {
            let bits = UInt64(littleEndian: position.loadUnaligned(as: UInt64.self))
            let tag = bits & table.word.tagMask
            guard tag < table.count else { return false }
            let entry = entries + Int(truncatingIfNeeded: tag)
            let next = position + entry.pointee.size
            guard next <= end else { return false }
            let time = BitField.next(from: clock, low: bits &>> table.word.timeShift, mask: table.word.timeMask)
            note(position, at: time, depth: entry.pointee.depth)
            position = next
            return true
        }

        /// Adds a record and changes the number of open records.
        @inline(__always)
        mutating func note(_ start: UnsafeRawPointer, at time: UInt64, depth change: Int) {
            clock = time
            // Each record is pushed onto the stack. If it opens nothing, the next record overwrites it.
            open[depth] = Record(start: start, clock: time)
            depthBefore = depth
            depth &+= change
            if UInt(bitPattern: depth) >= SkipTable.depthLimit { correctDepth() }
        }

        @inline(never)
        private mutating func correctDepth() {
            if depth < 0 {
                closed += 1
                depth = 0
            } else if depth >= Entry.latest {
                depth -= Entry.latest
                latest = open[depth]
            } else {
                depth = SkipTable.depthLimit - 1
            }
        }
    }

    /// Number of interleaved lanes.
    static let laneCount = 4

    /// Skips records up to the next record that must be decoded.
    ///
    /// - Parameter lanes: the lanes; either ``laneCount`` lanes or one.
    /// - Returns: the index of a lane that is at such a record or at the end of its packet.
    @inline(never)
    func skip(_ lanes: UnsafeMutableBufferPointer<Lane>) -> Int {
        let entries = UnsafePointer(entries.baseAddress!)
        var first = lanes[0]
        guard lanes.count == Self.laneCount else {
            while first.skip(self, entries) {}
            lanes[0] = first
            return 0
        }
        var (second, third, fourth) = (lanes[1], lanes[2], lanes[3])
        defer { (lanes[0], lanes[1], lanes[2], lanes[3]) = (first, second, third, fourth) }
        while true {
            guard first.skip(self, entries) else { return 0 }
            guard second.skip(self, entries) else { return 1 }
            guard third.skip(self, entries) else { return 2 }
            guard fourth.skip(self, entries) else { return 3 }
        }
    }
}
