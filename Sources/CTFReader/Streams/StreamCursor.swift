import CMemory

/// The position in a data stream: the next record.
///
/// It contains no references, so the loop over all records has no reference counting.
struct StreamCursor {
    /// The full clock value of the next record.
    var clock: UInt64 = 0
    /// The start of the packet. Positions are in bits from it.
    var base: UnsafeRawPointer
    /// The first bit after the last header or record that was read.
    var position = 0
    /// The first bit after the content of the packet.
    var contentEnd = 0
    /// The first bit of the next record.
    var headerStart = 0
    /// The layout of the next record's class.
    var layout: UnsafePointer<RecordLayout>
    /// The layouts of the trace's event classes.
    let layouts: UnsafePointer<RecordLayout>
    var header: UnsafePointer<HeaderPlan>?
    var classTable = UnsafeBufferPointer<Int32>(start: nil, count: 0)
    /// The thread of the packet; 0 when the trace does not state it.
    var tid: UInt32 = 0
    /// The processor of the packet; -1 when the trace does not state it.
    var processor: Int32 = -1
    /// The index of the stream's clock in the pass.
    var clockIndex = 0

    init(base: UnsafeRawPointer, layouts: UnsafePointer<RecordLayout>) {
        self.base = base
        self.layouts = layouts
        layout = layouts
    }

    /// Fast path: reads the header of the next record.
    ///
    /// - Returns: false when the slow path is necessary. The cursor is not changed then.
    @inline(__always)
    mutating func advance() -> Bool {
        guard let header else { return false }
        let start = BitField.align(position, header.pointee.alignment)
        guard start &+ header.pointee.largestSize <= contentEnd else { return false }
        let tag = header.pointee.tag.load(from: base + (start >> 3))
        if tag >= header.pointee.compact.lowest && tag <= header.pointee.compact.highest {
            return take(header.pointee.compact, tag, at: start)
        }
        if tag >= header.pointee.extended.lowest && tag <= header.pointee.extended.highest {
            return take(header.pointee.extended, tag, at: start)
        }
        return false
    }

    /// The reason why a run of records ends.
    enum RunEnd {
        /// The caller refused the next record.
        case refused
        /// Another stream has an earlier record.
        case overtaken
        /// The next record needs the slow path.
        case needsSlowPath
        /// The next header needs the slow path or is in another packet.
        case headerNotRead
    }

    /// A record of whole bytes at fixed offsets. Positions are in bytes from the start of the packet.
    struct PlainRecord {
        let layout: UnsafePointer<RecordLayout>
        let clock: UInt64
        /// The first byte of the header, and the first byte after it.
        let start: Int
        let context: Int
        let end: Int
    }

    /// Reads a run of records, from the record at the cursor on. Each header needs one load. The run ends before a
    /// record that is not on the fast path.
    ///
    /// Afterwards the cursor is at the next record, or after the last record when the next header was not read.
    ///
    /// - Parameters:
    ///   - rival: the run ends before a record whose clock value is not below this value.
    ///   - take: takes a record; returns false to refuse it, which ends the run.
    @inline(__always)
    mutating func run(until rival: UInt64, _ take: (PlainRecord) -> Bool) -> RunEnd {
        guard let header, let word = header.pointee.word, position & 7 == 0, contentEnd & 7 == 0 else {
            return .needsSlowPath
        }
        let compact = header.pointee.compact
        let (base, layouts, classTable) = (base, layouts, classTable)
        let contentEnd = contentEnd >> 3
        let lastHeader = contentEnd &- header.pointee.largestSize >> 3
        var (layout, clock) = (layout, clock)
        var (start, context) = (headerStart >> 3, position >> 3)
        // The hardware prefetches a few streams. Short runs mean many streams, so prefetch two cache lines some records
        // ahead.
        qs_prefetch_for_reading(base + context + 192, 128)
        defer { (self.layout, self.clock, headerStart, position) = (layout, clock, start << 3, context << 3) }
        while true {
            let end = context &+ layout.pointee.length
            guard layout.pointee.length >= 0, end <= contentEnd, end > start else { return .needsSlowPath }
            let record = PlainRecord(layout: layout, clock: clock, start: start, context: context, end: end)
            guard take(record) else { return .refused }
            context = end
            guard end <= lastHeader else { return .headerNotRead }
            let bits = UInt64(littleEndian: (base + end).loadUnaligned(as: UInt64.self))
            let tag = bits & word.tagMask
            guard tag >= compact.lowest, tag <= compact.highest, tag < UInt64(UInt(bitPattern: classTable.count)),
                case let index = classTable[Int(truncatingIfNeeded: tag)], index >= 0
            else { return .headerNotRead }
            let next = BitField.next(from: clock, low: bits &>> word.timeShift, mask: word.timeMask)
            (start, context) = (end, end &+ word.bytes)
            (layout, clock) = (layouts + Int(index), next)
            if next >= rival { return .overtaken }
        }
    }

    @inline(__always)
    private mutating func take(_ form: HeaderPlan.Form, _ tag: UInt64, at start: Int) -> Bool {
        let bytes = base + (start >> 3)
        let id = form.id.mask == 0 ? tag : form.id.load(from: bytes)
        guard id < UInt64(UInt(bitPattern: classTable.count)) else { return false }
        let index = classTable[Int(truncatingIfNeeded: id)]
        guard index >= 0 else { return false }
        if form.time.mask != 0 { setClock(form.time.load(from: bytes), mask: form.time.mask) }
        headerStart = start
        position = start &+ form.size
        layout = layouts + Int(index)
        return true
    }

    /// Advances the clock to the next value whose low bits are `value`.
    @inline(__always)
    mutating func setClock(_ value: UInt64, mask: UInt64) { clock = BitField.next(from: clock, low: value, mask: mask) }
}
