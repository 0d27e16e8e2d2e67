/// What the loop over all event records needs to know of an event class, without references to count.
struct RecordLayout {
    var classIndex: Int
    /// All that is known of the class; the trace's plan keeps it alive.
    var plan: Unmanaged<ClassPlan>
    /// Alignments and sizes of the two contexts before the payload, in bits; 1 and 0 for none.
    var streamContextAlignment: Int
    var streamContextSize: Int
    var eventContextAlignment: Int
    var eventContextSize: Int
    var payloadAlignment: Int
    /// Bits of the payload; -1 when contexts or payload must be walked through to find their end.
    var payloadSize: Int
    /// The thread in the stream's event context.
    var tid: ContextNumber
    /// The process there.
    var pid: ContextNumber
    var slots: UnsafePointer<FieldSlot>
    /// The same for a field whose place depends on values, counted from that place.
    var looseSlots: UnsafePointer<FieldSlot>
    var slotCount: Int
    /// Bytes between header and payload, and from the header to the record's end; -1 when the record is not of whole
    /// bytes at fixed places, or when one of its fields takes more than one load.
    var payloadOffset = -1
    var length = -1

    /// Finds out whether records are of whole bytes at fixed places.
    mutating func settle() {
        let alignments = [streamContextAlignment, eventContextAlignment, payloadAlignment]
        let sizes = [streamContextSize, eventContextSize, payloadSize]
        guard payloadSize >= 0, alignments.allSatisfy({ $0 <= 8 }), sizes.allSatisfy({ $0 & 7 == 0 }),
            (0..<slotCount).allSatisfy({ slots[$0].mask != 0 }), !tid.isThere || tid.isDirect
        else { return }
        payloadOffset = (streamContextSize + eventContextSize) >> 3
        length = payloadOffset + payloadSize >> 3
    }

    /// Where the payload begins when the contexts have fixed sizes.
    ///
    /// - Parameter position: the first bit after the event header.
    /// - Returns: the payload's first bit.
    @inline(__always)
    func payloadStart(after position: Int) -> Int {
        let afterStream = BitField.align(position, streamContextAlignment) &+ streamContextSize
        let afterEvent = BitField.align(afterStream, eventContextAlignment) &+ eventContextSize
        return BitField.align(afterEvent, payloadAlignment)
    }
}
