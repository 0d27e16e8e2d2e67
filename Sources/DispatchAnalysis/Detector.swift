import DispatchModel

/// Finds one kind of problem.
///
/// A detector is one file in its family's folder under `Detectors/`, whose documentation comment `queuescope explain`
/// prints. It follows the observations, keeps bounded state, and emits findings at the end; it never prints. It stays
/// silent rather than guess.
public protocol Detector {
    /// Kebab-case, stable for ever.
    static var id: String { get }
    /// What it finds, in one line.
    static var title: String { get }
    /// Definition, thresholds, why it matters, what it cannot see, picture, advice and source: what `explain` prints.
    static var documentation: String { get }

    /// The kinds of observations that it follows; the others are not handed to it. An item tells its acquisition of an
    /// exclusion queue itself. Items of actors and event loops come only where `.foreignItems` is among them.
    static var follows: ObservationKinds { get }

    /// Which items it wants to see next: those with any of these traits. All by default. What it asks for may depend on
    /// what it has seen; it may be handed others too.
    var wanted: ItemTraits { get }

    /// It reports what may be as it is, and so runs only when it is asked for (`--lint`, or by its id).
    static var isLint: Bool { get }
    /// The ids of detectors whose findings are symptoms of this one's, when they are about the same queue, lock or code
    /// at the same time. Never in a circle.
    static var explains: Set<String> { get }

    /// What a user can change about it, each described in the documentation's section on thresholds.
    static var thresholds: [any ThresholdDeclaration] { get }

    /// Makes a detector that has seen nothing yet.
    ///
    /// - Parameter thresholds: the values of its thresholds.
    init(thresholds: Thresholds)

    /// Takes in an item that ended. Called for every item of a large trace: declare it `@inline(__always)`.
    ///
    /// - Parameters:
    ///   - item: the item, valid during the call.
    ///   - model: the entities known so far; everything the item refers to is in it.
    mutating func observe(_ item: ItemRow, in model: DispatchModel)

    /// Takes in what is known of a batch as a whole, before its observations.
    mutating func observe(sumsOf batch: borrowing ObservationBatch)

    /// Takes in an observation that is neither an item nor a change of a worker.
    mutating func observe(_ observation: Observation, in model: DispatchModel)

    /// Takes in a change of a worker, which is by far the most frequent observation that is no item.
    mutating func observe(_ change: WorkerChange, in model: DispatchModel)

    /// Takes in a batch of observations: hands over those that it follows, in order.
    mutating func observe(_ batch: borrowing ObservationBatch, in model: DispatchModel)

    /// The findings, after the last observation.
    mutating func findings(in model: DispatchModel) -> [Finding]
}

extension Detector {
    public static var thresholds: [any ThresholdDeclaration] { [] }
    public static var isLint: Bool { false }
    public static var explains: Set<String> { [] }
}

extension Detector {
    @inlinable public var wanted: ItemTraits { .any }

    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {}
    public mutating func observe(sumsOf batch: borrowing ObservationBatch) {}
    public mutating func observe(_ observation: Observation, in model: DispatchModel) {}
    public mutating func observe(_ change: WorkerChange, in model: DispatchModel) {}

    // Compiled once for every detector, so that its loops call nothing that is looked up at run time.
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
