import CTFReader
import Dispatch
import Synchronization

/// The way from the model to its observers: a full batch is observed on another processor while the model goes on.
///
/// ```
///   model      ├─ batch 1 ─┤├─ batch 2 ─┤├─ batch 3 ─┤  drain ····· ├ entity changes ┤├─ batch 4
///   path                    ├─ 1 ─┤      ├─ 2 ─┤      ├─ 3 ─┤
///   observers                     ├─ batch 1 ──┤├─ batch 2 ──┤├─ batch 3 ─┤
/// ```
///
/// Observers look up entities, and must find them as they were when the observation became known. So no entity changes
/// while a batch is on its way: ``DispatchModel`` calls ``drain()`` before each change. Changes are rare, but for queues
/// and threads that come and go, and for code and stacks, which travel along.
final class ObservationPipeline: @unchecked Sendable {
    private final class Parcel: @unchecked Sendable {
        // The pipeline sees to it that one thread has it at a time.
        let batch = UnsafeMutablePointer<ObservationBatch>.allocate(capacity: 1)
        /// Made before the batch is observed.
        @exclusivity(unchecked) var changes: [EntityChange] = []
        /// What happened on the way to critical paths meanwhile.
        let steps = UnsafeMutablePointer<RowTable<PathStep>>.allocate(capacity: 1)
        /// No item that is in this batch or a later one began before this.
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

    /// How many batches may be on their way: enough that neither side waits for the other's uneven steps.
    private static let parcelLimit = 4
    /// An item takes three steps, and those before it in a batch may have taken theirs.
    private static let stepsPerObservation = 4

    private let model: DispatchModel
    private var observer: any ModelObserver
    private let queue = DispatchQueue(label: "org.queuescope.observers")
    private let observed = DispatchSemaphore(value: 0)
    private var parcels: [Parcel]
    @exclusivity(unchecked) private var filling: Parcel
    /// Its batch, which items reach without counting a reference.
    @exclusivity(unchecked) private var batch: UnsafeMutablePointer<ObservationBatch>
    @exclusivity(unchecked) private var steps: UnsafeMutablePointer<RowTable<PathStep>>
    private var paths = PathTracker(target: nil)
    /// What reads records ahead, for who would wait.
    var reader: RecordPipeline?
    /// Parcels whose batch has been handed over and not been waited for.
    private var sent = 0
    /// Those that no observer has been handed.
    private let pending = Atomic(0)
    private var settled = Timestamp.zero
    /// Batches that observers have been handed, on their side.
    @exclusivity(unchecked) private var delivered = 0

    private let isPipelined: Bool
    /// The length of a full batch. Its items stay in the second-level cache while one observer after the other reads
    /// them. Where each of thousands of processes has a batch, it is shorter.
    private let fullLength: Int

    init(observer: any ModelObserver, model: DispatchModel, isPipelined: Bool) {
        self.isPipelined = isPipelined
        fullLength = isPipelined ? 1024 : 128

        self.observer = observer
        self.model = model
        let first = Parcel()
        parcels = [first]
        filling = first
        batch = first.batch
        steps = first.steps
    }

    /// What the observer reads.
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

    /// Steps from now on lead to this target.
    func followPaths(to target: CriticalPath.Target?) {
        drain()
        paths = PathTracker(target: target)
    }

    /// The path that was asked for.
    func finishPath(from begin: Int64, to end: Int64) -> CriticalPath? {
        drain()
        return paths.result(from: begin, to: end)
    }

    /// No item that is still to be observed began before `time`.
    func settle(until time: Timestamp) { settled = time }

    /// Everything has been observed when it returns.
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
        let (parcel, reader) = (filling, reader)
        pending.add(1, ordering: .relaxed)
        queue.async {
            self.pending.subtract(1, ordering: .relaxed)
            self.follow(parcel)
            self.deliver(parcel)
            self.observed.signal()
            while self.pending.load(ordering: .relaxed) == 0, reader?.readAhead() == true {}
        }
        sent += 1
        if parcels.count < Self.parcelLimit {
            parcels.append(Parcel())
        } else {
            // They are observed in order: the one sent first is the first that is free.
            if sent == Self.parcelLimit { waitForOne() }
            parcels.append(parcels.removeFirst())
        }
        filling = parcels[parcels.count - 1]
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

    private func follow(_ parcel: Parcel) {
        paths.follow(parcel.steps.pointee)
        parcel.steps.pointee.removeAll()
    }

    private func deliver(_ parcel: Parcel) {
        for change in parcel.changes { model.apply(change) }
        parcel.changes.removeAll(keepingCapacity: true)
        model.settledUntil = parcel.settledUntil
        delivered += 1
        parcel.batch.pointee.classify(as: delivered, in: model)
        observer.observe(parcel.batch.pointee, in: model)
        parcel.batch.pointee.removeAll()
    }
}
