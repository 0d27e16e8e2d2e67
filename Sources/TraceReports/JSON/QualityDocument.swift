import DispatchAnalysis

/// The results of the consistency checks of the trace.
struct QualityDocument: Encodable {
    struct Check: Encodable {
        let id: StableID
        let passed: Bool
        let checked: Int
        let violations: Int
        /// True when the recorder or the analysis left out a part on purpose, to stay within its limits. The check
        /// passes all the same.
        let limited: Bool
        let detail: String
    }

    /// 1 for a trace that passes every check, 0 for the worst.
    let score: Fraction
    let checks: [Check]

    init(_ quality: Quality) {
        score = quality.score.finite
        checks = quality.checks.map {
            Check(
                id: $0.id, passed: $0.passed, checked: $0.checked, violations: $0.violations, limited: $0.isLimited,
                detail: $0.detail)
        }
    }
}
