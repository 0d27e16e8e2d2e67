import DispatchModel

/// Puts findings in the order of the report.
enum Ranking {
    /// The costliest first, where the cost of a symptom counts for its cause; among equals the more severe, then the
    /// earlier. Numbers them and adds a caveat to those in whose time events are missing.
    ///
    /// - Parameters:
    ///   - findings: in any order.
    ///   - missing: when events are missing.
    ///   - model: the entities.
    /// - Returns: the findings in the order of the report.
    static func ranked(_ findings: [Finding], missing: [MissingEvents], in model: DispatchModel) -> [Finding] {
        var ranked = findings.sorted { left, right in
            if left.weight != right.weight { return left.weight > right.weight }
            if left.cost != right.cost { return left.cost > right.cost }
            if left.severity != right.severity { return left.severity > right.severity }
            if left.begin != right.begin { return left.begin < right.begin }
            return (left.detector, left.summary) < (right.detector, right.summary)
        }
        for position in ranked.indices {
            ranked[position].id = "F\(position + 1)"
            guard let lost = LossCaveat.sentence(for: ranked[position], missing, in: model) else { continue }
            ranked[position].caveat = [ranked[position].caveat, lost].compactMap { $0 }.joined(separator: " ")
            ranked[position].isTouchedByLosses = true
        }
        return ranked
    }
}

extension [Finding] {
    /// The position of the finding to name first: the costliest one of the program's own that is more than a note. What
    /// only is to note comes after everything else, however much it costs. Nil when nothing was found.
    ///
    /// The findings are in the order of the report.
    public var worst: Int? {
        firstIndex { $0.severity > .info && $0.library == nil } ?? firstIndex { $0.severity > .info }
            ?? firstIndex { $0.library == nil } ?? indices.first
    }
}

extension [FleetFinding] {
    /// The position of the finding to name first: the costliest one that is more than a note, or else the first.
    public var worst: Int? { firstIndex { $0.severity > .info } ?? indices.first }
}

extension Finding {
    /// What the reader gains by mending it: its cost, or that of its costliest symptom.
    fileprivate var weight: Nanoseconds { symptoms.reduce(cost) { max($0, $1.cost) } }
}
