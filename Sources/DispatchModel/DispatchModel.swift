/// The entities of a traced process: queues, threads, code, sources, locks. Its size grows with their number, not with
/// the number of events.
///
/// ``ModelBuilder`` fills it while it reads the trace. Observers and renderers read it.
public final class DispatchModel {
    /// In the order of their first event.
    public internal(set) var queues: [Queue] {
        _read { yield observed.queues }
        _modify {
            willChange()
            yield &observed.queues
        }
    }
    /// In the order of their first event.
    public internal(set) var threads: [Thread] {
        _read { yield observed.threads }
        _modify {
            willChange()
            yield &observed.threads
        }
    }
    /// Position 0 is ``Code/unknown``. After the trace has been read, symbols can be added to addresses here.
    public var codes: [Code] {
        _read { yield observed.codes }
        _modify {
            willChange()
            yield &observed.codes
        }
    }
    /// In the order of their first event.
    public internal(set) var sources: [Source] {
        _read { yield stored.sources }
        _modify {
            willChange()
            yield &stored.sources
        }
    }
    /// In the order of their first event.
    public internal(set) var locks: [Lock] {
        _read { yield stored.locks }
        _modify {
            willChange()
            yield &stored.locks
        }
    }
    /// In the order of their first event. Filled at the end of the trace. A group that is created with the id of an
    /// earlier one replaces it, unless the earlier one has enters without a leave, because a program can create any
    /// number of groups.
    public internal(set) var groups: [Group] = []
    /// Number of events of groups beyond the limit, which were not followed.
    public internal(set) var omittedGroups = 0
    /// In the order of their first event. Filled at the end of the trace. A semaphore that is created with the id of an
    /// earlier one replaces it.
    public internal(set) var semaphores: [Semaphore] = []
    /// Number of events of semaphores beyond the limit, which were not followed.
    public internal(set) var omittedSemaphores = 0
    /// Threads that poll in a loop, in the order of their first event. Filled at the end of the trace.
    public internal(set) var loops: [EventLoop] = []
    /// Serial executors that are no actors, in the order of their first event. Filled at the end of the trace.
    public internal(set) var executors: [CustomExecutor] = []
    /// At the end of the trace: timers of run loops that have not run since the timers were added.
    public internal(set) var runLoopTimers: [RunLoopTimer] = []
    /// Number of requests for an exclusive domain, by threads that hold another domain, without a ``DomainOrder``:
    /// their shapes exceed the limit.
    public internal(set) var omittedDomainOrders = 0
    /// Whether the trace continues after the part that was read, or the program continued after the recording. Open
    /// operations can then still end.
    public internal(set) var continuesAfterEnd = false
    /// Waits and owners at the end of the trace; empty before.
    public internal(set) var waitForGraph = WaitForGraph()
    /// Waits in queues by waiting code and holding code, the longest first. Filled at the end of the trace.
    public internal(set) var blame: [QueueBlame] = []
    /// The path of the item or interval requested by ``ModelOptions/criticalPath``; nil when there is none.
    var requestedPath: CriticalPath?
    /// The paths at the end of the trace, if the path of the run was requested. They can have 32 MiB.
    public var openPaths: OpenPaths?
    /// The path requested by ``ModelOptions/criticalPath``: of the run, up to its last activity; nil for none.
    ///
    /// - Complexity: O(segments) for the path of the run.
    public var criticalPath: CriticalPath? {
        guard let openPaths else { return requestedPath }
        return openPaths.latestThread().flatMap { thread in
            openPaths.end(of: .thread(thread)).map { openPaths.path(to: .thread(thread), until: min(end, $0)) }
        }
    }
    /// For the code of syncs: the stack of a call, if one was recorded.
    public var codeStacks: [CodeIndex: StackIndex] { _read { yield observed.codeStacks } }
    /// Return addresses, innermost first. For ``awaitStacks``, the first addresses of functions. Position 0 is the
    /// empty stack.
    public internal(set) var stacks: [[UInt64]] {
        _read { yield observed.stacks }
        _modify {
            willChange()
            yield &observed.stacks
        }
    }
    /// The stacks that are async call stacks.
    public internal(set) var awaitStacks: Set<StackIndex> = []
    /// The code of ``TaskWait/awaiter`` of waits for continuations: functions that resume after such an await.
    public internal(set) var continuationAwaiters: Set<CodeIndex> = []
    /// Executables and libraries mapped in the process.
    public internal(set) var images: [Image] = []
    /// Number of workers by root queue, in the order of their first event. Filled at the end of the trace.
    public internal(set) var workers: [RootWorkers] = []
    /// The source of the context switches; nil when unknown.
    public internal(set) var processorTrack: ProcessorTrack? {
        _read { yield stored.processorTrack }
        _modify {
            willChange()
            yield &stored.processorTrack
        }
    }
    /// The level of detail about tasks and actors; nil when unknown.
    public internal(set) var taskTrack: TaskTrack?
    /// Context switches that were lost because too many occurred at once.
    public internal(set) var lostSwitches = 0
    /// Context switches that the recorder skipped because recording them cost too much. Filled at the end of the trace.
    public internal(set) var switchPauses = SwitchPauses()
    /// The rates at which the recorder sampled items.
    public internal(set) var sampling = ItemSampling()
    /// Number of comparisons between the trace's clock and the system clock.
    public internal(set) var clockReadings = 0
    /// Steps of the trace's clock relative to the system clock.
    public internal(set) var clockSteps: [ClockStep] = []
    /// Messages that libdispatch logged, in the order of their first occurrence.
    public internal(set) var messages: [LibraryMessage] = []
    /// Messages that are not in ``messages``, because they exceed the limit of different texts.
    public internal(set) var omittedMessages = 0
    /// The load of each queue, parallel to ``queues``. Filled at the end of the trace.
    public internal(set) var loads: [QueueLoad] = []
    /// Intervals in which ends of items are missing, in the order of detection. Filled at the end of the trace.
    public internal(set) var unknownIntervals: [UnknownInterval] = []
    /// The gaps in which events are missing. Set after the trace has been read, before the conclusions.
    public var missing: [MissingEvents] = []
    /// The results of checking the invariants of complete traces.
    public internal(set) var invariants = ModelInvariants()
    /// The processors that the process may use.
    public internal(set) var usableProcessors = UsableProcessors.unknown { willSet { willChange() } }
    /// Number of processors that the process can keep busy, by affinity, cpuset and CFS quota; 0 when unknown.
    public var processors: Int { usableProcessors.count }
    /// The CFS quota in processors; nil without one.
    public var processorQuota: Double? { usableProcessors.quota }
    /// The first instant of the part that was read; zero for the whole trace. Exclusivity checks are disabled, because
    /// it is read for every item. No access overlaps the write: ``ModelBuilder/beginWindow(at:)`` writes it once,
    /// before the first observation, and the queue of the pipeline orders the write before the reads of the observers.
    @exclusivity(unchecked) public internal(set) var begin: Timestamp = .zero
    /// The time of the last event record, or the last instant of the part that was read.
    public internal(set) var end: Timestamp = .zero
    /// The duration of the trace, or of the part that was read. Rates and shares refer to it.
    public var duration: Nanoseconds { end - begin }
    /// No item that will still be observed began before this time. Observers that compare items by their begins use it
    /// to detect when they have received all of them. It advances in steps.
    public internal(set) var settledUntil: Timestamp = .zero

