import DispatchModel

/// One run of a handler, with the fields that ``OverlappingHandlers`` needs.
struct HandlerRun {
    let begin: Timestamp
    let end: Timestamp
    /// Time for which it was blocked in syncs or preempted.
    let idle: Nanoseconds
    /// Time that its thread took to wake up after its syncs.
    let waking: Nanoseconds
    let queue: QueueIndex
    let domain: QueueIndex
    let thread: ThreadIndex
    let code: CodeIndex
    /// Positions of its groups by label, code and source type; -1 for none.
    let groups: (Int32, Int32, Int32)
    /// Whether a worker was woken for it.
    let isWoken: Bool

    /// Whether both runs are of the same handler, with the same queue and thread.
    @inline(__always)
    func isLike(_ other: HandlerRun) -> Bool {
        queue == other.queue && code == other.code && thread == other.thread && domain == other.domain
            && groups == other.groups
    }

    /// The share of its time in which it was not blocked in a sync and not preempted.
    var activeShare: Double {
        let service = end - begin
        if idle == .zero { return 1 }
        return service > .zero ? max(0, 1 - Double(idle.count) / Double(service.count)) : 1
    }
}

/// Handlers of one kind, and the overlap of their runs.
///
/// ```
///   runs    ├─────┤   ├──────┤  ├──┤
///              ├────────┤
///   busy    ├────────────────┤  ├──┤
///   overlap    ├──┤   ├─┤             2 episodes
/// ```
///
/// An episode begins when a run begins while another one is active, and ends when any of the active runs ends. So a
/// series of runs that overlap without a gap is several episodes.
struct HandlerGroup {
    enum Key: Hashable {
        case label(String)
        case code(CodeIndex)
        case sourceType(SourceType)

        /// Preference of this key as the name of the queues; lower is better.
        var rank: Int {
            switch self {
            case .label: 0
            case .code: 1
            case .sourceType: 2
            }
        }
    }

    /// Two runs at the same time.
    struct Overlap {
        let begin: Timestamp
        let queue: QueueIndex
        let thread: ThreadIndex
        let otherQueue: QueueIndex
        let otherThread: ThreadIndex
    }

    private static let evidenceLimit = 12

    let key: Key
    private(set) var items = 0
    private(set) var wakes = 0
    /// Time that threads took to wake up inside handlers, after a wait in a sync.
    private(set) var wakingTime = Nanoseconds.zero
    private(set) var episodes = 0
    private(set) var peak = 0
    private(set) var busy = Nanoseconds.zero
    private(set) var overlap = Nanoseconds.zero
    /// Time saved by running in parallel: active processors minus one, over the time of the overlaps.
    private(set) var gain = Nanoseconds.zero
    private(set) var begin = Timestamp.zero
    private(set) var end = Timestamp.zero
    private(set) var threadChanges = 0
    private(set) var queues = DistinctIndices<QueueIndex>()
    private(set) var domains = DistinctIndices<QueueIndex>()
    private(set) var threads = DistinctIndices<ThreadIndex>()
    private(set) var codes = Frequencies<CodeIndex>()
    private(set) var service = LatencyRecorder()
    private(set) var evidence: [Overlap] = []

    /// The past seconds of the recording with an episode, and the current second.
    private var seconds: [Second] = []
    private var current = Second()

    private struct Second {
        var end = Timestamp.zero
        /// Time with at least one run, time with several runs, and the number of episodes.
        var busy = Nanoseconds.zero
        var overlap = Nanoseconds.zero
        var episodes = 0
    }

    private var running = RunningHandlers()
    private var isEpisodeOver = true
    private var sweptUntil = Timestamp.zero
    private var lastThread: ThreadIndex?

    init(key: Key) { self.key = key }

    /// The time spent on waking threads: workers for items, at `wake` each, and waiters in syncs.
    func costOfWaking(_ wake: Nanoseconds) -> Nanoseconds { Nanoseconds(Int64(wakes) * wake.count) + wakingTime }

