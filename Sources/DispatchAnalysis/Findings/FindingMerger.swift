import DispatchModel

/// Merges findings, so that one problem is one finding. Findings of one detector in the same code, on queues and locks
/// whose labels differ only in numbers, become one finding. Findings with one cause become the finding of the cause,
/// with the others as its symptoms.
///
/// Example: a queue with many hand-offs also causes long waits in sync. Two findings would suggest two problems.
enum FindingMerger {
    /// Merges the findings of one detector in the same code, on similar queues and locks: 1,000 connections are one
    /// problem.
    ///
    /// - Parameters:
    ///   - findings: in any order.
    ///   - model: the entities.
    /// - Returns: the costliest finding of each problem, with the cost, the occurrences and the queues of all.
    static func folded(_ findings: [Finding], in model: DispatchModel) -> [Finding] {
        let keys = findings.map { ProblemKey($0, in: model) }
        let groups = Dictionary(grouping: findings.indices) { keys[$0] }
        return findings.indices.compactMap { position in
            let alike = groups[keys[position]]!
            guard alike.count > 1 else { return findings[position] }
            guard alike[0] == position else { return nil }
            return folded(alike.map { findings[$0] })
        }
    }

    private static func folded(_ alike: [Finding]) -> Finding {
        let sorted = alike.sorted { ($1.cost, $0.begin, $0.summary) < ($0.cost, $1.begin, $1.summary) }
        let worst = sorted[0]
        let isOneCode = alike.allSatisfy { $0.code == worst.code }
        var finding = Finding(
            detector: worst.detector, severity: alike.reduce(worst.severity) { max($0, $1.severity) },
            summary: worst.summary
                + " \(Figures.plural(alike.count - 1, "more case")) like this, "
                + (isOneCode ? "on other queues or locks." : "in other compiled copies of this code."),
            queues: DistinctValues(sorted.flatMap(\.queues)).elements,
            locks: DistinctValues(sorted.flatMap(\.locks)).elements,
            begin: sorted.reduce(worst.begin) { min($0, $1.begin) }, end: sorted.reduce(worst.end) { max($0, $1.end) },
            cost: sorted.reduce(.zero) { $0 + $1.cost }, occurrences: sorted.reduce(0) { $0 + $1.occurrences },
            measures: [Measure("cases", "\(alike.count); the other values are of the costliest")] + worst.measures,
            evidence: worst.evidence, code: worst.code, stacks: worst.stacks, advice: worst.advice,
            caveat: sorted.lazy.compactMap(\.caveat).first)
        finding.library = worst.library
        finding.distinction = worst.distinction
        return finding
    }

    /// The properties that the findings of one problem share.
    struct ProblemKey: Hashable {
        let detector: String
        /// Patterns of the labels of its queues and locks.
        let names: Set<String>
        /// The code as a reader distinguishes it: by its line, if it has one, because the compiler may have created
        /// several copies of one function.
        let code: [String]
        let distinction: String

        init(_ finding: Finding, in model: DispatchModel) {
            detector = finding.detector
            names = Place.names(of: finding, in: model)
            code = finding.code.map { model[$0].file.isEmpty ? "\($0.position)" : model[$0].description }
            distinction = finding.distinction
        }
    }

    /// Merges symptoms into their causes.
    ///
    /// A finding is a symptom of another finding when the other detector explains it (``Detector/explains``,
    /// ``Detector/isExplainedByAll``), they share an exclusion queue, a lock, a proved moment of a thread, or code on
    /// similar queues or locks, and their time spans overlap. Shared code alone is not enough: one wrapper around a
    /// lock may hide two problems.
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
        let explainedByAll = Set(detectors.filter { $0.isExplainedByAll }.map { $0.id })
        func mayExplain(_ cause: Finding, _ symptom: Finding) -> Bool {
            if explainedByAll.contains(symptom.detector) {
                return cause.severity > .info && !explainedByAll.contains(cause.detector)
            }
            return explains[cause.detector]?.contains(symptom.detector) == true
        }
        let places = findings.map { Place($0, in: model) }
        /// The position of the cause of each finding.
        let causes = findings.indices.map { symptom in
            findings.indices.filter { cause in
                mayExplain(findings[cause], findings[symptom]) && places[cause].overlaps(places[symptom])
            }.max { findings[$0].cost < findings[$1].cost }
        }
        var result = findings
        for symptom in findings.indices {
            guard var cause = causes[symptom] else { continue }
            // The relation of the detectors has no cycles, so this loop ends.
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

    /// The queues, locks, code and time span of a finding.
    private struct Place {
        private let domains: Set<QueueIndex>
        private let locks: Set<LockIndex>
        private let code: Set<CodeIndex>
        /// Patterns of the labels of its queues and locks.
        private let names: Set<String>
        /// The moments of threads that prove the finding.
        private let moments: Set<Moment>
        private let begin: Timestamp
        private let end: Timestamp

        private struct Moment: Hashable {
            let thread: ThreadIndex
            let time: Timestamp
        }

        init(_ finding: Finding, in model: DispatchModel) {
            domains = Set(finding.queues.map { model.exclusionQueue(of: $0) ?? $0 })
            locks = Set(finding.locks)
            code = Set(finding.code)
            names = Self.names(of: finding, in: model)
            moments = Set(finding.evidence.map { Moment(thread: $0.thread, time: $0.time) })
            begin = finding.begin
            end = finding.end
        }

        func overlaps(_ other: Place) -> Bool {
            guard begin <= other.end, other.begin <= end else { return false }
            return !domains.isDisjoint(with: other.domains) || !locks.isDisjoint(with: other.locks)
                || !moments.isDisjoint(with: other.moments)
                || !code.isDisjoint(with: other.code)
                    && (names.isEmpty || other.names.isEmpty || !names.isDisjoint(with: other.names))
        }

        static func names(of finding: Finding, in model: DispatchModel) -> Set<String> {
            Set(model.patterns(of: finding.queues) + finding.locks.map { LabelPattern.of(model.name(of: $0)) })
        }
    }
}
