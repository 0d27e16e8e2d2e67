import DispatchModel

/// What events that are missing mean for a finding.
enum LossCaveat {
    /// Why a finding may be incomplete, or not even true: the end of an item that is missing makes it run on.
    ///
    /// - Parameters:
    ///   - finding: the finding.
    ///   - missing: when events are missing.
    /// - Returns: a sentence; nil when nothing is missing between the finding's first moment and its last.
    static func sentence(for finding: Finding, _ missing: [MissingEvents]) -> String? {
        let touching = missing.filter { $0.touches(finding.begin, finding.end) }
        guard !touching.isEmpty else { return nil }
        func sum(_ kind: MissingEvents.Kind) -> Int {
            touching.reduce(0) { $1.kind == kind ? $0.addingReportingOverflow($1.count).partialValue : $0 }
        }
        let (events, packets) = (sum(.events), sum(.packets))
        var lost: [String] = []
        if events > 0 { lost.append("discarded \(Figures.plural(events, "event"))") }
        if packets > 0 { lost.append("lost \(Figures.plural(packets, "packet")) of events") }
        let isTimed = touching.allSatisfy(\.isTimed)
        return "The recorder \(lost.joined(separator: " and "))"
            + (isTimed ? " while this went on: a begin or an end may be among them, so that" : " of this trace:")
            + " counts and times may be \(isTimed ? "wrong" : "incomplete")."
    }
}
