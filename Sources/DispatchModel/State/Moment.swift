/// An instant on a thread. Most event records are one: the thread recorded the event at this time.
struct Moment {
    /// Nanoseconds since the trace's first event record.
    var time: Int64
    var thread: ThreadIndex

    @inline(__always)
    var timestamp: Timestamp { Timestamp(nanoseconds: time) }
}
