import DispatchAnalysis
import DispatchModel

/// Collects the data of the HTML timeline during an analysis, in columns of bounded size.
///
/// Pass the collector to the analyzer as an additional observer, then to ``HTMLTimeline/render(_:title:budget:)``. When
/// there is more data than ``Options`` allows, the least important data is added to histograms per queue and thread, so
/// that the page still shows the overall activity and the places of omitted details. Everything inside of the windows
/// around findings is kept, with the costliest findings first. Use it only on the thread of the analysis.
public final class TimelineCollector: ModelObserver {
    /// The limits of a collector.
    public struct Options: Sendable {
        /// The most items.
        public var maximumItems: Int
        /// The most lock holds, blocked waits, signposts and changes, each.
        public var maximumMarks: Int
        /// The intervals in which everything is kept.
        public var windows: DetailWindows

        /// - Parameters:
        ///   - maximumItems: the most items; at least 2.
        ///   - maximumMarks: the most elements of each other kind.
        ///   - windows: the intervals in which everything is kept.
        public init(
            maximumItems: Int = 1_500_000, maximumMarks: Int = 100_000, windows: DetailWindows = DetailWindows()
        ) {
            self.maximumItems = max(2, maximumItems)
            self.maximumMarks = max(2, maximumMarks)
            self.windows = windows
        }

        /// Creates limits for a file size. The limits are the most that can fit, because the encoded size is known only
        /// later.
        ///
        /// - Parameter budget: the size limit of the file, in bytes.
        public init(fitting budget: Int) {
            // An item has at least 10 bytes, or 13 in base64. A browser opens this many items in two seconds.
            let items = min(1_200_000, max(1_000, budget / 13))
            self.init(maximumItems: items, maximumMarks: max(1_000, items / 12))
        }

        /// The same limits with windows around findings.
        ///
        /// - Parameter analysis: the analysis that has the findings.
        /// - Returns: the limits for a second pass.
        public func concentrated(on analysis: Analysis) -> Options {
            Options(
                maximumItems: maximumItems, maximumMarks: maximumMarks,
                windows: DetailWindows(around: analysis.findings, in: analysis.trace.duration))
        }
    }

    /// True when some data was omitted.
    public var isIncomplete: Bool {
        omittedItems > 0 || omittedMarks > 0 || slices.resolution > 0 || !tasks.isComplete
    }
    /// Number of items that ran and have no row in the timeline.
    public private(set) var omittedItems = 0
    /// Number of omitted lock holds, blocked waits, signposts, changes and items that never began.
    public var omittedMarks: Int {
        holdings.omittedCount + waits.omittedCount + signposts.omittedCount + pending.omittedCount + omittedChanges
    }

    private(set) var items = ItemRows()
    private(set) var holdings: WeightedList<LockHolding>
    private(set) var waits: WeightedList<BlockedWait>
    private(set) var waitObjects = WaitObjects()
    private(set) var slices: ProcessorSlices
    private(set) var workers = WorkerSteps()
    private(set) var signposts: WeightedList<Signpost>
    private(set) var misuses: [Misuse] = []
    private(set) var changes: [ObjectChange] = []
    /// Items that never began.
    private(set) var pending: WeightedList<PendingItem>
    private(set) var tasks: TimelineTasks
    /// The activity of omitted items, and the omitted waits of threads.
    private(set) var queueActivity = ActivityHistogram()
    private(set) var threadActivity = ActivityHistogram()

    /// The kinds of observations that the timeline shows.
    public let followed: ObservationKinds = [
        .items, .lockAcquisitions, .applyIterations, .applies, .blockedWaits, .signposts, .misuses, .objectChanges,
        .pendingItems, .processorSlices, .workers, .tasks, .taskRuns, .taskWaits,
    ]

    private let options: Options
    private(set) var windows: DetailWindows
    /// Items with a smaller weight are omitted. It increases each time the columns are full.
    private var threshold: Int64 = 0
    /// The largest weight of an omitted item; -1 for none.
    private var heaviestOmitted: Int64 = -1
    private var omittedChanges = 0

    /// Creates an empty collector.
    ///
    /// - Parameter options: the limits.
    public init(options: Options = Options()) {
        self.options = options
        windows = options.windows
        holdings = WeightedList(limit: options.maximumMarks)
        waits = WeightedList(limit: options.maximumMarks)
        signposts = WeightedList(limit: options.maximumMarks)
        pending = WeightedList(limit: options.maximumMarks)
        tasks = TimelineTasks(limit: options.maximumMarks * 2)
        slices = ProcessorSlices(limit: options.maximumMarks * 2, windows: options.windows)
    }

