import DispatchModel

extension Quality {
    /// Checks the invariants that hold in every complete trace.
    ///
    /// - Parameters:
    ///   - model: the model of the complete trace.
    ///   - trace: the summary of the trace.
    public init(of model: DispatchModel, _ trace: TraceSummary) {
        let (events, discarded) = (trace.events, trace.discarded)
        let invariants = model.invariants
        func check(_ id: String, _ tally: ModelInvariants.Tally, _ holds: String, _ fails: String) -> Check {
            let (violations, checked) = (Figures.count(tally.violations), Figures.count(tally.checked))
            return Check(
                id: id, checked: tally.checked, violations: tally.violations,
                detail: tally.violations == 0 ? holds : "\(violations) of \(checked) \(fails)")
        }
        var checks = [
            Check(
                id: "events-complete", checked: events + discarded, violations: discarded,
                detail: discarded == 0
                    ? "No event was discarded."
                    : "\(Figures.count(discarded)) events were discarded: findings near them may be incomplete."),
            check(
                "exclusion", invariants.exclusion, "Items that exclude each other never ran at the same time.",
                "items ran at the same time as an item that excludes them."),
            check(
                "serial-order", invariants.order, "Items of a serial queue began in the order of their submission.",
                "items began before an item that was certainly submitted earlier."),
            check(
                "times-in-order", invariants.times, "Every item was submitted, began and ended in this order.",
                "items began before they were submitted."),
            check(
                "sync-returns-last", invariants.syncReturns, "Every sync returned after its item had ended.",
                "syncs returned while their item still ran."),
            check(
                "littles-law", invariants.littlesLaw,
                "For every queue, the sum of the waits is its length integrated over time (Little's law).",
                "queues have waits whose sum is not their length integrated over time."),
        ]
        // If the begin of the trace was overwritten, the submissions of pending items and the begins of running items
        // are missing as well.
        if !trace.isOverwritten {
            checks += [
                check(
                    "begins-submitted", invariants.enqueues, "Every item that began had been submitted.",
                    "items began without a submission: their submission was not recorded."),
                check(
                    "ends-begun", invariants.ends, "Every item that ended had begun.",
                    "items ended without a begin: their begin was not recorded."),
            ]
        }
        checks += [
            Self.fileCheck(trace), Self.clockCheck(model), Self.samplingCheck(model), Self.switchCheck(model),
            Self.limitCheck(model),
        ].compactMap { $0 }
        self.init(checks: checks)
    }

    /// Checks that all files exist and could be read completely; nil when the trace has none.
    private static func fileCheck(_ trace: TraceSummary) -> Check? {
        guard trace.files > 0 else { return nil }
        return Check(
            id: "files-whole", checked: trace.files, violations: trace.damagedFiles,
            detail: trace.damagedFiles == 0
                ? "Every data stream file could be read to its end."
                : "\(trace.damagedFiles) of \(trace.files) data stream files are missing or could not be read "
                    + "completely: the notes list them.")
    }

    /// Checks that the clock had a constant rate; nil if the recorder did not compare it.
    private static func clockCheck(_ model: DispatchModel) -> Check? {
        guard model.clockReadings > 0 else { return nil }
        let steps = model.clockSteps.map { "\($0.by) at \($0.foundAt)" }.joined(separator: ", ")
        return Check(
            id: "clock-linear", checked: model.clockReadings, violations: model.clockSteps.count,
            detail: steps.isEmpty
                ? "The clock of the trace had the rate of the system clock."
                : "The processor's counter stepped within the second before: \(steps). "
                    + "Times in that second and durations across it are wrong: "
                    + "the system was suspended, or its virtual machine was migrated.")
    }

    /// The items and tasks that a sampling recorder left out; nil if it recorded all of them.
    private static func samplingCheck(_ model: DispatchModel) -> Check? {
        guard model.sampling.isSampled else { return nil }
        let most = Figures.count(model.sampling.strides.upperBound)
        return Check(
            id: "items-complete", checked: 1, violations: 0,
            detail: "The recorder recorded one of up to \(most) items and tasks"
                + "\(model.sampling.budget == nil ? "" : " to stay within its budget"): numbers of items and tasks, "
                + "sums and percentiles are estimates, and detectors that need every item are silent.",
            isLimited: true)
    }

    /// For how much of the time the context switches were recorded; nil when the recorder left none out. The recorder
    /// keeps to its budget on purpose, so the check passes and is marked as limited.
    private static func switchCheck(_ model: DispatchModel) -> Check? {
        let pauses = model.switchPauses
        guard pauses.threads > 0, model.duration > .zero else { return nil }
        let whole = Double(model.duration.count) * Double(pauses.threads)
        let missing = min(whole, Double(pauses.time.count))
        let recorded = Int(100 * (1 - missing / whole))
        return Check(
            id: "switches-complete", checked: max(1, Int(whole / 1_000_000)), violations: 0,
            detail: "Context switches of \(Figures.plural(pauses.threads, "thread")) were recorded for \(recorded)% of "
                + "the time, because recording all of them would have exceeded the recorder's budget."
                + (model.threads.contains { $0.kernelTimes != nil } ? " Totals per thread are complete." : ""),
            isLimited: true)
    }

    /// The groups, semaphores and nested requests that the model did not follow, to bound its memory; nil if it
    /// followed all of them.
    private static func limitCheck(_ model: DispatchModel) -> Check? {
        let omitted = [
            (model.omittedGroups, "event", "of groups"), (model.omittedSemaphores, "event", "of semaphores"),
            (model.omittedDomainOrders, "nested request", "for locks and queues"),
        ].filter { $0.0 > 0 }
        guard !omitted.isEmpty else { return nil }
        let names = omitted.map { "\(Figures.plural($0.0, $0.1)) \($0.2)" }
        return Check(
            id: "objects-followed", checked: omitted.reduce(0) { $0 + $1.0 }, violations: 0,
            detail: "Findings can be missing, because the limits of the analysis exclude \(Figures.list(names)).",
            isLimited: true)
    }
}
