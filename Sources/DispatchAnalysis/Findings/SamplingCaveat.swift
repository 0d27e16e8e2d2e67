import DispatchModel

/// Caveats of findings about items and tasks in a sampled trace.
enum SamplingCaveat {
    /// Returns a caveat for a finding about queues or tasks in a sampled trace.
    ///
    /// Waits of threads, locks and groups are recorded completely. A finding without a queue and without a task is
    /// about them.
    ///
    /// - Parameters:
    ///   - finding: the finding.
    ///   - model: the entities.
    /// - Returns: a sentence; nil if the trace has all items, or if the finding is about no queue and no task.
    static func sentence(for finding: Finding, in model: DispatchModel) -> String? {
        guard model.sampling.isSampled else { return nil }
        if finding.queues.isEmpty {
            guard finding.evidence.contains(where: { $0.task != nil }) else { return nil }
            return "The recorder sampled tasks: tasks of the finding can be missing, and its counts and times include "
                + "only recorded tasks."
        }
        return "The recorder sampled items: items of the finding can be missing, and its counts and times include only "
            + "recorded items."
    }
}
