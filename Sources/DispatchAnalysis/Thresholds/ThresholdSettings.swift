import NameSuggestions

/// The thresholds of all detectors that a user changed.
public struct ThresholdSettings: Sendable {
    private var values: [String: any ThresholdValue] = [:]

    /// Creates settings in which every threshold has its default.
    public init() {}

    /// Parses settings such as `staircase-contention.steps=6`.
    ///
    /// - Parameters:
    ///   - settings: one `DETECTOR.THRESHOLD=VALUE` each. If a threshold occurs several times, the last one counts.
    ///   - detectors: the detectors with thresholds.
    /// - Throws: ``ThresholdError``. For an unknown name it lists the valid names.
    public init(_ settings: [String], for detectors: [any Detector.Type] = DetectorRegistry.all) throws {
        for setting in settings {
            let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let names = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, names.count == 2 else {
                throw ThresholdError(
                    "cannot read the threshold '\(setting)': write it as in staircase-contention.steps=6")
            }
            let (id, name, text) = (String(names[0]), String(names[1]), String(parts[1]))
            guard let detector = detectors.first(where: { $0.id == id }) else {
                let known = detectors.filter { !$0.thresholds.isEmpty }.map { $0.id }
                throw ThresholdError(
                    "there is no detector '\(id)' with a threshold\(NameSuggestion(for: id, among: known).question) "
                        + "The detectors with thresholds are \(known.joined(separator: ", "))")
            }
            guard let threshold = detector.thresholds.first(where: { $0.name == name }) else {
                let known = detector.thresholds.map { "\($0.name) (\($0.standardText))" }
                let suggestion = NameSuggestion(for: name, among: detector.thresholds.map { $0.name })
                throw ThresholdError(
                    "\(id) has no threshold '\(name)'\(suggestion.question) "
                        + (known.isEmpty ? "It has no thresholds" : "It has \(known.joined(separator: ", "))"))
            }
            guard let value = threshold.value(of: text) else {
                throw ThresholdError("\(id).\(name) cannot be '\(text)': write \(threshold.expectation)")
            }
            values["\(id).\(name)"] = value
        }
    }

    /// Returns a copy of the settings with another value for one threshold.
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

    /// The current value of a threshold, in the syntax of `--threshold`.
    func text(of threshold: any ThresholdDeclaration, detector: any Detector.Type) -> String {
        values["\(detector.id).\(threshold.name)"]?.thresholdText ?? threshold.standardText
    }

    /// The value that a user chose; nil for the default.
    func value<Value: ThresholdValue>(of threshold: Threshold<Value>, detector id: String) -> Value? {
        values["\(id).\(threshold.name)"] as? Value
    }
}

/// The reason why a threshold cannot be set, with the valid choices.
public struct ThresholdError: Error, Sendable, CustomStringConvertible {
    /// The sentence, without a capital and a full stop.
    public let description: String

    init(_ description: String) { self.description = description }
}
