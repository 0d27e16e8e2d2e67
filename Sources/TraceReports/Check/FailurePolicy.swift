import DispatchAnalysis
import NameSuggestions
import ReportText

/// Decides which findings fail a check.
public struct FailurePolicy: Sendable, Equatable {
    /// Findings with this severity or a higher one fail the check; nil when the severity does not matter.
    public let severity: Finding.Severity?
    /// Ids of detectors whose findings fail the check at any severity.
    public let detectors: Set<String>

    /// All valid words: the severities, and the ids of the detectors.
    public static var validWords: [String] {
        Finding.Severity.allCases.reversed().map(\.rawValue) + DetectorRegistry.all.map { $0.id }
    }

    /// The reason why a word of a policy is not valid.
    public struct Failure: Error, CustomStringConvertible {
        /// A sentence: the word and the accepted words.
        public let description: String
    }

    /// - Parameter words: severities and ids of detectors; an empty list is the same as `warning`.
    /// - Throws: ``Failure`` for any other word.
    public init(words: [String]) throws {
        var severities: [Finding.Severity] = words.isEmpty ? [.warning] : []
        var detectors: Set<String> = []
        for word in words {
            if let severity = Finding.Severity(rawValue: word) {
                severities.append(severity)
            } else if DetectorRegistry.detector(id: word) != nil {
                detectors.insert(word)
            } else {
                let suggestion = NameSuggestion(for: word, among: Self.validWords)
                throw Failure(
                    description:
                        "'\(DisplayText.escaped(word))' is neither a severity (error, warning, info) nor a detector"
                        + "\(suggestion.question) `queuescope explain` lists the detectors")
            }
        }
        severity = severities.min()
        self.detectors = detectors
    }

    /// Whether the finding fails the check if it is new.
    public func fails(_ finding: Finding) -> Bool {
        severity.map { finding.severity >= $0 } ?? false || detectors.contains(finding.detector)
    }

    /// The policy in words, for example `warning or worse, or long-sync-wait`.
    public var description: String {
        let severities = severity.map { $0 == .error ? "error" : "\($0.rawValue) or worse" }
        return ([severities].compactMap { $0 } + detectors.sorted()).joined(separator: ", or ")
    }

    /// The arguments of the command line that give this policy.
    var words: [String] { [severity?.rawValue].compactMap { $0 } + detectors.sorted() }
}
