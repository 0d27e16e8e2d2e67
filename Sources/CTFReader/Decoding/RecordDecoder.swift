/// The slow path of ``EventRecord``: decodes any field of the current record.
@usableFromInline
final class RecordDecoder {
    /// Values for lengths and tags.
    private let stores: UnsafeMutablePointer<UInt64>
    /// Offsets of the payload's fields in bits from the start of the packet, for offsets that depend on values.
    private let offsets: UnsafeMutablePointer<Int>

    private let cursors: UnsafeMutableBufferPointer<StreamCursor>
    private let streams: [DataStream]

    // The cursor of the current record. It is positioned after the header of the record.
    private var cursor: UnsafePointer<StreamCursor>
    /// The first bit of the payload of the current record.
    private(set) var payloadStart = 0
    private var storesAreCurrent = false
    /// Whether `offsets` holds the offsets of all fields.
    private var isMeasured = false

    /// Creates the decoder of a pass.
    ///
    /// - Parameters:
    ///   - streams: the data streams of one or more traces.
    ///   - cursors: the cursors of the streams, at least one. They must outlive the decoder.
    init(_ streams: [DataStream], _ cursors: UnsafeMutableBufferPointer<StreamCursor>) {
        self.streams = streams
        self.cursors = cursors
        cursor = UnsafePointer(cursors.baseAddress!)
        let storeCount = streams.map(\.trace.storeCount).max() ?? 1
        stores = .allocate(capacity: storeCount)
        stores.initialize(repeating: 0, count: storeCount)
        let fieldCount = max(streams.map(\.trace.largestFieldCount).max() ?? 0, 1)
        offsets = .allocate(capacity: fieldCount)
        offsets.initialize(repeating: 0, count: fieldCount)
    }

    deinit {
        stores.deallocate()
        offsets.deallocate()
    }

    /// The data stream of the current record.
    var stream: DataStream { streams[cursor - UnsafePointer(cursors.baseAddress!)] }

    /// The packet of the current record, and the first bit after the header of the record.
    var body: (base: UnsafeRawPointer, start: Int) { (cursor.pointee.base, cursor.pointee.position) }

    private var bodyStart: Int { cursor.pointee.position }
    private var contentEnd: Int { cursor.pointee.contentEnd }
    private var classPlan: ClassPlan { cursor.pointee.layout.pointee.plan.takeUnretainedValue() }

    private func walker(at position: Int) -> FieldWalker {
        FieldWalker(base: cursor.pointee.base, end: contentEnd, position: position, stores: stores)
    }

    // MARK: Finding the end

    /// Makes the record at a cursor the current record and finds its end.
    ///
    /// - Returns: the first bit after the record; nil when it is damaged and was skipped.
    @inline(__always)
    func findEnd(of cursor: UnsafeMutablePointer<StreamCursor>) -> Int? {
        let layout = cursor.pointee.layout
        var end = layout.pointee.payloadStart(after: cursor.pointee.position)
        if layout.pointee.payloadSize >= 0 {
            begin(cursor, payloadStart: end)
            end &+= layout.pointee.payloadSize
            guard end <= cursor.pointee.contentEnd else {
                stream.skipDamage(.endOfContent, at: cursor.pointee.headerStart, &cursor.pointee)
                return nil
            }
        } else {
            do throws(FieldWalker.Problem) {
                end = try measure(cursor)
            } catch {
                stream.skipDamage(error, at: cursor.pointee.headerStart, &cursor.pointee)
                return nil
            }
        }
        guard end != cursor.pointee.headerStart else {
            stream.skipEmptyRecord(&cursor.pointee)
            return nil
        }
        return end
    }

    /// Makes a record of fixed size the current record.
    @inline(__always)
    func begin(_ cursor: UnsafeMutablePointer<StreamCursor>, payloadStart: Int) {
        self.cursor = UnsafePointer(cursor)
        self.payloadStart = payloadStart
        storesAreCurrent = false
        isMeasured = false
    }

    /// Makes a record of variable size the current record and finds its fields.
    ///
    /// - Returns: the first bit after the record.
    func measure(_ cursor: UnsafeMutablePointer<StreamCursor>) throws(FieldWalker.Problem) -> Int {
        self.cursor = UnsafePointer(cursor)
        storesAreCurrent = false
        isMeasured = false
        let plan = classPlan
        guard plan.hasFixedContexts, let steps = plan.steps else { return try walk(plan) }
        payloadStart = cursor.pointee.layout.pointee.payloadStart(after: bodyStart)
        guard payloadStart <= contentEnd else { throw .endOfContent }
        let first = plan.firstStep
        for index in 0..<first { offsets[index] = payloadStart + plan.fixedOffsets[index] }
        var walker = walker(at: payloadStart)
        if first > 0 {
            walker.position = offsets[first - 1] + (plan.fields[first - 1].fixedSize ?? 0)
            guard walker.position <= contentEnd else { throw .endOfContent }
        }
        for (index, step) in zip(first..., steps) {
            switch step {
            case .fixed(let alignment, let size):
                offsets[index] = BitField.align(walker.position, alignment)
                walker.position = offsets[index] + size
            case .text:
                offsets[index] = BitField.align(walker.position, 8)
                _ = try walker.text()
            case .sequence(let lengthField, let alignment, let elementSize):
                offsets[index] = BitField.align(walker.position, alignment)
                let room = contentEnd - offsets[index]
                let count = number(plan.fields[lengthField], at: offsets[lengthField])
                guard room >= 0, count <= UInt64(room / elementSize) else { throw .endOfContent }
                walker.position = offsets[index] + Int(count) * elementSize
            }
            guard walker.position <= contentEnd else { throw .endOfContent }
        }
        isMeasured = true
        return walker.position
    }

