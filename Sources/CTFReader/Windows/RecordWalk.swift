/// Visits the event records of some packets of a data stream.
struct RecordWalk {
    let file: MappedFile
    let trace: TracePlan

    /// A record, valid only during the call of `body`.
    struct Record {
        let place: RecordPlace
        let layout: UnsafePointer<RecordLayout>
        fileprivate let payload: UnsafeRawPointer

        /// The value of an integer field at a fixed offset of the payload; nil for other fields.
        @inline(__always)
        func number(_ field: Int) -> UInt64? {
            guard UInt(bitPattern: field) < UInt(bitPattern: layout.pointee.slotCount) else { return nil }
            let slot = layout.pointee.slots[field]
            return slot.mask == 0 ? nil : slot.load(from: payload)
        }
    }

    /// Calls `body` for each record of fixed size in whole packets.
    ///
    /// - Parameters:
    ///   - packets: the range of the packets in bytes.
    ///   - ofAnySize: whether to include records of variable size.
    /// - Returns: whether the packets are undamaged.
    @inline(__always) @discardableResult
    func run(_ packets: Range<Int>, ofAnySize: Bool = false, _ body: (Record) -> Void) -> Bool {
        guard !packets.isEmpty else { return true }
        let stream = DataStream(file, trace, ledger: nil, excerpt: StreamExcerpt(packets: packets))
        let cursors = UnsafeMutableBufferPointer<StreamCursor>.allocate(capacity: 1)
        cursors.initialize(repeating: StreamCursor(base: file.bytes, layouts: trace.layouts))
        defer { cursors.deallocate() }
        let cursor = cursors.baseAddress!
        let decoder = RecordDecoder([stream], cursors)
        while cursor.pointee.advance() || stream.advance(&cursor.pointee) {
            let (base, packet) = (cursor.pointee.base, stream.packetStart)
            let runEnd = cursor.pointee.run(until: .max) { record in
                body(
                    Record(
                        place: RecordPlace(
                            packet: packet, start: record.start << 3, end: record.end << 3, clock: record.clock),
                        layout: record.layout,
                        payload: base + record.context + record.layout.pointee.payloadOffset))
                return true
            }
            if runEnd == .headerNotRead { continue }
            let layout = cursor.pointee.layout
            guard let end = decoder.findEnd(of: cursor) else { continue }
            if ofAnySize || layout.pointee.payloadSize >= 0 {
                body(
                    Record(
                        place: RecordPlace(
                            packet: stream.packetStart, start: cursor.pointee.headerStart, end: end,
                            clock: cursor.pointee.clock), layout: layout,
                        payload: cursor.pointee.base + (decoder.payloadStart >> 3)))
            }
            cursor.pointee.position = end
        }
        return stream.notes.isEmpty
    }
}
