import CMemory

/// The place in a data stream: the record that comes next there.
///
/// It holds no references, so that the loop over all records counts none.
struct StreamCursor {
    /// The clock's full value at the next record.
    var clock: UInt64 = 0
    /// The packet's first byte; all positions are in bits from it.
    var base: UnsafeRawPointer
    /// The first bit after the last header or record that was read.
    var position = 0
    /// The first bit after the packet's content.
    var contentEnd = 0
    /// The first bit of the next record.
    var headerStart = 0
    /// The next record's class.
    var layout: UnsafePointer<RecordLayout>
    /// The classes of all records of the trace.
    let layouts: UnsafePointer<RecordLayout>
    var header: UnsafePointer<HeaderPlan>?
    var classTable = UnsafeBufferPointer<Int32>(start: nil, count: 0)
    /// The thread whose records the packet holds.
    var tid: UInt32 = 0
    /// The processor whose records the packet holds, -1 when the trace does not say.
    var processor: Int32 = -1
    /// Number of the stream's clock in the pass.
    var clockIndex = 0

    init(base: UnsafeRawPointer, layouts: UnsafePointer<RecordLayout>) {
        self.base = base
        self.layouts = layouts
        layout = layouts
    }

    /// Reads the next record's header in the short way.
    ///
    /// - Returns: whether that was possible; nothing has changed otherwise.
    @inline(__always)
    mutating func advance() -> Bool {
        guard let header else { return false }
        let start = BitField.align(position, header.pointee.alignment)
        guard start &+ header.pointee.largestSize <= contentEnd else { return false }
        let tag = header.pointee.tag.load(from: base + (start >> 3))
        if tag >= header.pointee.usual.lowest && tag <= header.pointee.usual.highest {
            return take(header.pointee.usual, tag, at: start)
        }
        if tag >= header.pointee.other.lowest && tag <= header.pointee.other.highest {
            return take(header.pointee.other, tag, at: start)
        }
        return false
    }

    /// Why a run of records ends.
    enum RunEnd {
        /// The next record was refused.
        case refused
        /// It does not come before a rival.
        case overtaken
        /// It takes the long way.
        case unusual
        /// Its header takes the long way, or is in another packet.
        case unread
    }

    /// A record of whole bytes at fixed places; these count from the packet's first byte.
    struct PlainRecord {
        let layout: UnsafePointer<RecordLayout>
        let clock: UInt64
        /// The first byte of the header, and of what follows it.
        let start: Int
        let context: Int
        let end: Int
    }

    /// Goes over a run of records, from the one at the cursor on, with one load for the header of each. The run ends
    /// before a record that needs more than one load for one of its parts.
    ///
    /// Afterwards the cursor is at the next record, or behind the last one if the next header was not read.
    ///
    /// - Parameters:
    ///   - rival: the run ends before a record whose clock is not below this.
    ///   - take: takes a record; false to refuse it, which ends the run.
    @inline(__always)
    mutating func run(until rival: UInt64, _ take: (PlainRecord) -> Bool) -> RunEnd {
        guard let header, let word = header.pointee.word, position & 7 == 0, contentEnd & 7 == 0 else {
            return .unusual
        }
        let usual = header.pointee.usual
        let (base, layouts, classTable) = (base, layouts, classTable)
        let contentEnd = contentEnd >> 3
        let lastHeader = contentEnd &- header.pointee.largestSize >> 3
        var (layout, clock) = (layout, clock)
        var (start, context) = (headerStart >> 3, position >> 3)
        // A processor loads the next lines of few streams by itself. Where runs are short there are many: two lines are
        // asked for, some records ahead.
        qs_prefetch_for_reading(base + context + 192, 128)
        defer { (self.layout, self.clock, headerStart, position) = (layout, clock, start << 3, context << 3) }
        while true {
            let end = context &+ layout.pointee.length
            guard layout.pointee.length >= 0, end <= contentEnd, end > start else { return .unusual }
            let record = PlainRecord(layout: layout, clock: clock, start: start, context: context, end: end)
            guard take(record) else { return .refused }
            context = end
            guard end <= lastHeader else { return .unread }
            let bits = UInt64(littleEndian: (base + end).loadUnaligned(as: UInt64.self))
            let tag = bits & word.tagMask
            guard tag >= usual.lowest, tag <= usual.highest, tag < UInt64(UInt(bitPattern: classTable.count)),
                case let index = classTable[Int(truncatingIfNeeded: tag)], index >= 0
            else { return .unread }
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

    /// Sets the clock to the next value whose low bits are `value`.
    @inline(__always)
    mutating func setClock(_ value: UInt64, mask: UInt64) { clock = BitField.next(from: clock, low: value, mask: mask) }
}
