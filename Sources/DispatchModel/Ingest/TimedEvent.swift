/// An event record with its instant and the thread that recorded it.
public struct TimedEvent: Sendable {
    public var time: Timestamp
    /// The kernel's id of the thread; 0 for the definitions stream.
    public var tid: UInt32
    public var event: DispatchEvent

    /// - Parameters:
    ///   - time: when the event was recorded.
    ///   - tid: the thread that recorded it; 0 for the definitions stream.
    ///   - event: the event.
    public init(time: Timestamp, tid: UInt32, event: DispatchEvent) {
        self.time = time
        self.tid = tid
        self.event = event
    }
}
