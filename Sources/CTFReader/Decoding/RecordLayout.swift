/// The layout of an event class for the loop over all event records. It contains no references, so the loop has no
/// reference counting.
struct RecordLayout {
    var classIndex: Int
    /// The full plan of the class. The trace's plan keeps it alive.
    var plan: Unmanaged<ClassPlan>
    /// Alignment and size of the two contexts before the payload, in bits; 1 and 0 without a context.
    var streamContextAlignment: Int
    var streamContextSize: Int
    var eventContextAlignment: Int
    var eventContextSize: Int
    var payloadAlignment: Int
    /// Size of the payload in bits; -1 when a context or the payload has no fixed size.
    var payloadSize: Int
    /// The thread id in the stream's event context.
    var tid: ContextNumber
    /// The process id in the stream's event context.
    var pid: ContextNumber
    var slots: UnsafePointer<FieldSlot>
    /// Slots relative to the start of each field, for fields whose offset depends on values.
    var fieldRelativeSlots: UnsafePointer<FieldSlot>
    var slotCount: Int
    /// Bytes between the header and the payload, and between the header and the end of the record. Both are -1 when the
    /// record does not consist of whole bytes at fixed offsets, or when one of its fields needs more than one load.
    var payloadOffset = -1
    var length = -1

    /// Computes ``payloadOffset`` and ``length``.
    mutating func computeByteOffsets() {
        let alignments = [streamContextAlignment, eventContextAlignment, payloadAlignment]
        let sizes = [streamContextSize, eventContextSize, payloadSize]
        guard payloadSize >= 0, alignments.allSatisfy({ $0 <= 8 }), sizes.allSatisfy({ $0 & 7 == 0 }),
            (0..<slotCount).allSatisfy({ slots[$0].mask != 0 }), !tid.isThere || tid.isDirect
        else { return }
        payloadOffset = (streamContextSize + eventContextSize) >> 3
        length = payloadOffset + payloadSize >> 3
    }

    /// The start of the payload when the contexts have fixed sizes.
    ///
    /// - Parameter position: the first bit after the event header.
    /// - Returns: the first bit of the payload.
    @inline(__always)
    func payloadStart(after position: Int) -> Int {
        let afterStream = BitField.align(position, streamContextAlignment) &+ streamContextSize
        let afterEvent = BitField.align(afterStream, eventContextAlignment) &+ eventContextSize
        return BitField.align(afterEvent, payloadAlignment)
    }
}
