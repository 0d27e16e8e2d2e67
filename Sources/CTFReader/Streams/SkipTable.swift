/// How to go over event records that are not decoded: by their ids, with one load for each record's header and one for
/// its size.
///
/// It serves streams whose headers begin with a small id and have a time stamp, all of it in one word, as the ring buffer
/// and LTTng write them.
struct SkipTable {
    private struct Entry {
        /// Bytes of the whole record; 0 for one that must be looked at.
        var size: Int32 = 0
        /// By how much it changes the number of open records.
        var depth: Int16 = 0
        var isWaiting = false
    }

    /// A record that was passed over.
    struct Record {
        /// Offsets in bytes from the file's begin.
        var offset = -1
        var end = -1
        /// The clock's full value.
        var clock: UInt64 = 0
    }

    /// Deeper nesting than this is not followed.
    static let depthLimit = 64

    private let entries: UnsafeMutableBufferPointer<Entry>
    private let tagMask: UInt64
    private let timeMask: UInt64
    private let timeShift: UInt64
    private let headerSize: Int

    /// - Parameters:
    ///   - stream: the stream class.
    ///   - trace: its trace.
    ///   - roles: by position of the event class.
    ///   - nests: whether openings and closings are followed.
    /// - Returns: nil where headers are of another kind.
    init?(_ stream: StreamPlan, in trace: TracePlan, roles: [RecordRole], nests: Bool) {
        guard let header = stream.headerPlan?.pointee, header.alignment == 8, header.usual.id.mask == 0,
            header.tag.byteOffset == 0, header.tag.shift == 0, header.tag.signBit == 0,
            header.usual.size % 8 == 0
        else { return nil }
        let time = header.usual.time
        let shift = UInt64(time.byteOffset) * 8 + UInt64(time.shift)
        guard time.mask != 0, time.mask.leadingZeroBitCount >= shift else { return nil }
        tagMask = header.tag.mask
        timeMask = time.mask
        timeShift = shift
        headerSize = header.usual.size
        let count = min(stream.classTable.count, Int(clamping: header.usual.highest) + 1)
        entries = .allocate(capacity: max(count, 1))
        entries.initialize(repeating: Entry())
        for id in 0..<count where id >= Int(clamping: header.usual.lowest) && stream.classTable[id] >= 0 {
            let index = Int(stream.classTable[id])
            entries[id] = Self.entry(trace.layouts[index], roles[index], headerSize: headerSize, nests: nests)
        }
    }

    private static func entry(_ layout: RecordLayout, _ role: RecordRole, headerSize: Int, nests: Bool) -> Entry {
        let alignment = max(layout.streamContextAlignment, layout.eventContextAlignment, layout.payloadAlignment)
        guard layout.payloadSize >= 0, alignment <= 8 else { return Entry() }
        let size = layout.payloadStart(after: headerSize) + layout.payloadSize
        guard size % 8 == 0, size > 0 else { return Entry() }
        switch role {
        case .state, .name, .latest: return Entry()
        case .passing: return Entry(size: Int32(size >> 3))
        case .waiting: return Entry(size: Int32(size >> 3), isWaiting: true)
        case .opening: return Entry(size: Int32(size >> 3), depth: nests ? 1 : 0)
        case .closing: return Entry(size: Int32(size >> 3), depth: nests ? -1 : 0)
        }
    }

    func deallocate() { entries.deallocate() }

    /// What goes on from record to record.
    struct State {
        var clock: UInt64 = 0
        /// The last record, and whether its role is to wait.
        var last = Record()
        var isWaiting = false
        /// How many records are open, and how many were closed that had been opened before.
        var depth = 0
        var closed = 0
    }

    /// Goes over records up to one that must be looked at.
    ///
    /// - Parameters:
    ///   - file: the file's first byte.
    ///   - start: offset of a record in the file.
    ///   - end: offset of the first byte behind the packet's content.
    ///   - state: where the stream is.
    ///   - open: memory for ``depthLimit`` open records.
    /// - Returns: offset of the first record that was not passed over; the content's end when there is none.
    @inline(never)
    func skip(
        _ file: UnsafeRawPointer, from start: Int, to end: Int, _ state: inout State,
        open: UnsafeMutablePointer<Record>
    ) -> Int {
        let entries = entries.baseAddress!
        let count = UInt64(self.entries.count)
        let (tagMask, timeMask, timeShift) = (tagMask, timeMask, timeShift)
        let lastHeader = end &- headerSize >> 3
        var (clock, last, isWaiting) = (state.clock, state.last, state.isWaiting)
        var (depth, closed) = (state.depth, state.closed)
        var position = start
        while position <= lastHeader {
            let word = UInt64(littleEndian: file.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let tag = word & tagMask
            guard tag < count else { break }
            let entry = entries[Int(truncatingIfNeeded: tag)]
            let next = position &+ Int(entry.size)
            guard entry.size != 0, next <= end else { break }
            clock = clock &+ ((word &>> timeShift &- clock) & timeMask)
            // Every record goes onto the stack. One that opens nothing is overwritten by the next.
            last = Record(offset: position, end: next, clock: clock)
            open[depth] = last
            let change = depth &+ Int(entry.depth)
            closed &-= change &>> 63
            depth = min(max(change, 0), Self.depthLimit - 1)
            isWaiting = entry.isWaiting
            position = next
        }
        state.clock = clock
        state.last = last
        state.isWaiting = isWaiting
        state.depth = depth
        state.closed = closed
        return position
    }
}
