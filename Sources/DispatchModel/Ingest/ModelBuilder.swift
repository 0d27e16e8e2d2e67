import CTFReader

/// Builds the model from event records in order of time, and passes its conclusions to an observer.
///
/// Call ``handle(_:at:tid:)`` for each event, then ``finish()`` once. Any sequence of events is accepted.
/// Inconsistencies are counted in ``DispatchModel/invariants`` and never trap. Memory grows with queues, threads and
/// items in flight. Not thread-safe.
public struct ModelBuilder: ~Copyable, DispatchEventHandler {
    /// The entities found so far.
    public let model: DispatchModel
    /// The codes found so far. ``DispatchModel/codes`` contains them once the observers have caught up.
    public var codes: [Code] { state.codes.all }
    var state: ModelState
    var now: Int64 = 0
    var items = ItemTracker()
    var locks = LockTracker()
    var sources = SourceTracker()
    var signposts = SignpostTracker()
    var applies = ApplyTracker()
    var groups = GroupTracker()
    var semaphores = SemaphoreTracker()
    var timers = TimerTracker()
    var tasks = TaskTracker()
    var loops = LoopTracker()
    var runLoopTimers = RunLoopTimerTracker()
    var messages = MessageLog()
    /// The counters at the begin of the window; nil for a whole trace.
    private var atWindowBegin: WindowBegin?

    /// - Parameters:
    ///   - observer: receives every observation, in order.
    ///   - options: how the trace is read.
    ///   - processors: the processors that the process may use. Records of the type `process_state` override them.
    ///   - isPipelined: whether observers may be called on another thread while the model continues.
    ///   - awaitsWindow: whether observing and counting start with ``beginWindow(at:)``.
    public init(
        observer: any ModelObserver & AnyObject, options: ModelOptions = ModelOptions(),
        processors: UsableProcessors = .unknown, isPipelined: Bool = true, awaitsWindow: Bool = false
    ) {
        model = DispatchModel()
        model.usableProcessors = processors
        state = ModelState(
            model: model, observer: observer, options: options, isPipelined: isPipelined, isMuted: awaitsWindow)
    }

    deinit {
        model.pipeline?.drain()
        model.pipeline = nil
    }

    /// Begins the requested window of the trace. The model has followed all earlier events, but has not observed or
    /// counted them.
    ///
    /// - Parameter time: the first instant of the window.
    public mutating func beginWindow(at time: Timestamp) {
        now = max(now, time.nanoseconds)
        items.advance(to: now, in: &state)
        model.begin = time
        messages = MessageLog()
        model.forgetCounts()
        tasks.beginWindow(at: now)
        atWindowBegin = state.beginWindow(at: now)
    }

    /// Processes an event record.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - time: its time. A time before the previous event counts as the time of the previous event.
    ///   - tid: the thread that recorded it; 0 for the definitions stream.
    /// - Complexity: O(1) for events of items, syncs and locks.
    public mutating func handle(_ event: DispatchEvent, at time: Timestamp, tid: UInt32) {
        advance(to: time)
        event.hand(to: &self, tid: tid)
    }

    /// Sets the time of the next event. The folder Ingest has one method for each event of the catalogue.
    @inline(__always)
    mutating func advance(to time: Timestamp) {
        now = max(now, time.nanoseconds)
        items.advance(to: now, in: &state)
    }

    /// Processes an event of a kernel trace about a thread of the process. Ignored if the process recorded its context
    /// switches itself.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - time: its time, as for ``handle(_:at:tid:)``.
    /// - Complexity: O(1)
    public mutating func handle(_ event: KernelEvent, at time: Timestamp) {
        if model.processorTrack?.origin == .perfEvents { return }
        if model.processorTrack?.origin != .kernelTrace {
            model.processorTrack = ProcessorTrack(origin: .kernelTrace, detail: "")
        }
        switch event {
        case .switchedOut(let tid, let isPreempted, let processor):
            let event = DispatchEvent.SwitchOut(
                tid: tid, preempted: isPreempted ? 1 : 0, processor: UInt16(truncatingIfNeeded: processor + 1))
            handle(.switchOut(event), at: time, tid: tid)
        case .switchedIn(let tid, let processor):
            let event = DispatchEvent.SwitchIn(tid: tid, processor: UInt16(truncatingIfNeeded: processor + 1))
            handle(.switchIn(event), at: time, tid: tid)
        case .woken(let tid):
            now = max(now, time.nanoseconds)
            state.processors.wake(at: moment(tid))
        }
    }

    /// The thread with this kernel id. An event with the id 0 refers to the thread that recorded it.
    @inline(__always)
    mutating func thread(_ tid: UInt32, else recorder: UInt32 = 0) -> ThreadIndex {
        state.threads.thread(tid: tid == 0 ? recorder : tid, at: now)
    }

    /// The current time on the thread with this kernel id.
    @inline(__always)
    mutating func moment(_ tid: UInt32, else recorder: UInt32 = 0) -> Moment {
        Moment(time: now, thread: thread(tid, else: recorder))
    }

