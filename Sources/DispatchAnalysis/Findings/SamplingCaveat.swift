import DispatchModel

/// Caveats of findings about items in a sampled trace.
enum SamplingCaveat {
    /// Returns a caveat for a finding about queues in a sampled trace.
    ///
    /// Waits of threads, locks, groups, tasks and actors are recorded completely. A finding without a queue is about
    /// them.
    ///
    /// - Parameters:
    ///   - finding: the finding.
    ///   - model: the entities.
    /// - Returns: a sentence; nil if the trace has all items, or if the finding is about no queue.
    static func sentence(for finding: Finding, in model: DispatchModel) -> String? {
        guard model.sampling.isSampled, !finding.queues.isEmpty else { return nil }
        return "The recorder sampled items: items of the finding can be missing, and its counts and times include only "
            + "recorded items."
    }
}
