import DispatchAnalysis

/// The report's `quality` member.
struct QualityDocument: Encodable {
    struct Check: Encodable {
        let id: String
        let passed: Bool
        let checked: Int
        let violations: Int
        let detail: String
    }

    let score: Double
    let checks: [Check]

    init(_ quality: Quality) {
        score = quality.score.isFinite ? quality.score : 0
        checks = quality.checks.map {
            Check(id: $0.id, passed: $0.passed, checked: $0.checked, violations: $0.violations, detail: $0.detail)
        }
    }
}
