import DispatchModel

/// Why a detector reports what it does, and no more: how near the trace came, and which thresholds stopped it.
///
/// Runs the detector many times over in one pass: once with every threshold as loose as it can be, which shows the
/// candidates, and for each threshold with that one alone at values from its default on, which shows where the nearest
/// candidate begins to pass.
///
/// ```
///   steps       4  3  2  1  0         strictest value that the candidate passes: 2, so this threshold stops it
///   efficiency 90% …                  passes at the default
/// ```
public final class DetectorInquiry: ModelObserver {
    /// What was found out.
    public struct Answer: Sendable {
        /// The candidate that meets most thresholds, the costliest of those; nil when there is none at all.
        public let nearest: Finding?
        /// The detector's thresholds, in its order.
        public let steps: [Step]
        /// How many observations it looked at.
        public let followed: Int
    }

    /// What one threshold says about the candidate.
    public struct Step: Sendable {
        /// The threshold's name.
        public let name: String
        /// What it is set to.
        public let limit: String
        /// The strictest value tried that lets the candidate pass; nil when none did.
        public let passes: String?
        /// Whether the candidate meets it as it is set.
        public let isMet: Bool
    }

    private struct Run {
        var detector: any Detector
        /// The threshold that is not loose, and its rung; nil when all are loose.
        let held: (threshold: Int, rung: Int)?
    }

    /// The detector that is asked about.
    public let type: any Detector.Type
    private let settings: ThresholdSettings
    private var runs: [Run] = []
    private var followedCount = 0

    /// - Parameters:
    ///   - type: the detector.
    ///   - settings: what the user set its thresholds to.
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

    /// What it is set to, then what is looser than the default.
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

    /// The answer, once the trace has been read and its code has names.
    public func answer(in model: DispatchModel) -> Answer {
        /// By run: the costliest finding for each problem.
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
