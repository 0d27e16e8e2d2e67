import DispatchModel

/// When and by whom the items of a recording were submitted and ended.
///
/// Evidence of an item is when it began. That it was late, long or on that queue is told by the other two.
final class ItemMoments: ModelObserver {
    /// A record of a thread.
    struct Moment: Hashable {
        let time: Timestamp
        let thread: ThreadIndex
    }

    var followed: ObservationKinds { .items }
    /// By where each begins.
    private var others: [Moment: [Moment]] = [:]

    func observe(_ observation: Observation, in model: DispatchModel) {}

    func observe(_ item: Item, in model: DispatchModel) {
        var moments = [Moment(time: item.endedAt, thread: item.thread)]
        if let thread = item.enqueuedOn { moments.append(Moment(time: item.enqueuedAt, thread: thread)) }
        others[Moment(time: item.beganAt, thread: item.thread), default: []] += moments
    }

    /// A moment, and where an item begins then, its submission and its end.
    func all(at moment: Moment) -> [Moment] { [moment] + others[moment, default: []] }
}
