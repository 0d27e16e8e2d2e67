import DispatchAnalysis

/// Which findings make a check fail.
public struct FailurePolicy: Sendable, Equatable {
    /// Findings at least this severe fail; nil when none does for its severity.
    public let severity: Finding.Severity?
    /// Findings of these detectors fail, however severe.
    public let detectors: Set<String>

    /// What is wrong with a policy's word.
    public struct Failure: Error, CustomStringConvertible {
        /// A sentence: what was expected.
        public let description: String
    }

    /// - Parameter words: severities and ids of detectors; none means `warning`.
    /// - Throws: ``Failure`` for a word that is neither.
    public init(words: [String]) throws {
        var severities: [Finding.Severity] = words.isEmpty ? [.warning] : []
        var detectors: Set<String> = []
        for word in words {
            if let severity = Finding.Severity(rawValue: word) {
                severities.append(severity)
            } else if DetectorRegistry.detector(id: word) != nil {
                detectors.insert(word)
            } else {
                throw Failure(
                    description:
                        "'\(DisplayText.escaped(word))' is neither a severity (error, warning, info) nor a detector; "
                        + "`queuescope explain` lists the detectors")
            }
        }
        severity = severities.min()
        self.detectors = detectors
    }

    /// Whether the finding makes the check fail, if it is new.
    public func fails(_ finding: Finding) -> Bool {
        severity.map { finding.severity >= $0 } ?? false || detectors.contains(finding.detector)
    }

    /// `warning or worse, or long-sync-wait`.
    public var description: String {
        let severities = severity.map { $0 == .error ? "error" : "\($0.rawValue) or worse" }
        return ([severities].compactMap { $0 } + detectors.sorted()).joined(separator: ", or ")
    }

    /// As it is given on the command line.
    var words: [String] { [severity?.rawValue].compactMap { $0 } + detectors.sorted() }
}
