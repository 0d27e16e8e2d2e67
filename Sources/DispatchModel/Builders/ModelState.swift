/// What all state builders share: the entities, the clocks of the queues, and the way out for observations.
struct ModelState {
    let model: DispatchModel
    let options: ModelOptions
    var forest: QueueForestBuilder
    var threads: ThreadTable
    var codes: CodeTable
    var processors = ProcessorTracker()
    var invariants = ModelInvariants()
    var waits = BlockedWaitTracker()
    var held = HeldTable()
    var orders: DomainOrderTracker
    var blame = BlameTracker()
    var paths: PathTracker
    /// What the observer reads.
    let followed: ObservationKinds
    private var observer: any ModelObserver

    init(model: DispatchModel, observer: any ModelObserver, options: ModelOptions) {
        self.model = model
        self.observer = observer
        self.options = options
        followed = observer.followed
        forest = QueueForestBuilder(model: model)
        threads = ThreadTable(model: model)
        codes = CodeTable(model: model)
        paths = PathTracker(target: options.criticalPath)
        orders = DomainOrderTracker(isFollowed: followed.contains(.domainOrders))
    }

    @inline(__always)
    mutating func emit(_ observation: Observation) {
        if followed.contains(observation.kind) { observer.observe(observation, in: model) }
    }

    /// Nearly all observations are items; most others are acquisitions.
    @inline(__always)
    mutating func emit(_ item: Item) { observer.observe(item, in: model) }
}
