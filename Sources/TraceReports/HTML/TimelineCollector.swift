import DispatchModel

/// Collects what the HTML timeline draws while a trace is analysed: items, holdings of locks, blocked waits, signposts
/// and misuse, in columns, bounded.
///
/// Pass it to the analyser as an extra observer, then to ``HTMLTimeline/render(analysis:collector:title:frames:)``.
/// When more items run than ``Options/maximumItems``, those that waited and ran shortest are left out and counted in
/// ``omittedItems``, and the page says so. It is confined to the thread that analyses.
public final class TimelineCollector: ModelObserver {
    /// The bounds on what is kept.
    public struct Options: Sendable {
        /// The largest number of items to keep.
        public var maximumItems: Int
        /// The largest number of lock holdings, blocked waits, signposts and changes to keep, each.
        public var maximumMarks: Int

        /// - Parameters:
        ///   - maximumItems: the largest number of items to keep; at least 2.
        ///   - maximumMarks: the largest number of each of the other kinds to keep.
        public init(maximumItems: Int = 1_000_000, maximumMarks: Int = 250_000) {
            self.maximumItems = max(2, maximumItems)
            self.maximumMarks = max(2, maximumMarks)
        }
    }

    /// Items that ran and are not in the timeline.
    public private(set) var omittedItems = 0
    /// Lock holdings, blocked waits, signposts and changes that are not in the timeline.
    public private(set) var omittedMarks = 0

    private(set) var items = ItemColumns()
    private(set) var holdings: [LockHolding] = []
    private(set) var waits: [BlockedWait] = []
    private(set) var signposts: [Signpost] = []
    private(set) var misuses: [Misuse] = []
    private(set) var changes: [ObjectChange] = []
    private(set) var waitObjects = WaitObjects()
    private(set) var slices: ProcessorSlices
    private(set) var workers = WorkerSteps()
    /// Items that never began.
    private(set) var pending: [PendingItem] = []
    /// The kinds of observations that the timeline is made of.
    public let followed: ObservationKinds = [
        .items, .acquisitions, .applyIterations, .applies, .blockedWaits, .signposts, .misuses, .objectChanges,
        .pendingItems, .processorSlices, .workers,
    ]

    private let options: Options
    /// Items of a smaller weight are not kept; rises each time the columns are full.
    private var threshold: Int64 = 0

    /// Makes an empty collector.
    ///
    /// - Parameter options: the bounds on what is kept.
    public init(options: Options = Options()) {
        self.options = options
        slices = ProcessorSlices(limit: options.maximumMarks)
    }

    /// Takes note of one observation.
    ///
    /// - Parameters:
    ///   - observation: the new fact.
    ///   - model: the entities known so far.
    /// - Complexity: amortised O(1).
    public func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .item(let item): keep(item)
        case .acquisition(let acquisition): keep(acquisition)
        case .applyIteration(let iteration): keep(iteration)
        case .blockedWait(let wait):
            waitObjects.insert(wait.object)
            keep(wait, in: \.waits)
        case .signpost(let signpost): keep(signpost, in: \.signposts)
        case .misuse(let misuse): keep(misuse, in: \.misuses)
        case .objectChange(let change): keep(change, in: \.changes)
        case .apply(let apply): items.close(apply)
        case .processorSlice(let slice): slices.append(slice)
        case .worker(let change): workers.observe(change)
        case .pending(let item): keep(item, in: \.pending)
        // The item carries the thread that handed over, and the wait the signal that ended it.
        case .handoff, .signal, .domainOrder, .timer: break
        }
    }

    private func keep(_ item: Item) {
        guard Self.weight(of: item) >= threshold else {
            omittedItems += 1
            return
        }
        items.append(item)
        thinItemsIfFull()
    }

    private func keep(_ iteration: ApplyIteration) {
        guard (iteration.end - iteration.begin).count >= threshold else {
            omittedItems += 1
            return
        }
        items.append(iteration)
        thinItemsIfFull()
    }

    /// Holdings of exclusion queues are not kept: every one is an item of the hierarchy, and the page derives it from
    /// those.
    private func keep(_ acquisition: Acquisition) {
        guard case .lock(let lock) = acquisition.domain else { return }
        keep(LockHolding(lock: lock, acquisition), in: \.holdings)
    }

    private func keep<Mark>(_ mark: Mark, in path: ReferenceWritableKeyPath<TimelineCollector, [Mark]>) {
        if self[keyPath: path].count < options.maximumMarks {
            self[keyPath: path].append(mark)
        } else {
            omittedMarks += 1
        }
    }

    /// How much an item matters to a reader: its time, and sixteen times its wait when a thread was blocked by it,
    /// because that is what findings are made of.
    static func weight(of item: Item) -> Int64 {
        let wait = item.wait.count
        return item.service.count &+ (item.isSync ? wait &* 16 : wait)
    }

    private func thinItemsIfFull() {
        guard items.count >= options.maximumItems else { return }
        let before = items.count
        threshold = items.medianWeight()
        // The lighter rows go, and every second one of exactly this weight: with the median at least about a quarter,
        // also when all weights are equal.
        var ties = 0
        items.keep { [items] row in
            let weight = items.weight(at: row)
            if weight == threshold { ties += 1 }
            return weight > threshold || (weight == threshold && ties % 2 == 0)
        }
        omittedItems += before - items.count
    }
}

/// One holding of a lock.
struct LockHolding {
    let lock: LockIndex
    let thread: ThreadIndex
    let code: CodeIndex
    let requestedAt: Timestamp
    let grantedAt: Timestamp
    let releasedAt: Timestamp

    init(lock: LockIndex, _ acquisition: Acquisition) {
        self.lock = lock
        thread = acquisition.thread
        code = acquisition.code
        requestedAt = acquisition.requestedAt
        grantedAt = acquisition.grantedAt
        releasedAt = acquisition.releasedAt
    }
}
