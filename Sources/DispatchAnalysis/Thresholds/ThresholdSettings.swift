/// The thresholds that a user changed, of all detectors.
public struct ThresholdSettings: Sendable {
    private var values: [String: any ThresholdValue] = [:]

    /// No threshold differs from its default.
    public init() {}

    /// Reads settings such as `staircase-contention.steps=6`.
    ///
    /// - Parameters:
    ///   - settings: one `DETECTOR.THRESHOLD=VALUE` each; of several for one threshold the last one counts.
    ///   - detectors: the detectors that there are.
    /// - Throws: ``ThresholdError``, which lists what is known where a name is not.
    public init(_ settings: [String], for detectors: [any Detector.Type] = DetectorRegistry.all) throws {
        for setting in settings {
            let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let names = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, names.count == 2 else {
                throw ThresholdError(
                    "cannot read the threshold '\(setting)': it should look like staircase-contention.steps=6")
            }
            let (id, name, text) = (String(names[0]), String(names[1]), String(parts[1]))
            guard let detector = detectors.first(where: { $0.id == id }) else {
                let known = detectors.filter { !$0.thresholds.isEmpty }.map { $0.id }
                throw ThresholdError(
                    "there is no detector '\(id)' to set a threshold of; those with thresholds are "
                        + known.joined(separator: ", "))
            }
            guard let threshold = detector.thresholds.first(where: { $0.name == name }) else {
                let known = detector.thresholds.map { "\($0.name) (\($0.standardText))" }
                throw ThresholdError(
                    "\(id) has no threshold '\(name)'; "
                        + (known.isEmpty ? "it has none at all" : "it has \(known.joined(separator: ", "))"))
            }
            guard let value = threshold.value(of: text) else {
                throw ThresholdError("\(id).\(name) cannot be '\(text)': it is \(threshold.expectation)")
            }
            values["\(id).\(name)"] = value
        }
    }

    /// The same settings but for one threshold.
    func setting(_ name: String, of detector: any Detector.Type, to value: any ThresholdValue) -> Self {
        var settings = self
        settings.values["\(detector.id).\(name)"] = value
        return settings
    }

    /// The same settings, with every threshold of a detector relaxed by a factor.
    ///
    /// - Parameter factor: 2 halves the least that is reported, and doubles the most.
    func relaxed(by factor: Double, of detector: any Detector.Type) -> Self {
        detector.thresholds.reduce(self) { settings, threshold in
            guard let value = threshold.value(of: text(of: threshold, detector: detector)) else { return settings }
            let scale = threshold.sense == .least ? 1 / factor : factor
            return settings.setting(threshold.name, of: detector, to: value.scaled(by: scale))
        }
    }

    /// What a threshold is set to, as a user would write it.
    func text(of threshold: any ThresholdDeclaration, detector: any Detector.Type) -> String {
        values["\(detector.id).\(threshold.name)"]?.thresholdText ?? threshold.standardText
    }

    /// The value that a user chose, nil for the default.
    func value<Value: ThresholdValue>(of threshold: Threshold<Value>, detector id: String) -> Value? {
        values["\(id).\(threshold.name)"] as? Value
    }
}

/// Why a threshold cannot be set: a sentence that says what is possible.
public struct ThresholdError: Error, Sendable, CustomStringConvertible {
    /// The sentence, without a capital and a full stop.
    public let description: String

    init(_ description: String) { self.description = description }
}