    /// Adds similar runs (``HandlerRun/isLike(_:)``). Runs are added in the order of their begin.
    ///
    /// - Parameters:
    ///   - places: the positions of the runs in `runs`.
    ///   - runs: the runs of all groups.
    ///   - processors: the most runs that can be active in parallel; 0 when unknown.
    mutating func add(_ places: Range<Int>, of runs: PlainRows<HandlerRun>, processors: Int) {
        let first = runs[places.lowerBound]
        items += places.count
        if let lastThread, lastThread != first.thread { threadChanges += 1 }
        lastThread = first.thread
        queues.insert(first.queue)
        domains.insert(first.domain)
        threads.insert(first.thread)
        if first.code != .unknown { codes.add(first.code, count: places.count) }
        var place = places.lowerBound
        while place < places.upperBound {
            add(runs[place], processors: processors)
            place += 1
            if let single = running.single, single.thread == first.thread {
                place = addRow(from: place, to: places.upperBound, of: runs, after: single.end)
            }
        }
    }

    /// Fast path: adds runs of one thread while its run is the only active one and each run begins after the end of the
    /// previous one. This covers most runs, and needs no search for the next end.
    ///
    /// - Returns: the position of the first run that has not been added.
    private mutating func addRow(
        from first: Int, to end: Int, of runs: PlainRows<HandlerRun>, after endOfRunning: Timestamp
    ) -> Int {
        var place = first
        var endOfLast = endOfRunning
        while place < end, runs[place].begin >= endOfLast {
            let run = runs[place]
            let length = endOfLast - sweptUntil
            if length > .zero {
                busy += length
                addToSecond(sweptUntil, length)
            }
            sweptUntil = max(sweptUntil, run.begin)
            note(run)
            endOfLast = run.end
            place += 1
        }
        if place > first { running.replaceSingle(with: runs[place - 1]) }
        return place
    }

    private mutating func add(_ run: HandlerRun, processors: Int) {
        sweep(to: run.begin, processors: processors)
        note(run)
        // Two runs of one thread or one domain are not parallel: one of them is inside the other.
        guard !running.contains(threadOrDomainOf: run) else { return }
        if isEpisodeOver, let other = running.next { addEpisode(run, beside: other) }
        if running.count > 0 { end = max(end, run.end) }
        running.append(run)
        peak = max(peak, running.count)
    }

    @inline(__always)
    private mutating func note(_ run: HandlerRun) {
        if run.isWoken { wakes += 1 }
        wakingTime += run.waking
        service.record(run.end - run.begin)
    }

    private mutating func addEpisode(_ run: HandlerRun, beside other: RunningHandlers.Run) {
        isEpisodeOver = false
        if episodes == 0 { begin = other.begin }
        episodes += 1
        current.episodes += 1
        guard evidence.count < Self.evidenceLimit else { return }
        evidence.append(
            Overlap(
                begin: run.begin, queue: run.queue, thread: run.thread, otherQueue: other.queue,
                otherThread: other.thread))
    }

    /// The number of seconds with at least this number of episodes and this share of overlap.
    func seconds(episodes: Int, overlap: Double) -> Int {
        (seconds + [current]).count {
            $0.episodes >= episodes && $0.overlap > .zero
                && Double($0.overlap.count) >= overlap * Double($0.busy.count)
        }
    }

    /// Adds an interval to the second in which it begins. It is not split at the end of the second, because handlers
    /// are short.
    private mutating func addToSecond(_ begin: Timestamp, _ length: Nanoseconds) {
        if begin >= current.end {
            if current.episodes > 0 { seconds.append(current) }
            let second = Nanoseconds.seconds(1).count
            current = Second(end: Timestamp(nanoseconds: ((begin - .zero).count / second + 1) * second))
        }
        current.busy += length
        if running.count > 1 { current.overlap += length }
    }

    /// Accounts for the time up to `time`, and removes the runs that have ended by then.
    mutating func sweep(to time: Timestamp, processors: Int) {
        while let nextEnd = running.next?.end {
            let until = min(time, nextEnd)
            let length = until - sweptUntil
            if length > .zero {
                busy += length
                addToSecond(sweptUntil, length)
                if running.count > 1 {
                    overlap += length
                    let active = running.activeShare
                    let parallel = processors > 0 ? min(active, Double(processors)) : active
                    gain += Nanoseconds(Int64(Double(length.count) * max(0, parallel - 1)))
                }
            }
            sweptUntil = max(sweptUntil, until)
            guard nextEnd <= time else { return }
            running.removeNext()
            isEpisodeOver = true
        }
        sweptUntil = max(sweptUntil, time)
    }
}
