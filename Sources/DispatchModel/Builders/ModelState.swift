/// The state that all state builders share: the entities, the clocks of the queues, and the pipeline of observations.
struct ModelState: ~Copyable {
    let model: DispatchModel
    let options: ModelOptions
    var forest: QueueForestBuilder
    var threads: ThreadTable
    var codes: CodeTable
    var processors = ProcessorTracker()
    var invariants = ModelInvariants()
    var unknown = UnknownIntervals()
    /// Number of threads that run an item.
    var running = 0
    var waits = BlockedWaitTracker()
    var held = HeldTable()
    var orders: DomainOrderTracker
    var blame = BlameTracker()
    var paths: PathRecorder
    /// The kinds that the observer reads; none before the window begins.
    private(set) var followed: ObservationKinds
    /// Whether the requested window has not begun.
    private(set) var isMuted: Bool
    private let pipeline: ObservationPipeline

    init(
        model: DispatchModel, observer: any ModelObserver, options: ModelOptions, isPipelined: Bool, isMuted: Bool
    ) {
        self.model = model
        pipeline = ObservationPipeline(observer: observer, model: model, isPipelined: isPipelined)
        model.pipeline = pipeline
        self.options = options
        self.isMuted = isMuted
        followed = isMuted ? [] : observer.followed
        forest = QueueForestBuilder(model: model)
        threads = ThreadTable(model: model)
        codes = CodeTable(model: model, functions: options.functions)
        paths = PathRecorder(target: isMuted ? nil : options.criticalPath, pipeline: pipeline)
        orders = DomainOrderTracker(isFollowed: followed.contains(.domainOrders))
    }

    /// Starts to report to the observer.
    mutating func unmute() {
        isMuted = false
        followed = pipeline.followed
        paths = PathRecorder(target: options.criticalPath, pipeline: pipeline)
        orders = DomainOrderTracker(isFollowed: followed.contains(.domainOrders))
    }

    @inline(__always)
    func emit(_ observation: Observation) {
        if followed.contains(observation.kind) { pipeline.append(observation) }
    }

    /// Reports an item, the most frequent kind. `fill` fills the observer's row.
    @inline(__always)
    func emitItem(_ fill: (UnsafeMutablePointer<Item>) -> Void) { if !isMuted { pipeline.appendItem(fill) } }

    /// Gives the paths to the model. Call at the end of the trace, before open operations are closed.
    func finishPaths() {
        guard paths.isFollowed else { return }
        let tracker = pipeline.finishPaths()
        model.requestedPath = tracker.requested
        if tracker.isOfWholeRun { model.openPaths = OpenPaths(tracker, since: model.begin) }
    }

    /// States that no item that will still be reported began before `time`.
    func settle(until time: Int64) { pipeline.settle(until: Timestamp(nanoseconds: time)) }
}
