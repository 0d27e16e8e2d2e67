/// One event record, valid only during the call that it is passed to.
///
/// Fields are named by their position in the payload of the record's event class, see ``CTFEventClass/fields``. A
/// position outside of the payload, such as -1 for a field that the class does not have, gives zero or nothing.
public struct EventRecord {
    /// Position of the record's class in ``CTFTrace/eventClasses``.
    public var classIndex: Int
    /// The clock's full value at the event.
    public var clockValue: UInt64
    /// The event's time in nanoseconds from the clock's origin, exact and rounded down.
    public var nanoseconds: Int64
    /// Number of the data stream (file) that holds the record, from 0.
    public var streamIndex: Int
    /// The thread: the packet context's `tid`, or the stream event context's `vtid` or `tid`; 0 when the trace has none.
    public var packetTID: UInt32
    /// The process: the stream event context's `vpid` or `pid`; 0 when the records have none.
    public var processID: UInt32
    /// The processor: the packet context's `cpu_id`; -1 when the trace has none.
    public var processor: Int32

    /// Its fields, by their places in records of its class.
    public var payload: EventPayload
    var slots: UnsafePointer<FieldSlot>
    var slotCount = 0

    /// A record of which nothing is known.
    init(_ payload: EventPayload, slots: UnsafePointer<FieldSlot>) {
        classIndex = 0
        clockValue = 0
        nanoseconds = 0
        streamIndex = 0
        packetTID = 0
        processID = 0
        processor = -1
        self.payload = payload
        self.slots = slots
    }

    /// The value of an integer or enumeration field; a negative value gives its two's complement in 64 bits.
    ///
    /// - Parameter field: position in the payload.
    /// - Returns: the number; 0 for another type of field.
    public func unsigned(_ field: Int) -> UInt64 { payload.unsigned(place(of: field)) }

    /// The value of an integer or enumeration field with its sign.
    ///
    /// - Parameter field: position in the payload.
    /// - Returns: the number; 0 for another type of field.
    public func signed(_ field: Int) -> Int64 { Int64(bitPattern: unsigned(field)) }

    /// The text of a string field or of an array of characters; invalid UTF-8 is repaired.
    ///
    /// - Parameter field: position in the payload.
    /// - Returns: the text; empty for another type of field.
    public func string(_ field: Int) -> String { payload.string(place(of: field)) }

    /// The numbers of an array or sequence field of integers or enumerations.
    ///
    /// - Parameter field: position in the payload.
    /// - Returns: the numbers; empty for another type of field.
    public func unsignedArray(_ field: Int) -> [UInt64] { payload.unsignedArray(place(of: field)) }

    private func place(of field: Int) -> FieldPlace {
        guard UInt(bitPattern: field) < UInt(bitPattern: slotCount) else { return .absent }
        return FieldPlace(slots[field], position: field)
    }

    /// The value of a field outside of the payload, of any type.
    ///
    /// - Parameter field: a field that ``CTFTrace/contextField(_:of:)`` found for the record's class.
    /// - Returns: the value; nil when records of this class have no such field.
    /// - Complexity: O(fields before it); ``packetTID``, ``processID`` and ``processor`` are cheaper.
    public func value(_ field: CTFContextField) -> CTFValue? {
        payload.decoder.value(field)
    }

    /// The value of a field of any type.
    ///
    /// - Parameter field: position in the payload.
    /// - Returns: the value; an empty structure when there is no such field.
    public func value(_ field: Int) -> CTFValue {
        payload.decoder.value(field)
    }
}
