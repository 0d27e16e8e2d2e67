/// What the data streams of one kind have in common: the contexts around their event records, and their clock.
public struct CTFStreamClass: Hashable, Sendable {
    /// The number that identifies the class in its trace.
    public var id: UInt64
    /// The clock that the time stamps of these streams count, nil when they have none.
    public var clock: ClockClass?
    /// What stands once at the beginning of each packet, for instance `cpu_id`.
    public var packetContext: [CTFField]
    /// What stands before every event record: its class and time stamp.
    public var eventHeader: [CTFField]
    /// What stands in every event record, for instance `vpid`, `vtid` and `procname`.
    public var eventContext: [CTFField]
}
