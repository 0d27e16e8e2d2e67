import DispatchModel

/// Hands every observation to the statistics, the detectors and whoever else wants it, in one call per observation.
final class AnalysisObserver: ModelObserver {
    private(set) var statistics = StatisticsCollector()
    private var detectors: [any Detector]
    /// Parallel to `detectors`: what each follows.
    private let follows: [ObservationKinds]
    private var observers: [any ModelObserver & AnyObject]

    init(
        detectors: [any Detector.Type], thresholds: ThresholdSettings, observers: [any ModelObserver & AnyObject]
    ) {
        self.detectors = detectors.map { $0.init(thresholds: Thresholds(of: $0, thresholds)) }
        follows = detectors.map { $0.follows }
        self.observers = observers
    }

    /// What the statistics, the detectors and the other observers read, all together.
    var followed: ObservationKinds {
        observers.reduce(follows.reduce(StatisticsCollector.follows) { $0.union($1) }) { $0.union($1.followed) }
    }

    func observe(_ observation: Observation, in model: DispatchModel) {
        statistics.observe(observation, in: model)
        let kind = observation.kind
        for position in detectors.indices where !follows[position].isDisjoint(with: kind) {
            detectors[position].observe(observation, in: model)
        }
        for position in observers.indices { observers[position].observe(observation, in: model) }
    }

    /// The findings of all detectors, ranked and numbered, with a caveat when the recorder discarded events.
    func findings(in model: DispatchModel, discarded: Int) -> [Finding] {
        var findings: [Finding] = []
        for position in detectors.indices { findings += detectors[position].findings(in: model) }
        let foreign = ForeignCode(model: model)
        return Ranking.ranked(findings.map(foreign.judged), discarded: discarded)
    }
}