    /// Entities that observers look up. They do not change while a batch of observations is in flight.
    private struct Entities {
        var sources: [Source] = []
        var locks: [Lock] = []
        var processorTrack: ProcessorTrack?
    }
    @exclusivity(unchecked) private var stored = Entities()
    /// Queues, threads and code. They change on the observers' side of the pipeline, see ``EntityChange``.
    @exclusivity(unchecked) private var observed = ObservedEntities()
    /// The pipeline to the observers, while the trace is read.
    var pipeline: ObservationPipeline?

    @inline(__always)
    private func willChange() { pipeline?.drain() }

    /// Changes a queue, a thread or code together with the next batch of observations, without draining the pipeline.
    func change(_ change: EntityChange) {
        if let pipeline { pipeline.append(change) } else { observed.apply(change) }
    }

    /// Applies a change. Called by the pipeline, on the observers' side.
    func apply(_ change: EntityChange) { observed.apply(change) }

    /// Creates an empty model.
    public init() {}

    /// Restarts everything that is counted over the whole trace, at the begin of a window.
    func forgetCounts() {
        omittedGroups = 0
        omittedSemaphores = 0
        omittedDomainOrders = 0
        lostSwitches = 0
        clockReadings = 0
        clockSteps = []
        messages = []
        omittedMessages = 0
    }

    /// The label patterns of the queues, computed once. Read it after the trace has been read.
    public var queuePatterns: QueuePatterns {
        if knownPatterns.count != queues.count { knownPatterns = QueuePatterns(of: queues) }
        return knownPatterns
    }
    private var knownPatterns = QueuePatterns(of: [])

    /// Whether events are missing in an interval.
    public func lacksEvents(from begin: Timestamp, to end: Timestamp) -> Bool {
        missing.contains { $0.touches(begin, end) }
    }

    /// Whether open operations can have ended or can still end, because events are missing up to the end or the trace
    /// continues.
    public var hasOpenEnd: Bool { continuesAfterEnd || missing.contains { $0.reachesEnd } }

    /// The thread with the lowest id, without the workers. The main thread has the lowest id, which is the process id,
    /// unless thread ids have wrapped around.
    ///
    /// - Complexity: O(number of threads).
    public var likelyMainThread: ThreadIndex? {
        threads.filter { $0.root == nil }.min { $0.tid < $1.tid }?.index
    }

    /// The queue at this index.
    public subscript(queue: QueueIndex) -> Queue { _read { yield queues[queue.position] } }
    /// The thread at this index.
    public subscript(thread: ThreadIndex) -> Thread { _read { yield threads[thread.position] } }
    /// The code at this index.
    public subscript(code: CodeIndex) -> Code { codes[code.position] }
    /// The source at this index.
    public subscript(source: SourceIndex) -> Source { sources[source.position] }
    /// The lock at this index.
    public subscript(lock: LockIndex) -> Lock { locks[lock.position] }
    /// The group at this index.
    public subscript(group: GroupIndex) -> Group { groups[group.position] }
    /// The semaphore at this index.
    public subscript(semaphore: SemaphoreIndex) -> Semaphore { semaphores[semaphore.position] }
    /// The call stack at this index: return addresses, innermost first.
    public subscript(stack: StackIndex) -> [UInt64] { stacks[stack.position] }

    /// The image whose mapping holds an address; nil when none was recorded.
    ///
    /// - Complexity: O(number of images).
    public func image(holding address: UInt64) -> Image? {
        images.first { $0.begin <= address && address < $0.end }
    }
}
