import DispatchModel

/// Puts findings with one cause together: the cause stays, what it shows as elsewhere is noted on it.
///
/// A queue that is handed from thread to thread also makes syncs wait for long. Told twice, the reader looks for two
/// problems.
enum FindingMerger {
    /// Folds symptoms into their causes.
    ///
    /// A finding is a symptom of another when the other's detector says so (``Detector/explains``), they meet in an
    /// exclusion queue, a lock or a piece of code, and they are not apart in time.
    ///
    /// - Parameters:
    ///   - findings: in any order.
    ///   - detectors: the detectors that ran.
    ///   - model: the entities.
    /// - Returns: the findings that are not symptoms, in their order.
    /// - Complexity: O(findings²).
    static func merged(
        _ findings: [Finding], detectors: [any Detector.Type], in model: DispatchModel
    ) -> [Finding] {
        let explains = Dictionary(uniqueKeysWithValues: detectors.map { ($0.id, $0.explains) })
        let places = findings.map { Place($0, in: model) }
        /// Of each finding: the position of its cause.
        let causes = findings.indices.map { symptom in
            findings.indices.filter { cause in
                explains[findings[cause].detector]?.contains(findings[symptom].detector) == true
                    && places[cause].meets(places[symptom])
            }.max { findings[$0].cost < findings[$1].cost }
        }
        var result = findings
        for symptom in findings.indices {
            guard var cause = causes[symptom] else { continue }
            // The detectors explain each other in one direction only, so that this comes to an end.
            while let deeper = causes[cause] { cause = deeper }
            result[cause].symptoms.append(
                Finding.Symptom(
                    detector: findings[symptom].detector, summary: findings[symptom].summary,
                    cost: findings[symptom].cost))
        }
        return findings.indices.filter { causes[$0] == nil }.map { position in
            var finding = result[position]
            finding.symptoms.sort { ($1.cost, $0.detector, $0.summary) < ($0.cost, $1.detector, $1.summary) }
            return finding
        }
    }

    /// Where and when a finding is.
    private struct Place {
        private let domains: Set<QueueIndex>
        private let locks: Set<LockIndex>
        private let code: Set<CodeIndex>
        private let begin: Timestamp
        private let end: Timestamp

        init(_ finding: Finding, in model: DispatchModel) {
            domains = Set(finding.queues.map { model.exclusionQueue(of: $0) ?? $0 })
            locks = Set(finding.locks)
            code = Set(finding.code)
            begin = finding.begin
            end = finding.end
        }

        func meets(_ other: Place) -> Bool {
            guard begin <= other.end, other.begin <= end else { return false }
            return !domains.isDisjoint(with: other.domains) || !locks.isDisjoint(with: other.locks)
                || !code.isDisjoint(with: other.code)
        }
    }
}
