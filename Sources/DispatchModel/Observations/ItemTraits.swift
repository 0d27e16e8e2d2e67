/// What observers ask of every item, as bits that are worked out once for all of them: a column of them tells which
/// items an observer has to look at.
public struct ItemTraits: OptionSet, Sendable {
    public let rawValue: UInt32
    /// - Parameter rawValue: one bit per trait.
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Every item has this one.
    @inlinable public static var any: ItemTraits { ItemTraits(rawValue: 1) }
    /// An item of an actor or an event loop.
    @inlinable public static var stretch: ItemTraits { ItemTraits(rawValue: 2) }
    /// A task ran on an actor.
    @inlinable public static var actorJob: ItemTraits { ItemTraits(rawValue: 4) }
    /// An event loop went round.
    @inlinable public static var loopIteration: ItemTraits { ItemTraits(rawValue: 8) }
    /// It was submitted as a barrier.
    @inlinable public static var barrier: ItemTraits { ItemTraits(rawValue: 16) }
    /// It was submitted with a delay.
    @inlinable public static var after: ItemTraits { ItemTraits(rawValue: 32) }
    /// It has ended and its submitter did not wait for it: no sync, and no work item that was performed.
    @inlinable public static var asynchronous: ItemTraits { ItemTraits(rawValue: 64) }
    /// A job of a Swift task, or an item without a known submission, which may be one.
    @inlinable public static var job: ItemTraits { ItemTraits(rawValue: 128) }
    /// An async that waited for a worker to wake, and for nothing else.
    @inlinable public static var wakeSample: ItemTraits { ItemTraits(rawValue: 256) }
    /// It held an exclusion queue.
    @inlinable public static var holding: ItemTraits { ItemTraits(rawValue: 512) }
    /// It was submitted to a concurrent queue of the program's own.
    @inlinable public static var onConcurrentQueue: ItemTraits { ItemTraits(rawValue: 1024) }
    /// No sync, with a quality of service, in a serial hierarchy.
    @inlinable public static var ranked: ItemTraits { ItemTraits(rawValue: 2048) }
    /// A sync that waited for a thread which is known.
    @inlinable public static var contended: ItemTraits { ItemTraits(rawValue: 4096) }
    /// At least ``longLength`` passed from its submission to its end, or it waited that long for a worker, or its
    /// thread was off its processor for that long.
    @inlinable public static var long: ItemTraits { ItemTraits(rawValue: 8192) }

    /// Its thread was off its processor while it ran.
    @inlinable public static var offProcessor: ItemTraits { ItemTraits(rawValue: 16384) }

    /// It held an exclusion queue, and may be among the last eight that did when the batch is over: who keeps these in
    /// a ring needs no others, unless something in the batch looks back.
    @inlinable public static var lastHolder: ItemTraits { ItemTraits(rawValue: 32768) }
    /// It held an exclusion queue, and is not in the middle of a row of items that held it on one thread: one of the
    /// first two, or the last.
    @inlinable public static var holderChange: ItemTraits { ItemTraits(rawValue: 65536) }

    /// What makes an item a ``long`` one.
    @inlinable public static var longLength: Nanoseconds { .milliseconds(1) }

    /// The trait that all items have that lasted, or waited, for at least this: ``long``; ``any`` for a shorter time.
    @inlinable public static func lasting(_ length: Nanoseconds) -> ItemTraits { length >= longLength ? .long : .any }
}

extension Item {
    /// The traits of this item.
    @inline(__always)
    var traits: ItemTraits {
        var traits = ItemTraits.any
        if isStretch { traits.formUnion(kind == .actorJob ? [.stretch, .actorJob] : [.stretch, .loopIteration]) }
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
            if rank != .unspecified, exclusionPosition >= 0 { traits.formUnion(.ranked) }
            if kind == .after { traits.formUnion(.after) }
            if kind == .async, isWakeSample { traits.formUnion(.wakeSample) }
        }
        return traits
    }

    /// A worker woke for it while a processor was free, and it waited for nothing else. Where the trace does not tell
    /// of workers: nothing held it up.
    private var isWakeSample: Bool {
        guard enqueuingThread != thread.rawValue else { return false }
        return switch wake {
        case .unparked: waitParts.scheduler + waitParts.threadStart == wait
        case .unknown: waitParts.threadStart == .zero && waitParts.scheduler + waitParts.pool == wait
        default: false
        }
    }
}