    /// Ends the trace and reports everything that is still open. Call once, after the last event.
    ///
    /// - Parameters:
    ///   - end: the end of the trace; nil for the time of the last event.
    ///   - continuesAfterEnd: whether the trace continues after the part that was read.
    public mutating func finish(at end: Timestamp? = nil, continuesAfterEnd: Bool = false) {
        now = max(now, end?.nanoseconds ?? 0)
        model.pipeline?.drain()
        model.end = Timestamp(nanoseconds: now)
        if continuesAfterEnd { model.continuesAfterEnd = true }
        items.advance(to: now, in: &state)
        model.semaphores = semaphores.entities
        model.groups = groups.entities
        model.loops = loops.entities
        model.executors = tasks.executors.entities
        model.runLoopTimers = runLoopTimers.waiting
        sources.finishAll(in: &state)
        for call in state.processors.endCalls(at: now, codes: &state.codes) { self.end(call) }
        model.waitForGraph = WaitForGraph(of: state, at: now)
        tasks.finishAll(at: now, items: &items, in: &state)
        if !model.hasOpenEnd { state.endedRun(at: now, lockWaiters: locks.waitingThreads) }
        state.finishPaths()
        // The wait-for graph needs running items, so open waits are reported before the items end.
        locks.finishAll(at: now, in: &state)
        state.finishWaits(at: now)
        items.finishAll(at: now, in: &state)
        applies.finishAll(at: now, in: &state)
        state.finishDomainOrders()
        signposts.finishAll(at: now, in: &state)
        for slice in state.processors.finishAll(at: now) { state.emit(.processorSlice(slice)) }
        model.loads = state.forest.finishLoads(at: now)
        for load in model.loads where load.begun > 0 || load.neverBegun > 0 {
            // Both values measure the same waits, one by queue and one by item. They differ if begins of items are
            // missing.
            let waited = load.waitTotal.count
            state.invariants.littlesLaw.check(abs(load.depthIntegral.count - waited) <= waited / 100)
        }
        model.pipeline?.drain()
        model.invariants = state.invariants
        model.unknownIntervals = state.unknown.all
        model.blame = state.blame.blame
        model.workers = state.forest.pools.indices.map {
            let pool = state.forest.pools[$0]
            return RootWorkers(root: pool.root, made: pool.made, most: pool.most)
        }
        model.pipeline = nil
        for thread in model.threads.indices {
            let moment = Moment(time: now, thread: ThreadIndex(thread))
            var times = state.processors.times(at: moment)
            var paused = state.processors.pausedTime(at: moment)
            if let before = atWindowBegin?.thread(thread) {
                times = times - before.times
                paused = paused - before.paused
            }
            if times.switches > 0 { model.threads[thread].processorTimes = times }
            if model.threads[thread].endedAt == nil {
                model.threads[thread].lastState = state.processors.lastState(of: moment.thread)
            }
            if paused > .zero { model.switchPauses.add(paused) }
        }
        // The kernel counts from the start of a thread, so its counters do not apply to a window.
        if atWindowBegin != nil { for thread in model.threads.indices { model.threads[thread].kernelTimes = nil } }
    }

    // MARK: Records of a trace

    /// Processes event records of the process.
    ///
    /// - Parameters:
    ///   - records: the records; see ``handle(_:at:tid:)`` for their times.
    ///   - origin: the origin of the model's time, in nanoseconds since 1970-01-01T00:00:00Z.
    public mutating func handle(_ records: RoutedRecords, since origin: Int64) {
        switch records.source {
        case .rows(let batch, let range):
            _ = handle(batch, range, records.fields, earliest: records.earliest, since: origin)
        case .single(let record):
            _ = handle(record, records.fields, earliest: records.earliest, since: origin)
        }
    }

    /// Processes a single record.
    ///
    /// - Returns: false for a class that is unknown to this version.
    mutating func handle(
        _ record: EventRecord, _ fields: FieldTables, earliest: Int64 = .min, since origin: Int64
    ) -> Bool {
        let known = fields[record.classIndex]
        guard known.pointee.id != 0 else { return false }
        advance(to: Timestamp(nanoseconds: max(record.nanoseconds, earliest) - origin))
        DispatchEvent.decode(
            id: known.pointee.id, record.payload, fields: fields.places(of: known), into: &self,
            tid: known.pointee.thread(of: record.payload, else: record.packetTID))
        return true
    }

    /// Processes records of a batch, the form of nearly all events.
    ///
    /// - Returns: the number of records of unknown classes or definitions.
    mutating func handle(
        _ batch: RecordBatch, _ range: Range<Int>, _ fields: FieldTables, earliest: Int64 = .min, since origin: Int64
    ) -> Int {
        model.pipeline?.reader = batch.pipeline
        var unknown = 0
        var next = range.lowerBound
        while next < range.upperBound {
            let record = batch.record(next)
            next += 1
            let known = fields[record.classIndex]
            guard known.pointee.id != 0 else {
                unknown += 1
                continue
            }
            let tid = known.pointee.thread(of: record.payload, else: record.tid)
            advance(to: Timestamp(nanoseconds: max(record.nanoseconds, earliest) - origin))
            if known.pointee.beginsSync, next < range.upperBound {
                // Decode this record before the next one is requested.
                let sync = DispatchEvent.SyncBegin(record.payload, fields.places(of: known))
                let end = batch.record(next)
                let ending = fields[end.classIndex]
                if ending.pointee.endsCallout, ending.pointee.thread(of: end.payload, else: end.tid) == tid,
                    handleUncontendedSync(
                        sync, tid: tid, until: Timestamp(nanoseconds: max(end.nanoseconds, earliest) - origin))
                {
                    next += 1
                } else {
                    handle(sync, tid: tid)
                }
                continue
            }
            DispatchEvent.decode(
                id: known.pointee.id, record.payload, fields: fields.places(of: known), into: &self, tid: tid)
        }
        return unknown
    }
}
