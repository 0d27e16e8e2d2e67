import DispatchModel

/// What events that are missing mean for a finding.
enum LossCaveat {
    /// Why a finding may be incomplete, or not even true: the end of an item that is missing makes it run on.
    ///
    /// - Parameters:
    ///   - finding: the finding.
    ///   - missing: when events are missing.
    ///   - model: the entities.
    /// - Returns: a sentence; nil when nothing is missing between the finding's first moment and its last, and no end
    ///   of an item before it that it rests on.
    static func sentence(for finding: Finding, _ missing: [MissingEvents], in model: DispatchModel) -> String? {
        gapSentence(for: finding, missing) ?? stretchSentence(for: finding, in: model)
    }

    /// An item of one of the finding's hierarchies whose end was lost seems to run on after the loss.
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
                + "\($0.begin - .zero) to \($0.end - .zero), so that counts and times may be wrong."
        }
    }

    private static func gapSentence(for finding: Finding, _ missing: [MissingEvents]) -> String? {
        let touching = missing.filter { $0.touches(finding.begin, finding.end) }
        guard !touching.isEmpty else { return nil }
        func sum(_ kind: MissingEvents.Kind) -> Int {
            touching.reduce(0) { $1.kind == kind ? $0.clamped(plus: $1.count) : $0 }
        }
        let (events, packets, files) = (sum(.events), sum(.packets), sum(.files))
        // How much was in them is unknown, and likely more than the rest.
        if files > 0 {
            return "\(Figures.plural(files, "file")) of this trace \(files == 1 ? "is" : "are") missing or cut off: "
                + "counts and times may be wrong."
        }
        var lost: [String] = []
        if events > 0 { lost.append("discarded \(Figures.plural(events, "event"))") }
        if packets > 0 { lost.append("lost \(Figures.plural(packets, "packet")) of events") }
        let isTimed = touching.allSatisfy(\.isTimed)
        return "The recorder \(lost.joined(separator: " and "))"
            + (isTimed ? " while this went on: a begin or an end may be among them, so that" : " of this trace:")
            + " counts and times may be \(isTimed ? "wrong" : "incomplete")."
    }
}
