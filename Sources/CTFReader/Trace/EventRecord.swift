/// One event record, valid only during the call that it is passed to.
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

    /// Its fields.
    public var payload: EventPayload

    /// A record of which only the fields are known.
    init(_ payload: EventPayload) {
        classIndex = 0
        clockValue = 0
        nanoseconds = 0
        streamIndex = 0
        packetTID = 0
        processID = 0
        processor = -1
        self.payload = payload
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
