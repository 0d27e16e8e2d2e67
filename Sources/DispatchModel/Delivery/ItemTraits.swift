/// Properties of an item as bits, computed once for all observers. A column of these bits identifies the items that an
/// observer must read.
public struct ItemTraits: OptionSet, Sendable {
    public let rawValue: UInt32
    /// - Parameter rawValue: one bit per trait.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Set for every item.
    @inlinable public static var any: ItemTraits { ItemTraits(rawValue: 1) }
    /// The item of an actor or an event loop.
    @inlinable public static var foreign: ItemTraits { ItemTraits(rawValue: 2) }
    /// The item of an actor.
    @inlinable public static var actorJob: ItemTraits { ItemTraits(rawValue: 4) }
    /// The item of an event loop.
    @inlinable public static var loopIteration: ItemTraits { ItemTraits(rawValue: 8) }
    /// The item was submitted as a barrier.
    @inlinable public static var barrier: ItemTraits { ItemTraits(rawValue: 16) }
    /// The item was submitted with a delay.
    @inlinable public static var after: ItemTraits { ItemTraits(rawValue: 32) }
    /// The item has ended, and its submitter did not wait for it. Not set for syncs and performed work items.
    @inlinable public static var asynchronous: ItemTraits { ItemTraits(rawValue: 64) }
    /// A job of a Swift task, or an item with an unknown submission, which can be such a job.
    @inlinable public static var job: ItemTraits { ItemTraits(rawValue: 128) }
    /// An async that waited only for a worker to wake.
    @inlinable public static var wakeSample: ItemTraits { ItemTraits(rawValue: 256) }
    /// The item held an exclusion queue.
    @inlinable public static var holding: ItemTraits { ItemTraits(rawValue: 512) }
    /// The item was submitted to a concurrent queue of the program.
    @inlinable public static var onConcurrentQueue: ItemTraits { ItemTraits(rawValue: 1024) }
    /// The item is not a sync, has a quality of service, and belongs to a serial hierarchy.
    @inlinable public static var prioritized: ItemTraits { ItemTraits(rawValue: 2048) }
    /// A sync that waited for a known thread.
    @inlinable public static var contended: ItemTraits { ItemTraits(rawValue: 4096) }
    /// The time from submission to end, the wait for a worker, or one of the off-CPU times of its thread is at least
    /// ``longLength``.
    @inlinable public static var long: ItemTraits { ItemTraits(rawValue: 8192) }

    /// The thread was off-CPU while the item ran.
    @inlinable public static var offProcessor: ItemTraits { ItemTraits(rawValue: 16384) }

    /// The item held an exclusion queue and can be among the last eight holders of the batch. An observer that keeps a
    /// ring of the last eight holders may skip all other items, unless it looks back within the batch.
    @inlinable public static var lastHolder: ItemTraits { ItemTraits(rawValue: 32768) }
    /// The item held an exclusion queue. In a sequence of items that held the same queue on one thread, set only for
    /// the first two and the last.
    @inlinable public static var holderChange: ItemTraits { ItemTraits(rawValue: 65536) }

    /// The threshold of ``long``.
    @inlinable public static var longLength: Nanoseconds { .milliseconds(1) }

    /// The trait that every item has whose duration or wait is at least `length`: ``long``, or ``any`` for lengths
    /// below the threshold.
    @inlinable public static func lasting(_ length: Nanoseconds) -> ItemTraits { length >= longLength ? .long : .any }
}

extension Item {
    /// The traits of this item.
    @inline(__always)
    var traits: ItemTraits {
        var traits = ItemTraits.any
        if isForeign { traits.formUnion(kind == .actorJob ? [.foreign, .actorJob] : [.foreign, .loopIteration]) }
        if isBarrier { traits.formUnion(.barrier) }
        if domainPosition >= 0 { traits.formUnion(.holding) }
        if queueKind == .concurrent { traits.formUnion(.onConcurrentQueue) }
        if kind == .swiftJob || enqueuingThread < 0 { traits.formUnion(.job) }
        let least = ItemTraits.longLength
        if endedAt - enqueuedAt >= least || waitParts.pool >= least { traits.formUnion(.long) }
        if let times = processorTimes, times != ProcessorTimes() {
            traits.formUnion(max(times.preempted, times.blocked) >= least ? [.offProcessor, .long] : .offProcessor)
        }
        if isSync {
            let isKnown = handingThread >= 0 || blockingThread >= 0
            if isKnown, enqueuingThread >= 0 { traits.formUnion(.contended) }
        } else {
            if isFinished, kind != .perform { traits.formUnion(.asynchronous) }
            if effectiveQoS != .unspecified, exclusionPosition >= 0 { traits.formUnion(.prioritized) }
            if kind == .after { traits.formUnion(.after) }
            if kind == .async, isWakeSample { traits.formUnion(.wakeSample) }
        }
        return traits
    }

    /// Whether the item waited only for a worker to wake, while a processor was free. Without worker events: whether it
    /// waited for no other item.
    private var isWakeSample: Bool {
        guard enqueuingThread != thread.rawValue else { return false }
        return switch wake {
        case .unparked: waitParts.scheduler + waitParts.threadStart == wait
        case .unknown: waitParts.threadStart == .zero && waitParts.scheduler + waitParts.pool == wait
        default: false
        }
    }
}
