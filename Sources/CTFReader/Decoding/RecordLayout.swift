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
    var slotCount: Int

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
