/// One event record, valid only during the call that it is passed to.
///
/// Fields are named by their position in the payload of the record's event class, see ``CTFEventClass/fields``. A
/// position outside of the payload, such as -1 for a field that the class does not have, gives zero or nothing.
public struct EventRecord {
    /// Position of the record's class in ``CTFTrace/eventClasses``.
    public internal(set) var classIndex: Int
    /// The clock's full value at the event.
    public internal(set) var clockValue: UInt64
    /// The event's time in nanoseconds from the clock's origin, exact and rounded down.
    public internal(set) var nanoseconds: Int64
    /// Number of the data stream (file) that holds the record, from 0.
    public internal(set) var streamIndex: Int
    /// The thread: the packet context's `tid`, or the stream event context's `vtid` or `tid`; 0 when the trace has none.
    public internal(set) var packetTID: UInt32
    /// The process: the stream event context's `vpid` or `pid`; 0 when the records have none.
    public internal(set) var processID: UInt32
    /// The processor: the packet context's `cpu_id`; -1 when the trace has none.
    public internal(set) var processor: Int32

    // Bytes from `payload` on may be loaded as whole words: every mapping is followed by readable bytes.
    @usableFromInline var payload: UnsafeRawPointer
    @usableFromInline var slots: UnsafePointer<FieldSlot>
    @usableFromInline var slotCount: Int
    @usableFromInline unowned(unsafe) var decoder: RecordDecoder

    /// The value of an integer or enumeration field; a negative value gives its two's complement in 64 bits.
    ///
    /// - Parameter field: position in the payload.
    /// - Returns: the number; 0 for another type of field.
    @inlinable @inline(__always)
    public func unsigned(_ field: Int) -> UInt64 {
        guard UInt(bitPattern: field) < UInt(bitPattern: slotCount) else { return 0 }
        let slot = slots[field]
        guard slot.mask != 0 else { return decoder.number(field) }
        return slot.load(from: payload)
    }

    /// The value of an integer or enumeration field with its sign.
    ///
    /// - Parameter field: position in the payload.
    /// - Returns: the number; 0 for another type of field.
    @inlinable
    public func signed(_ field: Int) -> Int64 {
        Int64(bitPattern: unsigned(field))
    }

    /// The text of a string field or of an array of characters; invalid UTF-8 is repaired.
    ///
    /// - Parameter field: position in the payload.
    /// - Returns: the text; empty for another type of field.
    public func string(_ field: Int) -> String {
        decoder.string(field)
    }

    /// The numbers of an array or sequence field of integers or enumerations.
    ///
    /// - Parameter field: position in the payload.
    /// - Returns: the numbers; empty for another type of field.
    public func unsignedArray(_ field: Int) -> [UInt64] {
        decoder.numbers(field)
    }

    /// The value of a field outside of the payload, of any type.
    ///
    /// - Parameter field: a field that ``CTFTrace/contextField(_:of:)`` found for the record's class.
    /// - Returns: the value; nil when records of this class have no such field.
    /// - Complexity: O(fields before it); ``packetTID``, ``processID`` and ``processor`` are cheaper.
    public func value(_ field: CTFContextField) -> CTFValue? {
        decoder.value(field)
    }

    /// The value of a field of any type.
    ///
    /// - Parameter field: position in the payload.
    /// - Returns: the value; an empty structure when there is no such field.
    public func value(_ field: Int) -> CTFValue {
        decoder.value(field)
    }
}
