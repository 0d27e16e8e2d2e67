import CTFReader
import Dispatch
import Synchronization

/// Passes observations from the model to its observers. A full batch is observed on another thread while the model
/// continues.
///
/// ```
///   model      ├─ batch 1 ─┤├─ batch 2 ─┤├─ batch 3 ─┤  drain ····· ├ entity changes ┤├─ batch 4
///   path                    ├─ 1 ─┤      ├─ 2 ─┤      ├─ 3 ─┤
///   observers                     ├─ batch 1 ──┤├─ batch 2 ──┤├─ batch 3 ─┤
/// ```
///
/// Observers look up entities and must find them in their state at the time of the observation. So no entity changes
/// while a batch is in flight: ``DispatchModel`` calls ``drain()`` before each change. Such changes are rare, except
/// for queues, threads, code and stacks, whose changes are stored with the batches.
///
/// Each batch is accessed by one thread at a time: the model fills it and sends it to `queue`, and reuses it only after
/// `observed` was signalled for it. The observer and the paths are used on `queue`, or by the model after all batches
/// in flight have been observed.
final class ObservationPipeline: @unchecked Sendable {
    private final class InFlightBatch: @unchecked Sendable {
        // The pipeline ensures that one thread at a time accesses it.
        let batch = UnsafeMutablePointer<ObservationBatch>.allocate(capacity: 1)
        /// Changes that are applied before the batch is observed.
        @exclusivity(unchecked) var changes: [EntityChange] = []
        /// Steps of critical paths that were recorded with the batch.
        let steps = UnsafeMutablePointer<RowTable<PathStep>>.allocate(capacity: 1)
        /// No item of this batch or of a later one began before this time.
        var settledUntil = Timestamp.zero

        init() {
            batch.initialize(to: ObservationBatch())
            steps.initialize(to: RowTable())
        }

        deinit {
            batch.deinitialize(count: 1)
            batch.deallocate()
            steps.deinitialize(count: 1)
            steps.deallocate()
        }
    }

    /// Largest number of batches in flight, so that neither side waits for uneven work of the other.
    private static let inFlightLimit = 4
    /// Largest number of steps in a batch, per observation. An item usually has three: submission, begin and end.
    private static let stepsPerObservation = 4

    private let model: DispatchModel
    private var observer: any ModelObserver
    private let queue = DispatchQueue(label: "org.queuescope.observers")
    private let observed = DispatchSemaphore(value: 0)
    private var inFlight: [InFlightBatch]
    @exclusivity(unchecked) private var filling: InFlightBatch
    /// The batch of `filling`, stored separately to avoid reference counting for each item.
    @exclusivity(unchecked) private var batch: UnsafeMutablePointer<ObservationBatch>
    @exclusivity(unchecked) private var steps: UnsafeMutablePointer<RowTable<PathStep>>
    private var paths = PathTracker(target: nil)
    /// Reads records ahead while a thread would otherwise wait for a batch.
    var reader: RecordPipeline?
    /// Number of batches that were sent and not yet waited for.
    private var sent = 0
    /// Number of batches that were sent and not yet taken by the observers' thread.
    private let pending = Atomic(0)
    private var settled = Timestamp.zero
    /// Number of batches that were observed. Used on the observers' side.
    @exclusivity(unchecked) private var delivered = 0

    private let isPipelined: Bool
    /// The length of a full batch. The items of 1,024 observations stay in the second-level cache while one observer
    /// after the other reads them. The batches are shorter if each of thousands of processes has one.
    private let fullLength: Int

    init(observer: any ModelObserver, model: DispatchModel, isPipelined: Bool) {
        self.isPipelined = isPipelined
        fullLength = isPipelined ? 1024 : 128

        self.observer = observer
        self.model = model
        let first = InFlightBatch()
        inFlight = [first]
        filling = first
        batch = first.batch
        steps = first.steps
    }

    /// The kinds that the observer reads.
    var followed: ObservationKinds { observer.followed }

    @inline(__always)
    func appendItem(_ fill: (UnsafeMutablePointer<Item>) -> Void) {
        batch.pointee.appendItem(fill)
        if batch.pointee.length >= fullLength { send() }
    }

    func append(_ observation: Observation) {
        batch.pointee.append(observation)
        if batch.pointee.length >= fullLength { send() }
    }

    func append(_ change: EntityChange) {
        filling.changes.append(change)
        if filling.changes.count >= fullLength { send() }
    }

    @inline(__always)
    func append(_ step: PathStep) {
        steps.pointee.append(step)
        if steps.pointee.count >= Self.stepsPerObservation * fullLength { send() }
    }

    /// Sets the target of the critical path for later steps.
    func followPaths(to target: CriticalPath.Target?) {
        drain()
        paths = PathTracker(target: target)
    }

    /// Ends the following of paths and returns them.
    func finishPaths() -> PathTracker {
        drain()
        var finished = PathTracker(target: nil)
        swap(&finished, &paths)
        return finished
    }

    /// States that no item that will still be observed began before `time`.
    func settle(until time: Timestamp) { settled = time }

    /// Returns after everything has been observed.
    @inline(__always)
    func drain() {
        if sent > 0 || !batch.pointee.isEmpty || !filling.changes.isEmpty || steps.pointee.count > 0 { drainNow() }
    }

    @inline(never)
    private func drainNow() {
        while sent > 0 { waitForOne() }
        follow(filling)
        deliver(filling)
        filling.settledUntil = settled
    }

    @inline(never)
    private func send() {
        guard isPipelined else { return drainNow() }
        let (entry, reader) = (filling, reader)
        pending.add(1, ordering: .relaxed)
        queue.async {
            self.pending.subtract(1, ordering: .relaxed)
            self.follow(entry)
            self.deliver(entry)
            self.observed.signal()
            while self.pending.load(ordering: .relaxed) == 0, reader?.readAhead() == true {}
        }
        sent += 1
        if inFlight.count < Self.inFlightLimit {
            inFlight.append(InFlightBatch())
        } else {
            // Batches are observed in order, so the batch that was sent first is free first.
            if sent == Self.inFlightLimit { waitForOne() }
            inFlight.append(inFlight.removeFirst())
        }
        filling = inFlight[inFlight.count - 1]
        batch = filling.batch
        steps = filling.steps
        filling.settledUntil = settled
    }

    private func waitForOne() {
        while observed.wait(timeout: .now()) == .timedOut {
            guard reader?.readAhead() == true else {
                observed.wait()
                break
            }
        }
        sent -= 1
    }

    private func follow(_ entry: InFlightBatch) {
        paths.follow(entry.steps.pointee)
        entry.steps.pointee.removeAll()
    }

    private func deliver(_ entry: InFlightBatch) {
        for change in entry.changes { model.apply(change) }
        entry.changes.removeAll(keepingCapacity: true)
        model.settledUntil = entry.settledUntil
        delivered += 1
        entry.batch.pointee.classify(as: delivered, in: model)
        observer.observe(entry.batch.pointee, in: model)
        entry.batch.pointee.removeAll()
    }
}
