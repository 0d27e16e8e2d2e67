import DispatchModel

/// Records every observation of the model.
public final class ObservationLog: ModelObserver {
    public private(set) var items: [Item] = []
    public private(set) var acquisitions: [Acquisition] = []
    public private(set) var handoffs: [Handoff] = []
    public private(set) var misuses: [Misuse] = []
    public private(set) var signposts: [Signpost] = []
    public private(set) var iterations: [ApplyIteration] = []
    public private(set) var waits: [BlockedWait] = []
    public private(set) var changes: [ObjectChange] = []
    public private(set) var processorSlices: [ProcessorSlice] = []
    public private(set) var signals: [Signal] = []
    public private(set) var workers: [WorkerChange] = []
    public private(set) var applies: [ApplyCall] = []
    public private(set) var pending: [PendingItem] = []
    public private(set) var orders: [DomainOrder] = []
    public private(set) var timers: [TimerChange] = []
    public private(set) var taskRuns: [TaskRun] = []
    public private(set) var taskWaits: [TaskWait] = []
    public private(set) var tasks: [SwiftTask] = []
    public private(set) var keptChildren: [KeptChildren] = []
    public private(set) var blockedCalls: [BlockedCall] = []

    public init() {}

    public func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .item(let item): items.append(item)
        case .acquisition(let acquisition): acquisitions.append(acquisition)
        case .handoff(let handoff): handoffs.append(handoff)
        case .misuse(let misuse): misuses.append(misuse)
        case .signpost(let signpost): signposts.append(signpost)
        case .applyIteration(let iteration): iterations.append(iteration)
        case .blockedWait(let wait): waits.append(wait)
        case .objectChange(let change): changes.append(change)
        case .processorSlice(let slice): processorSlices.append(slice)
        case .signal(let signal): signals.append(signal)
        case .worker(let change): workers.append(change)
        case .apply(let call): applies.append(call)
        case .pending(let item): pending.append(item)
        case .domainOrder(let order): orders.append(order)
        case .timer(let change): timers.append(change)
        case .taskRun(let run): taskRuns.append(run)
        case .taskWait(let wait): taskWaits.append(wait)
        case .task(let task): tasks.append(task)
        case .keptChildren(let kept): keptChildren.append(kept)
        case .blockedCall(let call): blockedCalls.append(call)
        }
    }

    /// Returns the item with this id.
    public func item(_ id: UInt64) -> Item? { items.last { $0.id == id } }

    /// Builds the model of a trace and records its observations.
    ///
    /// - Returns: the model and the log.
    public static func read(
        _ events: [TimedEvent], options: ModelOptions = ModelOptions()
    ) -> (model: DispatchModel, log: ObservationLog) {
        let log = ObservationLog()
        var builder = ModelBuilder(observer: log, options: options)
        for event in events { builder.handle(event.event, at: event.time, tid: event.tid) }
        builder.finish()
        return (builder.model, log)
    }
}