    /// Collects one observation.
    ///
    /// - Parameters:
    ///   - observation: the observation.
    ///   - model: the entities at the time of the observation.
    /// - Complexity: amortized O(1).
    public func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .item(let item): observe(item, in: model)
        case .acquisition(let acquisition): keep(acquisition)
        case .applyIteration(let iteration): keep(iteration)
        case .blockedWait(let wait): keep(wait)
        case .signpost(let signpost):
            signposts.append(signpost, weight: weight(from: signpost.begin, to: signpost.end))
        case .misuse(let misuse): keep(misuse, in: \.misuses)
        case .objectChange(let change): keep(change, in: \.changes)
        case .apply(let apply): items.close(apply)
        case .processorSlice(let slice): slices.append(slice)
        case .worker(let change): workers.observe(change)
        case .pending(let item): pending.append(item, weight: weight(from: item.enqueuedAt, to: item.until))
        case .taskRun(let run):
            if run.inner == nil { keep(.run(run), of: run.task, from: run.begin, to: run.end) }
        case .taskWait(let wait): keep(.wait(wait), of: wait.task, from: wait.began, to: wait.ended)
        case .task(let task): tasks.end(task, weight: weight(from: task.createdAt, to: task.endedAt))
        // Items have the thread of the hand-off, waits have the signal that ended them, and findings have the blocked
        // calls.
        case .handoff, .signal, .domainOrder, .timer, .blockedCall, .keptChildren: break
        }
    }

    /// Collects an item that ended.
    ///
    /// - Parameters:
    ///   - item: an item that ended, or that was still running at the end of the trace.
    ///   - model: the entities at the time of the observation.
    public func observe(_ item: Item, in model: DispatchModel) {
        let weight = TimelineWeight.of(item, in: windows)
        guard weight >= threshold else { return omit(OmittedItem(item), weight: weight) }
        items.append(item, weight: weight)
        thinItemsIfFull()
    }

    private func keep(_ iteration: ApplyIteration) {
        let weight = weight(from: iteration.begin, to: iteration.end)
        guard weight >= threshold else { return omit(OmittedItem(iteration), weight: weight) }
        items.append(iteration, weight: weight)
        thinItemsIfFull()
    }

    /// Collects the hold of a lock. Holds of exclusion queues are omitted: each is an item of the hierarchy, and the
    /// page derives them from the items.
    private func keep(_ acquisition: Acquisition) {
        guard case .lock(let lock) = acquisition.domain else { return }
        let holding = LockHolding(lock: lock, acquisition)
        let (requested, granted) = (holding.requestedAt.nanoseconds, holding.grantedAt.nanoseconds)
        let released = holding.releasedAt.nanoseconds
        let time = TimelineWeight.time(service: released - granted, wait: granted - requested, blocks: true)
        let rank = windows.rank(from: requested, to: released)
        holdings.append(holding, weight: TimelineWeight.of(time, rank: rank)) { left in
            threadActivity.addWaiting(
                left.thread.position, from: left.requestedAt.nanoseconds, to: left.grantedAt.nanoseconds)
        }
    }

    private func keep(_ wait: BlockedWait) {
        waitObjects.insert(wait.object)
        waits.append(wait, weight: weight(from: wait.begin, to: wait.end)) { left in
            threadActivity.addWaiting(left.thread.position, from: left.begin.nanoseconds, to: left.end.nanoseconds)
        }
    }

    private func keep(_ step: TaskStory.Step, of task: UInt64, from begin: Timestamp, to end: Timestamp) {
        let isEvidence = windows.rank(from: begin.nanoseconds, to: end.nanoseconds) != nil
        tasks.append(step, of: task, isEvidence: isEvidence)
    }

    private func weight(from begin: Timestamp, to end: Timestamp) -> Int64 {
        TimelineWeight.of((end - begin).count, rank: windows.rank(from: begin.nanoseconds, to: end.nanoseconds))
    }

    private func keep<Mark>(_ mark: Mark, in path: ReferenceWritableKeyPath<TimelineCollector, [Mark]>) {
        if self[keyPath: path].count < options.maximumMarks {
            self[keyPath: path].append(mark)
        } else {
            omittedChanges += 1
        }
    }

    private func omit(_ item: OmittedItem, weight: Int64) {
        omittedItems += 1
        heaviestOmitted = max(heaviestOmitted, weight)
        item.add(to: &queueActivity, &threadActivity)
    }

    private func thinItemsIfFull() { if items.count >= options.maximumItems { thinItems(to: 0.5) } }
}

// Functions for the renderer, used when the page is larger than its budget.
extension TimelineCollector {
    /// The number of findings, from the first, whose windows have all details in the timeline.
    func findingsInFull(of count: Int) -> Int {
        guard heaviestOmitted >= 0 else { return count }
        let most = min(count, DetailWindows.mostFindings)
        return (0..<most).first { TimelineWeight.least(ofRank: $0) <= heaviestOmitted } ?? most
    }

    /// Sets the windows, whose contents are removed last.
    func concentrate(on windows: DetailWindows) {
        self.windows = windows
        items.weigh { begin, end, time in
            TimelineWeight.of(time, rank: windows.rank(from: begin, to: end))
        }
    }

    /// Removes items until this share is left: the heaviest items, and an even selection of the items at the weight
    /// limit.
    func thinItems(to share: Double) {
        let count = items.count
        let limit = TimelineWeight.quantile(1 - share, ofCount: count) { items.rows[$0].weight }
        threshold = limit
        let heavier = items.rows.count { $0.weight > limit }
        let ties = items.rows.count { $0.weight == limit }
        // Remove at least one item, so that the loop of the budget makes progress.
        let keptTies = min(max(0, Int(Double(count) * share) - heavier), max(0, ties - 1))
        var tie = 0
        items.keep { row, shape in
            if row.weight > limit { return true }
            if row.weight == limit {
                tie += 1
                if tie * keptTies / ties > (tie - 1) * keptTies / ties { return true }
            }
            omit(OmittedItem(row, shape), weight: row.weight)
            return false
        }
    }

    /// Removes about half of all data except items.
    func thinMarks() {
        let omitWait = { [self] (thread: ThreadIndex, begin: Timestamp, end: Timestamp) in
            threadActivity.addWaiting(thread.position, from: begin.nanoseconds, to: end.nanoseconds)
        }
        holdings.thin { omitWait($0.thread, $0.requestedAt, $0.grantedAt) }
        waits.thin { omitWait($0.thread, $0.begin, $0.end) }
        signposts.thin()
        pending.thin()
        tasks.thin()
        slices.coarsen()
        omittedChanges += changes.count - changes.count / 2
        changes.removeLast(changes.count - changes.count / 2)
    }
}

/// One hold of a lock.
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
