/// What event records of different streams are ordered by.
enum EventOrder {
    /// The exact time.
    case exactTime
    /// The time as babeltrace2 computes it, in which different clock values may be the same nanosecond.
    case displayedTime
}
