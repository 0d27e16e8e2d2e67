/// The entities of a traced process: queues, threads, code, sources, locks. Grows with these, never with events.
///
/// ``ModelBuilder`` fills it while it reads the trace; observers and renderers read it.
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
    /// Position 0 is ``Code/unknown``. Once the trace has been read, addresses may be given their names here.
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
    /// In the order of their first event; filled once the trace has been read. A group that is created with the id of
    /// an earlier one takes its place, unless enters of that one were still to be left: programs make any number of
    /// groups.
    public internal(set) var groups: [Group] = []
    /// Groups that were not followed, because there are too many.
    public internal(set) var omittedGroups = 0
    /// In the order of their first event; filled once the trace has been read. A semaphore that is created with the id
    /// of an earlier one takes its place.
    public internal(set) var semaphores: [Semaphore] = []
    /// Semaphores that were not followed, because there are too many.
    public internal(set) var omittedSemaphores = 0
    /// Threads that poll in a loop, in the order of their first event; filled once the trace has been read.
    public internal(set) var loops: [EventLoop] = []
    /// Requests for an exclusive domain from inside of another that are in no ``DomainOrder``, because there are too
    /// many different ones.
    public internal(set) var omittedDomainOrders = 0
    /// The trace goes on behind the part that was read, or the program went on when it stopped recording: what is open
    /// at the end may come to its end yet.
    public internal(set) var goesOn = false
    /// Who waits for what at the trace's end; empty before.
    public internal(set) var waitForGraph = WaitForGraph()
    /// Who waited for whom in queues, by code, the longest first; filled once the trace has been read.
    public internal(set) var blame: [QueueBlame] = []
    /// The path that ``ModelOptions/criticalPath`` asked for; nil when there is none.
    public internal(set) var criticalPath: CriticalPath?
    /// For the code of syncs: the stack of a call, where one was recorded.
    public var codeStacks: [CodeIndex: StackIndex] { _read { yield observed.codeStacks } }
    /// Return addresses, innermost first; of ``awaitStacks`` first bytes of functions. Position 0 is the empty stack.
    public internal(set) var stacks: [[UInt64]] {
        _read { yield observed.stacks }
        _modify {
            willChange()
            yield &observed.stacks
        }
    }
    /// The stacks of functions that await each other.
    public internal(set) var awaitStacks: Set<StackIndex> = []
    /// Executables and libraries mapped in the process.
    public internal(set) var images: [Image] = []
    /// How many workers each root queue had, in the order of their first event; filled once the trace has been read.
    public internal(set) var workers: [RootWorkers] = []
    /// Where the context switches come from; nil when the trace does not say.
    public internal(set) var processorTrack: ProcessorTrack? {
        _read { yield stored.processorTrack }
        _modify {
            willChange()
            yield &stored.processorTrack
        }
    }
    /// How much the trace tells of tasks and actors; nil when it does not say.
    public internal(set) var taskTrack: TaskTrack?
    /// Context switches that came too many at once to be recorded.
    public internal(set) var lostSwitches = 0
    /// Context switches that the recorder left out because recording them cost too much; filled once the trace has been
    /// read.
    public internal(set) var switchPauses = SwitchPauses()
    /// How often the trace's clock was compared with the system's.
    public internal(set) var clockReadings = 0
    /// Where the trace's clock lost its pace.
    public internal(set) var clockSteps: [ClockStep] = []
    /// What libdispatch itself said, in the order of the first time.
    public internal(set) var messages: [LibraryMessage] = []
    /// Messages that are not in ``messages``, because there are too many different ones.
    public internal(set) var omittedMessages = 0
    /// How busy each queue was; parallel to ``queues`` once the trace has been read, empty before.
    public internal(set) var loads: [QueueLoad] = []
    /// Where ends of items are missing, in the order in which that became known; filled once the trace has been read.
    public internal(set) var unknownStretches: [UnknownStretch] = []
    /// When events are missing from the trace. Set once it has been read, before the conclusions.
    public var missing: [MissingEvents] = []
    /// How well the trace keeps the rules that every complete trace keeps.
    public internal(set) var invariants = ModelInvariants()
    /// The processors that the process may use.
    public internal(set) var usableProcessors = UsableProcessors.unknown { willSet { willChange() } }
    /// How many processors the process can keep busy: by affinity, cpuset and CFS quota; 0 when unknown.
    public var processors: Int { usableProcessors.count }
    /// The CFS quota in processors; nil without one.
    public var processorQuota: Double? { usableProcessors.quota }
    /// The first instant of the part that was read; zero for the whole trace. Unchecked, as it is read for every item.
    @exclusivity(unchecked) public internal(set) var begin: Timestamp = .zero
    /// The time of the last event record, or the last instant of the part that was read.
    public internal(set) var end: Timestamp = .zero
    /// How long the trace, or the part of it that was read, lasted: what rates and shares are of.
    public var duration: Nanoseconds { end - begin }
    /// No item that is still to be observed began before this. Observers that compare items by their begin use it to
    /// know when they have seen them all; it follows the trace in steps.
    public internal(set) var settledUntil: Timestamp = .zero

    /// What observers look up: it does not change while a batch of observations is on its way to them.
    private struct Entities {
        var sources: [Source] = []
        var locks: [Lock] = []
        var processorTrack: ProcessorTrack?
    }
    @exclusivity(unchecked) private var stored = Entities()
    /// Queues, threads and code change on the observers' side of the pipeline: see ``EntityChange``.
    @exclusivity(unchecked) private var observed = ObservedEntities()
    /// The way to the observers, while the trace is read.
    var pipeline: ObservationPipeline?

    @inline(__always)
    private func willChange() { pipeline?.drain() }

    /// Changes a queue, a thread or code along with the observations that come next, so that nobody waits for those
    /// before.
    func change(_ change: EntityChange) {
        if let pipeline { pipeline.append(change) } else { observed.apply(change) }
    }

    /// For the pipeline, on the observers' side.
    func apply(_ change: EntityChange) { observed.apply(change) }

    /// Creates an empty model.
    public init() {}

    /// The patterns of the queues' names, worked out once. Read it when the trace has been read.
    public var queuePatterns: QueuePatterns {
        if knownPatterns.count != queues.count { knownPatterns = QueuePatterns(of: queues) }
        return knownPatterns
    }
    private var knownPatterns = QueuePatterns(of: [])

    /// Whether events of a stretch of time are missing.
    public func lacksEvents(from begin: Timestamp, to end: Timestamp) -> Bool {
        missing.contains { $0.touches(begin, end) }
    }

    /// What is open at the end may have ended, or may end yet: events are missing up to the end, or the trace goes on.
    public var hasOpenEnd: Bool { goesOn || missing.contains { $0.reachesEnd } }

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
