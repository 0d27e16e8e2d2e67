/// What all state builders share: the entities, the clocks of the queues, and the way out for observations.
struct ModelState: ~Copyable {
    let model: DispatchModel
    let options: ModelOptions
    var forest: QueueForestBuilder
    var threads: ThreadTable
    var codes: CodeTable
    var processors = ProcessorTracker()
    var invariants = ModelInvariants()
    var unknown = UnknownStretches()
    /// Threads that run an item.
    var running = 0
    var waits = BlockedWaitTracker()
    var held = HeldTable()
    var orders: DomainOrderTracker
    var blame = BlameTracker()
    var paths: PathRecorder
    /// What the observer reads; nothing before a window begins.
    private(set) var followed: ObservationKinds
    /// The window that was asked for has not begun.
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

    /// Tells the observer of everything from now on.
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

    /// Nearly all observations are items. `fill` fills the observers' row.
    @inline(__always)
    func emitItem(_ fill: (UnsafeMutablePointer<Item>) -> Void) { if !isMuted { pipeline.appendItem(fill) } }

    /// The path that was asked for, when the trace is over and nothing is closed yet.
    func finishPath(at time: Int64) -> CriticalPath? { pipeline.finishPath(from: model.begin.nanoseconds, to: time) }

    /// No item that is still to be observed began before `time`.
    func settle(until time: Int64) { pipeline.settle(until: Timestamp(nanoseconds: time)) }
}
