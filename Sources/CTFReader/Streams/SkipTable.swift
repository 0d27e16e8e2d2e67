/// How to go over event records that are not decoded: by their ids, with one load for each record's header and one for
/// its size.
///
/// It serves streams whose headers fit in one word, as those of the ring buffer and of LTTng do.
struct SkipTable {
    fileprivate struct Entry {
        /// Bytes of the whole record; more than any packet has where it must be looked at.
        var size = 1 << 60
        /// By how much it changes the number of open records, or ``latest``.
        var depth = 0

        /// A change of the number of open records that stands for a record whose role is to be the latest.
        static let latest = 1 << 16
    }

    /// A record that was passed over.
    struct Record {
        /// Its first byte; nil for none.
        var start: UnsafeRawPointer?
        /// The clock's full value.
        var clock: UInt64 = 0
    }

    /// Deeper nesting than this is not followed.
    static let depthLimit = 64

    private let entries: UnsafeMutableBufferPointer<Entry>
    private let count: UInt64
    private let word: HeaderPlan.Word

    /// - Parameters:
    ///   - stream: the stream class.
    ///   - trace: its trace.
    ///   - roles: by position of the event class.
    ///   - nests: whether openings and closings are followed.
    /// - Returns: nil where headers are of another kind.
    init?(_ stream: StreamPlan, in trace: TracePlan, roles: [RecordRole], nests: Bool) {
        guard let header = stream.headerPlan?.pointee, let word = header.word else { return nil }
        self.word = word
        let count = min(stream.classTable.count - 1, Int(clamping: header.usual.highest)) + 1
        self.count = UInt64(count)
        entries = .allocate(capacity: max(count, 1))
        entries.initialize(repeating: Entry())
        for id in 0..<count where id >= Int(clamping: header.usual.lowest) && stream.classTable[id] >= 0 {
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

    /// Where a stream is.
    ///
    /// The size of a record waits for its header, and the next header for the size; so a processor goes over several
    /// streams, or parts of one, in the time of one.
    struct Lane {
        /// The next record, and the first byte behind the packet's content.
        var position: UnsafeRawPointer
        var end: UnsafeRawPointer
        /// The clock at the last header, from which the next one counts.
        var clock: UInt64 = 0
        /// How many records are open, and how many were closed that had been opened before.
        var depth = 0
        var closed = 0
        /// ``depth`` before the last record, which stands at that place among the open ones.
        private var depthBefore = 0
        /// The open ones: memory for ``depthLimit`` records, at first without a start.
        let open: UnsafeMutablePointer<Record>
        /// The last record whose role is to be that.
        var latest = Record()
        /// The last record.
        var last: Record { open[depthBefore] }

        /// - Parameters:
        ///   - start: where nothing is passed over; a word can be read there.
        ///   - open: memory for ``depthLimit`` records.
        init(_ start: UnsafeRawPointer, open: UnsafeMutablePointer<Record>) {
            (position, end) = (start, start)
            self.open = open
        }

        /// Goes over a record, unless it must be looked at. A whole word can be read behind the content.
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

        /// Notes a record, and by how much it changes the number of open ones.
        @inline(__always)
        mutating func note(_ start: UnsafeRawPointer, at time: UInt64, depth change: Int) {
            clock = time
            // Every record goes onto the stack. One that opens nothing is overwritten by the next.
            open[depth] = Record(start: start, clock: time)
            depthBefore = depth
            depth &+= change
            if UInt(bitPattern: depth) >= SkipTable.depthLimit { settle() }
        }

        @inline(never)
        private mutating func settle() {
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

    /// So many lanes are gone over at a time.
    static let laneCount = 4

    /// Goes over records up to one that must be looked at.
    ///
    /// - Parameter lanes: where the streams are: ``laneCount`` of them, or one.
    /// - Returns: the position of a lane that is at such a record, or behind its packet's last.
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
