import DispatchModel

/// Sorts findings in the order of the report.
enum Ranking {
    /// Sorts findings: errors that stopped work first, such as a deadlock, because other findings can be a consequence;
    /// then in descending order of cost, where the cost of a symptom counts for its cause; then by severity, then by
    /// time. Numbers them, and adds a caveat to findings whose time span has missing events.
    ///
    /// - Parameters:
    ///   - findings: the findings in any order.
    ///   - missing: the times at which events are missing.
    ///   - model: the model of the trace.
    /// - Returns: the findings in the order of the report.
    static func ranked(_ findings: [Finding], missing: [MissingEvents], in model: DispatchModel) -> [Finding] {
        var ranked = findings.sorted { left, right in
            if left.stoppedWork != right.stoppedWork { return left.stoppedWork }
            if left.weight != right.weight { return left.weight > right.weight }
            if left.cost != right.cost { return left.cost > right.cost }
            if left.severity != right.severity { return left.severity > right.severity }
            if left.begin != right.begin { return left.begin < right.begin }
            return (left.detector, left.summary) < (right.detector, right.summary)
        }
        for position in ranked.indices {
            ranked[position].id = "F\(position + 1)"
            if let sampled = SamplingCaveat.sentence(for: ranked[position], in: model) {
                ranked[position].caveat = [ranked[position].caveat, sampled].compactMap { $0 }.joined(separator: " ")
            }
            guard let lost = LossCaveat.sentence(for: ranked[position], missing, in: model) else { continue }
            ranked[position].caveat = [ranked[position].caveat, lost].compactMap { $0 }.joined(separator: " ")
            ranked[position].isTouchedByLosses = true
        }
        return ranked
    }
}

extension [Finding] {
    /// The position of the finding to show first: the costliest one in the program's own code that is not a note. Notes
    /// come last, whatever their cost. Nil if there are no findings.
    ///
    /// The findings are in the order of the report.
    public var worst: Int? {
        firstIndex { $0.severity > .info && $0.library == nil } ?? firstIndex { $0.severity > .info }
            ?? firstIndex { $0.library == nil } ?? indices.first
    }
}

extension [FleetFinding] {
    /// The position of the finding to show first: the costliest warning or error, or else the first.
    public var worst: Int? { firstIndex { $0.severity > .info } ?? indices.first }
}

extension Finding {
    /// Whether it is an error that has cost time: what waited for it never continued.
    fileprivate var stoppedWork: Bool { severity == .error && cost > .zero }

    /// The gain of a repair: its cost, or the cost of its costliest symptom.
    fileprivate var weight: Nanoseconds { symptoms.reduce(cost) { max($0, $1.cost) } }
}
