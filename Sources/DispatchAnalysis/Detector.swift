import DispatchModel

/// A detector finds one kind of problem.
///
/// A detector is one file in the folder of its family under `Detectors/`. `queuescope explain` prints its documentation
/// comment. It follows the observations, keeps bounded state, and returns findings after the last observation. It never
/// prints. It reports nothing if the trace does not prove the problem.
public protocol Detector {
    /// Its id in kebab-case. It never changes.
    static var id: String { get }
    /// The problem that it finds, in one line.
    static var title: String { get }
    /// The text of `queuescope explain`: definition, picture, thresholds, reason, limits, advice and source.
    static var documentation: String { get }

    /// The kinds of observations that it receives. An item itself contains its acquisition of an exclusion queue. Items
    /// of actors and event loops are passed only if `.foreignItems` is among the kinds.
    static var follows: ObservationKinds { get }

    /// The items that it needs next: items with at least one of these traits. The default is all items. The value may
    /// depend on earlier observations. Other items may be passed as well.
    var wanted: ItemTraits { get }

    /// Whether it is a lint. A lint reports code that may be intended, so it runs only on request (`--lint`, or by its
    /// id).
    static var isLint: Bool { get }
    /// Whether a finding is false if items or tasks are missing that ran. Such a detector is silent in a sampled trace.
    static var needsAllItems: Bool { get }
    /// The ids of the detectors whose findings are symptoms of this detector's findings, if they are about the same
    /// queue, lock or code at the same time. The relation has no cycles.
    static var explains: Set<String> { get }
    /// Whether its findings are symptoms of every other warning or error with a shared place.
    static var isExplainedByAll: Bool { get }
    /// The picture of its findings on the timeline page. The default is a readable moment of the evidence.
    static var focus: FindingFocus { get }

    /// Its thresholds. The documentation describes each of them in its section on thresholds.
    static var thresholds: [any ThresholdDeclaration] { get }

    /// Creates a detector.
    ///
    /// - Parameter thresholds: the values of its thresholds.
    init(thresholds: Thresholds)

    /// Observes an item that ended. It is called for every item of a large trace: declare it `@inline(__always)`.
    ///
    /// - Parameters:
    ///   - item: the item, valid during the call.
    ///   - model: the model so far. It contains all entities that the item refers to.
    mutating func observe(_ item: ItemRow, in model: DispatchModel)

    /// Observes the sums of a batch, before its observations.
    mutating func observe(sumsOf batch: borrowing ObservationBatch)

    /// Observes any other observation than an item or a change of a worker.
    mutating func observe(_ observation: Observation, in model: DispatchModel)

    /// Observes a change of a worker, the most frequent observation apart from items.
    mutating func observe(_ change: WorkerChange, in model: DispatchModel)

    /// Observes a batch: passes the observations that the detector follows, in order.
    mutating func observe(_ batch: borrowing ObservationBatch, in model: DispatchModel)

    /// Returns the findings after the last observation.
    mutating func findings(in model: DispatchModel) -> [Finding]
}

extension Detector {
    public static var thresholds: [any ThresholdDeclaration] { [] }
    public static var isLint: Bool { false }
    public static var needsAllItems: Bool { false }
    public static var explains: Set<String> { [] }
    public static var isExplainedByAll: Bool { false }
    public static var focus: FindingFocus { FindingFocus() }
}

extension Detector {
    @inlinable public var wanted: ItemTraits { .any }

    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {}
    public mutating func observe(sumsOf batch: borrowing ObservationBatch) {}
    public mutating func observe(_ observation: Observation, in model: DispatchModel) {}
    public mutating func observe(_ change: WorkerChange, in model: DispatchModel) {}

    // Compiled once per detector, so that its loops have no dynamic dispatch.
    public mutating func observe(_ batch: borrowing ObservationBatch, in model: DispatchModel) {
        let follows = Self.follows
        guard !batch.kinds.isDisjoint(with: follows) else { return }
        observe(sumsOf: batch)
        var next = 0
        if !batch.otherKinds.isDisjoint(with: follows) {
            var worker = -1
            for position in 0..<batch.otherCount {
                let kind = batch.kind(ofOther: position)
                if kind == .workers { worker += 1 }
                guard !follows.isDisjoint(with: kind) else { continue }
                let end = batch.itemsBefore(other: position)
                observe(batch, from: next, to: end, in: model)
                next = end
                if kind == .workers {
                    observe(batch.worker(worker), in: model)
                } else {
                    observe(batch[other: position], in: model)
                }
            }
        }
        observe(batch, from: next, to: batch.itemCount, in: model)
    }

    @inline(__always)
    private mutating func observe(
        _ batch: borrowing ObservationBatch, from first: Int, to end: Int, in model: DispatchModel
    ) {
        guard Self.follows.contains(.items) || Self.follows.contains(.barriers), first < end else { return }
        let takesForeignItems = Self.follows.contains(.foreignItems)
        var wanted = wantedItems
        guard !wanted.isDisjoint(with: batch.traits) else { return }
        for position in first..<end {
            let traits = batch.traits(of: position)
            guard !traits.isDisjoint(with: wanted), takesForeignItems || !traits.contains(.foreign) else { continue }
            observe(batch.row(position), in: model)
            wanted = wantedItems
        }
    }

    @inline(__always)
    private var wantedItems: ItemTraits { Self.follows.contains(.items) ? wanted : .barrier }
}
