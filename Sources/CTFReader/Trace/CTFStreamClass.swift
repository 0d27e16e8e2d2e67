/// A stream class: the contexts and the clock of its data streams.
public struct CTFStreamClass: Hashable, Sendable {
    /// The id of the class in its trace.
    public var id: UInt64
    /// The clock of the time stamps; nil without one.
    public var clock: ClockClass?
    /// The fields of the packet context, for example `cpu_id`.
    public var packetContext: [CTFField]
    /// The fields of the event header: the class and the time stamp of a record.
    public var eventHeader: [CTFField]
    /// The fields of the event context of all records, for example `vpid`, `vtid` and `procname`.
    public var eventContext: [CTFField]
}
