import DispatchModel

/// Caveats of findings because of missing events.
enum LossCaveat {
    /// Returns a caveat for a finding that may be incomplete or false because of missing events: without its end, an
    /// item appears to run on.
    ///
    /// - Parameters:
    ///   - finding: the finding.
    ///   - missing: the times at which events are missing.
    ///   - model: the entities.
    /// - Returns: a sentence; nil if no events are missing during the finding, and no end of an earlier item that it
    ///   depends on.
    static func sentence(for finding: Finding, _ missing: [MissingEvents], in model: DispatchModel) -> String? {
        gapSentence(for: finding, missing) ?? stretchSentence(for: finding, in: model)
    }

    /// The caveat for an item of the finding's hierarchies whose end was lost, so that it appears to run on.
    private static func stretchSentence(for finding: Finding, in model: DispatchModel) -> String? {
        guard !model.unknownIntervals.isEmpty else { return nil }
        let domains = Set(finding.queues.map { model.exclusionQueue(of: $0) ?? $0 })
        let threads = Set(finding.evidence.map(\.thread))
        let interval = model.unknownIntervals.first {
            $0.begin <= finding.end && finding.begin <= $0.end
                && (domains.isEmpty || threads.contains($0.thread)
                    || domains.contains(model.exclusionQueue(of: $0.queue) ?? $0.queue))
        }
        return interval.map {
            "The begin or the end of an item on \(model.name(of: $0.queue)) is missing: whether it ran is unknown from "
                + "\($0.begin - .zero) to \($0.end - .zero), so counts and times may be wrong."
        }
    }

    private static func gapSentence(for finding: Finding, _ missing: [MissingEvents]) -> String? {
        let touching = missing.filter { $0.touches(finding.begin, finding.end) }
        guard !touching.isEmpty else { return nil }
        let (events, packets) = (touching.count(of: .events), touching.count(of: .packets))
        let files = touching.count(of: .files)
        // The number of their events is unknown, and probably larger than the other losses.
        if files > 0 {
            return "\(Figures.plural(files, "file")) of this trace \(files == 1 ? "is" : "are") missing or cut off: "
                + "counts and times may be wrong."
        }
        var lost: [String] = []
        if events > 0 { lost.append("discarded \(Figures.plural(events, "event"))") }
        if packets > 0 { lost.append("lost \(Figures.plural(packets, "packet")) of events") }
        let isTimed = touching.allSatisfy(\.isTimed)
        return "The recorder \(lost.joined(separator: " and "))"
            + (isTimed ? " during this time: a begin or an end may be among them, so" : " of this trace:")
            + " counts and times may be \(isTimed ? "wrong" : "incomplete")."
    }
}
