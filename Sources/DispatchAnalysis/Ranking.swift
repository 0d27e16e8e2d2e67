import DispatchModel

/// Puts findings in the order of the report.
enum Ranking {
    /// The costliest first; among equals the more severe, then the earlier. Numbers them and adds the caveat of a trace
    /// that lost events.
    ///
    /// - Parameters:
    ///   - findings: in any order.
    ///   - discarded: event records that the recorder dropped, at times that the trace does not tell.
    /// - Returns: the findings in the order of the report.
    static func ranked(_ findings: [Finding], discarded: Int) -> [Finding] {
        var ranked = findings.sorted { left, right in
            if left.cost != right.cost { return left.cost > right.cost }
            if left.severity != right.severity { return left.severity > right.severity }
            if left.begin != right.begin { return left.begin < right.begin }
            return (left.detector, left.summary) < (right.detector, right.summary)
        }
        for position in ranked.indices {
            ranked[position].id = "F\(position + 1)"
            guard discarded > 0 else { continue }
            let lost = "The recorder discarded \(discarded) events of this trace: counts and times may be incomplete."
            ranked[position].caveat = [ranked[position].caveat, lost].compactMap { $0 }.joined(separator: " ")
        }
        return ranked
    }
}