    /// Finds the fields of any record and fills the stores. Slow path of ``measure(_:)``.
    private func walk(_ plan: ClassPlan) throws(FieldWalker.Problem) -> Int {
        if plan.refersToPacket {
            stores.update(from: stream.packetStores, count: stream.trace.storeCount)
        }
        if plan.refersToHeader, let header = stream.plan?.eventHeader {
            var walker = walker(at: cursor.pointee.headerStart)
            try walker.skip(header)
        }
        var walker = walker(at: bodyStart)
        if let context = plan.streamContext { try walker.skip(context) }
        if let context = plan.eventContext { try walker.skip(context) }
        if let payload = plan.payload { walker.position = BitField.align(walker.position, payload.alignment) }
        payloadStart = walker.position
        for (index, field) in plan.fields.enumerated() {
            offsets[index] = BitField.align(walker.position, field.alignment)
            try walker.skip(field)
        }
        storesAreCurrent = true
        guard walker.position <= contentEnd else { throw .endOfContent }
        isMeasured = true
        return walker.position
    }

    // MARK: Fields

    private func field(_ index: Int) -> (node: FieldNode, position: Int)? {
        let plan = classPlan
        guard plan.fields.indices.contains(index) else { return nil }
        let fixed = plan.fixedOffsets[index]
        return (plan.fields[index], fixed >= 0 ? payloadStart + fixed : offsets[index])
    }

    private func number(_ node: FieldNode, at position: Int) -> UInt64 {
        var walker = walker(at: position)
        return (try? walker.number(node)) ?? 0
    }

    @usableFromInline
    func number(_ index: Int) -> UInt64 {
        let layout = cursor.pointee.layout
        if isMeasured, index < layout.pointee.slotCount, offsets[index] & 7 == 0,
            case let slot = layout.pointee.fieldRelativeSlots + index, slot.pointee.mask != 0
        {
            return slot.pointee.load(from: cursor.pointee.base + offsets[index] >> 3)
        }
        guard let (node, position) = field(index), node.isInteger else { return 0 }
        return number(node, at: position)
    }

    func string(_ index: Int) -> String {
        guard let (node, position) = field(index) else { return "" }
        if case .string = node.kind {
            guard node.encoding.unitSize == 1 else { return value(index).text ?? "" }
            var walker = walker(at: position)
            guard let bytes = try? walker.text() else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
        guard node.isText, case .string(let text) = value(index) else { return "" }
        return text
    }

    func numbers(_ index: Int) -> [UInt64] {
        guard let (node, position) = field(index) else { return [] }
        prepareStores()
        let element: FieldNode
        let count: UInt64
        switch node.kind {
        case .array(let type, let length): (element, count) = (type, UInt64(length))
        case .sequence(let type, let store): (element, count) = (type, stores[store])
        default: return []
        }
        guard element.isInteger, count <= UInt64(max(contentEnd - position, 0)) else { return [] }
        var walker = walker(at: position)
        var numbers: [UInt64] = []
        numbers.reserveCapacity(Int(count))
        for _ in 0..<count {
            guard let number = try? walker.number(element) else { break }
            numbers.append(number)
        }
        return numbers
    }

    func value(_ index: Int) -> CTFValue {
        guard let (node, position) = field(index) else { return .structure([]) }
        prepareStores()
        return value(node, at: position)
    }

    /// The value of a field outside the payload; nil when the event class does not have the field.
    func value(_ field: CTFContextField) -> CTFValue? {
        let plan = classPlan
        let structure: FieldNode?
        let start: Int
        switch field.scope {
        case .packet: return stream.packetContextValue(field.index)
        case .header: (structure, start) = (stream.plan?.eventHeader, cursor.pointee.headerStart)
        case .stream: (structure, start) = (plan.streamContext, bodyStart)
        case .event: (structure, start) = (plan.eventContext, bodyStart)
        }
        guard let structure, structure.fields.indices.contains(field.index) else { return nil }
        prepareStores()
        var walker = walker(at: start)
        do throws(FieldWalker.Problem) {
            if field.scope == .event, let before = plan.streamContext { try walker.skip(before) }
            return try walker.read(structure, field: field.index)
        } catch {
            // The record was measured before it was delivered, so its contexts are complete.
            return nil
        }
    }

    /// Calls `body` for each structure after the header of the record, with a walker at its start.
    func forEachStructure(_ body: (FieldNode, inout FieldWalker) throws(FieldWalker.Problem) -> Void) {
        prepareStores()
        let plan = classPlan
        var walker = walker(at: bodyStart)
        for node in plan.structures {
            guard (try? body(node, &walker)) != nil else { return }
        }
    }

    private func value(_ node: FieldNode, at position: Int) -> CTFValue {
        var walker = walker(at: position)
        return (try? walker.read(node)) ?? .structure([])
    }

    /// Fills the stores when the fast path did not.
    private func prepareStores() {
        guard !storesAreCurrent else { return }
        let plan = classPlan
        if plan.payload?.fixedSize == nil || !plan.hasFixedContexts { _ = try? walk(plan) }
        storesAreCurrent = true
    }
}
