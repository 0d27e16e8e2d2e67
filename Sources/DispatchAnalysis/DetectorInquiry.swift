import DispatchModel

/// Explains why a detector reports no more findings: the nearest case, and the thresholds that stopped it.
///
/// Runs many instances of the detector in one pass. One instance has all thresholds at their loosest values, and finds
/// the candidates. For each threshold, further instances have only this threshold at values from its setting on, and
/// find the strictest value that the nearest candidate passes.
///
/// ```
///   steps       4  3  2  1  0         strictest value that the candidate passes: 2, so this threshold stops it
///   efficiency 90% …                  passes at the default
/// ```
public final class DetectorInquiry: ModelObserver {
    /// The result of an inquiry.
    public struct Answer: Sendable {
        /// The candidate that passes most thresholds. Among equals, the costliest; nil if there is none.
        public let nearest: Finding?
        /// The detector's thresholds, in its order.
        public let steps: [Step]
        /// Number of observations that the detector followed.
        public let followed: Int
    }

    /// The result for one threshold and the candidate.
    public struct Step: Sendable {
        /// The threshold's name.
        public let name: String
        /// Its setting.
        public let limit: String
        /// The strictest tested value that the candidate passes; nil if it passes none.
        public let passes: String?
        /// Whether the candidate passes the setting.
        public let isMet: Bool
    }

    private struct Run {
        var detector: any Detector
        /// The threshold that is not at its loosest value, and its rung; nil when all are at their loosest values.
        let held: (threshold: Int, rung: Int)?
    }

    /// The detector of the inquiry.
    public let type: any Detector.Type
    private let settings: ThresholdSettings
    private var runs: [Run] = []
    private var followedCount = 0

    /// - Parameters:
    ///   - type: the detector.
    ///   - settings: the user's settings of its thresholds.
    public init(_ type: any Detector.Type, settings: ThresholdSettings = ThresholdSettings()) {
        self.type = type
        self.settings = settings
        let loose = type.thresholds.reduce(settings) { $0.setting($1.name, of: type, to: $1.rungs.last!) }
        runs.append(Run(detector: type.init(thresholds: Thresholds(of: type, loose)), held: nil))
        for (position, threshold) in type.thresholds.enumerated() {
            for (rung, value) in rungs(of: threshold).enumerated() {
                let held = loose.setting(threshold.name, of: type, to: value)
                runs.append(
                    Run(detector: type.init(thresholds: Thresholds(of: type, held)), held: (position, rung)))
            }
        }
    }

    /// The setting, followed by values looser than the default.
    private func rungs(of threshold: any ThresholdDeclaration) -> [any ThresholdValue] {
        let text = settings.text(of: threshold, detector: type)
        let set = threshold.value(of: text) ?? threshold.rungs[0]
        return text == threshold.standardText ? threshold.rungs : [set] + threshold.rungs
    }

    public var followed: ObservationKinds { type.follows }

    public func observe(_ batch: borrowing ObservationBatch, in model: DispatchModel) {
        if type.follows.contains(.items) { followedCount += batch.itemCount }
        for position in 0..<batch.otherCount where !type.follows.isDisjoint(with: batch.kind(ofOther: position)) {
            followedCount += 1
        }
        for position in runs.indices { runs[position].detector.observe(batch, in: model) }
    }

    public func observe(_ observation: Observation, in model: DispatchModel) {}

    /// The answer, after the trace was read and its code was named.
    public func answer(in model: DispatchModel) -> Answer {
        /// Per run: the costliest finding for each problem.
        let found = runs.indices.map { position in
            Dictionary(
                runs[position].detector.findings(in: model).map { (FindingMerger.ProblemKey($0, in: model), $0) }
            ) { $0.cost >= $1.cost ? $0 : $1 }
        }
        let met = { (problem: FindingMerger.ProblemKey) in
            self.runs.indices.count { self.runs[$0].held?.rung == 0 && found[$0][problem] != nil }
        }
        let nearest = found[0].max {
            (met($0.key), $0.value.cost, $1.value.begin) < (met($1.key), $1.value.cost, $0.value.begin)
        }
        let steps = type.thresholds.indices.map { position in
            let threshold = type.thresholds[position]
            let passing = nearest.flatMap { nearest in
                runs.indices.first { runs[$0].held?.threshold == position && found[$0][nearest.key] != nil }
            }
            let rung = passing.flatMap { runs[$0].held?.rung }
            return Step(
                name: threshold.name, limit: settings.text(of: threshold, detector: type),
                passes: rung.map { rungs(of: threshold)[$0].thresholdText }, isMet: rung == 0)
        }
        return Answer(nearest: nearest?.value, steps: steps, followed: followedCount)
    }
}
