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
    private var observer: any ModelObserver

    init(model: DispatchModel, observer: any ModelObserver, options: ModelOptions) {
        self.model = model
        self.observer = observer
        self.options = options
        forest = QueueForestBuilder(model: model)
        threads = ThreadTable(model: model)
        codes = CodeTable(model: model)
        orders = DomainOrderTracker(isFollowed: observer.followed.contains(.domainOrders))
    }

    @inline(__always)
    mutating func emit(_ observation: Observation) { observer.observe(observation, in: model) }
}
