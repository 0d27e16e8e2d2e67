import DispatchModel

/// Findings that a run has, or misses by less than half of each threshold. Follows an analysis as an observer.
///
/// A run whose figures are near a threshold has the finding one time and misses it the next. So a finding of one run
/// only proves a difference between two runs if the other run does not even have it with every threshold relaxed by
/// ``Comparison/leastRatio``: the same factor by which the times of a queue must differ.
public final class NearFindings: ModelObserver {
    private var detectors: [any Detector]
    public let followed: ObservationKinds

    /// - Parameter settings: the thresholds that the user changed.
    public init(settings: ThresholdSettings = ThresholdSettings()) {
        let shared = SharedFacts()
        let types = DetectorRegistry.all
        followed = types.reduce([]) { $0.union($1.follows) }
        detectors = types.map { type in
            let relaxed = settings.relaxed(by: Comparison.leastRatio, of: type)
            return type.init(thresholds: Thresholds(of: type, relaxed, sharing: shared))
        }
    }

    public func observe(_ batch: borrowing ObservationBatch, in model: DispatchModel) {
        for position in detectors.indices { detectors[position].observe(batch, in: model) }
    }

    public func observe(_ observation: Observation, in model: DispatchModel) {}

    /// The findings, after the last observation. Symptoms of another finding are findings of their own here.
    public func findings(in model: DispatchModel) -> [Finding] {
        let findings = detectors.indices.flatMap { position in
            model.sampling.isSampled && type(of: detectors[position]).needsAllItems
                ? [] : detectors[position].findings(in: model)
        }
        return FindingMerger.folded(findings.map { SystemCode.judged($0, in: model) }, in: model)
    }
}
