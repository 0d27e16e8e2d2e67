/// An event record. It is valid only during the call that it is passed to.
///
/// Fields are identified by their index in the payload, see ``CTFEventClass/fields``. An index outside the payload,
/// such as -1 for a field that the class does not have, gives zero or an empty value.
public struct EventRecord {
    /// Index of the event class in ``CTFTrace/eventClasses``.
    public var classIndex: Int
    /// The full clock value of the event.
    public var clockValue: UInt64
    /// The time of the event in nanoseconds from the origin of the clock, rounded down.
    public var nanoseconds: Int64
    /// The thread id: `tid` of the packet context, or `vtid` or `tid` of the stream's event context; 0 when the trace
    /// has neither.
    public var packetTID: UInt32
    /// The process id: `vpid` or `pid` of the stream's event context; 0 when the records have neither.
    public var processID: UInt32
    /// The processor: `cpu_id` of the packet context; -1 when the trace has none.
    public var processor: Int32

    /// The payload.
    public var payload: EventPayload
    var slots: UnsafePointer<FieldSlot>
    var slotCount = 0

    /// Creates a record without values.
    init(_ payload: EventPayload, slots: UnsafePointer<FieldSlot>) {
        classIndex = 0
        clockValue = 0
        nanoseconds = 0
        packetTID = 0
        processID = 0
        processor = -1
        self.payload = payload
        self.slots = slots
    }

    /// The value of an integer or enumeration field. A negative value is returned in two's complement.
    ///
    /// - Parameter field: index in the payload.
    /// - Returns: the value; 0 for a field of another type.
    public func unsigned(_ field: Int) -> UInt64 { payload.unsigned(place(of: field)) }

    /// The value of an integer or enumeration field as a signed number.
    ///
    /// - Parameter field: index in the payload.
    /// - Returns: the value; 0 for a field of another type.
    public func signed(_ field: Int) -> Int64 { Int64(bitPattern: unsigned(field)) }

    /// The text of a string field or an array of characters. Invalid UTF-8 is repaired.
    ///
    /// - Parameter field: index in the payload.
    /// - Returns: the text; empty for a field of another type.
    public func string(_ field: Int) -> String { payload.string(place(of: field)) }

    /// The numbers of an array or sequence field of integers or enumerations.
    ///
    /// - Parameter field: index in the payload.
    /// - Returns: the numbers; empty for a field of another type.
    public func unsignedArray(_ field: Int) -> [UInt64] { payload.unsignedArray(place(of: field)) }

    private func place(of field: Int) -> FieldPlace {
        guard UInt(bitPattern: field) < UInt(bitPattern: slotCount) else { return .absent }
        return FieldPlace(slots[field], position: field)
    }

    /// The value of a field outside the payload.
    ///
    /// - Parameter field: a field that ``CTFTrace/contextField(_:of:)`` returned for the class of the record.
    /// - Returns: the value; nil when the class does not have the field.
    /// - Complexity: O(fields before it). ``packetTID``, ``processID`` and ``processor`` are faster.
    public func value(_ field: CTFContextField) -> CTFValue? {
        payload.decoder.value(field)
    }

    /// The value of a field of any type.
    ///
    /// - Parameter field: index in the payload.
    /// - Returns: the value; an empty structure when there is no such field.
    public func value(_ field: Int) -> CTFValue {
        payload.decoder.value(field)
    }
}
