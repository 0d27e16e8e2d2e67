import DispatchModel

/// Passes each batch of observations to the statistics, the detectors and the other observers, one after the other.
/// Each of them processes the whole batch while its state and code are in the caches.
final class AnalysisObserver: ModelObserver {
    private let types: [any Detector.Type]
    private var detectors: [any Detector]
    /// The kinds that each detector follows. Half of the detectors need nothing of most batches and are skipped.
    private let follows: [ObservationKinds]
    private var observers: [any ModelObserver & AnyObject]
    private(set) var statistics = StatisticsCollector()
    private(set) var tasks = TaskStatisticsCollector()

    init(
        detectors types: [any Detector.Type], thresholds: ThresholdSettings,
        observers: [any ModelObserver & AnyObject]
    ) {
        self.types = types
        follows = types.map { $0.follows }
        let shared = SharedFacts()
        detectors = types.map { $0.init(thresholds: Thresholds(of: $0, thresholds, sharing: shared)) }
        self.observers = observers
    }

    /// Begins the requested part of the trace.
    func beginWindow(at time: Timestamp) { statistics.begin = time }

    /// The union of the kinds of the statistics, the detectors and the other observers.
    var followed: ObservationKinds {
        let sums = StatisticsCollector.follows.union(TaskStatisticsCollector.follows)
        let ours = types.reduce(sums) { $0.union($1.follows) }
        return observers.reduce(ours) { $0.union($1.followed) }
    }

    func observe(_ batch: borrowing ObservationBatch, in model: DispatchModel) {
        statistics.observe(batch)
        tasks.observe(batch)
        for position in detectors.indices where !follows[position].isDisjoint(with: batch.kinds) {
            detectors[position].observe(batch, in: model)
        }
        for position in observers.indices { observers[position].observe(batch, in: model) }
    }

    func observe(_ observation: Observation, in model: DispatchModel) {}

    /// The findings of all detectors: similar findings and findings with one cause are merged, and the results are
    /// ranked and numbered, with a caveat where events are missing.
    func findings(in model: DispatchModel) -> [Finding] {
        let findings = detectors.indices.flatMap { position in
            model.sampling.isSampled && types[position].needsAllItems ? [] : detectors[position].findings(in: model)
        }
        let folded = FindingMerger.folded(findings.map { SystemCode.judged($0, in: model) }, in: model)
        let merged = FindingMerger.merged(folded, detectors: types, in: model)
        return Ranking.ranked(merged, missing: model.missing, in: model)
    }
}
