import DispatchModel

/// Finds one item while the trace is read.
///
/// Keeps one item, whatever the length of the trace. Not thread-safe.
public final class ItemStory: ModelObserver {
    /// The criterion of the item.
    public enum Wanted: Sendable, Hashable {
        /// The item with this number.
        case number(ItemNumber)
        /// The item with the longest time from its submission to its end.
        case slowest
        /// The innermost item that a thread ran within an interval.
        case running(tid: UInt32, from: Timestamp, to: Timestamp)
    }

    private let wanted: Wanted
    /// The item, once it has been found.
    public private(set) var item: Item?

    public var followed: ObservationKinds { .items }

    /// - Parameter wanted: the criterion.
    public init(_ wanted: Wanted) { self.wanted = wanted }

    public func observe(_ observation: Observation, in model: DispatchModel) {
        if case .item(let item) = observation { observe(item, in: model) }
    }

    public func observe(_ item: Item, in model: DispatchModel) {
        switch wanted {
        case .number(let number): if item.number == number { self.item = item }
        case .slowest:
            // An item that is open at the end of the trace has no end.
            let best = self.item.map { $0.endedAt - $0.enqueuedAt } ?? Nanoseconds(-1)
            if item.isFinished, item.endedAt - item.enqueuedAt > best { self.item = item }
        case .running(let tid, let from, let to):
            guard item.beganAt <= to, item.endedAt >= from, model[item.thread].tid == tid else { return }
            if self.item.map({ item.service < $0.service }) ?? true { self.item = item }
        }
    }
}
