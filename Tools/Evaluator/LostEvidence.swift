import DispatchAnalysis
import DispatchModel

/// Checks whether a derived trace still contains the evidence of the findings in the complete recording.
///
/// A finding with one occurrence needs all of its evidence, unless it has many pieces, as for a long-lasting state.
/// A finding with several occurrences needs some evidence, and as many cases as the detector's threshold requires.
/// Findings list a limited number of pieces of evidence. So the loss of all of them only counts if they covered every
/// occurrence, or if no record of their threads is left. Interactions of two threads need records of both.
///
/// A piece of evidence is a moment of a thread. Other records give it its meaning: see ``EvidenceGrounds`` and
/// ``ObjectRecords``.
struct LostEvidence {
    /// Detectors list at most 12 pieces, and for a single event or wait at most one for each thread involved.
    private static let longEvidence = 8
    /// Detectors that compare the numbers of enters and leaves of a group.
    private static let countingMembers: Set = ["unbalanced-group", "deadlock"]

    private let recording: VariantRecording
    private let trace: DerivedTrace
    private let objects: ObjectRecords

    /// - Parameters:
    ///   - recording: the complete recording.
    ///   - recorded: its records.
    ///   - trace: the trace that was derived from it.
    init(in recording: VariantRecording, _ recorded: RecordedTrace, _ trace: DerivedTrace) {
        self.recording = recording
        self.trace = trace
        objects = ObjectRecords(recorded)
    }

    /// The reason why the findings of a detector cannot be found; nil if they can, or if there are none.
    func sentence(for detector: String) -> String? {
        let findings = recording.analysis.findings.filter { $0.detector == detector && !$0.evidence.isEmpty }
        guard !findings.isEmpty else { return nil }
        let least = Self.leastCases(of: detector)
        var lost = 0
        var all = 0
        for finding in findings {
            let missing = finding.evidence.count { isLost($0, of: detector) }
            let threads = Set(finding.evidence.map { tid($0.thread) })
            let left = finding.evidence.count - missing
            let isAll = finding.occurrences <= finding.evidence.count
            let isGone = left == 0 && (isAll || threads.isSubset(of: trace.lostThreads))
            let isTooLittle = isAll && finding.occurrences >= least && left < least
            let isBroken = missing > 0 && finding.occurrences <= 1 && finding.evidence.count < Self.longEvidence
            let isOneSided = threads.count == 2 && !threads.isDisjoint(with: trace.lostThreads)
            let isOver = finding.end.nanoseconds < trace.begin
            guard isGone || isTooLittle || isBroken || isOneSided || isOver else { return nil }
            lost += missing
            all += finding.evidence.count
        }
        return "\(lost) of \(all) events that prove it are not in the trace"
    }

    /// The smallest number of cases that a detector reports: its threshold `times`.
    private static func leastCases(of detector: String) -> Int {
        let thresholds = DetectorRegistry.all.first { $0.id == detector }?.thresholds ?? []
        return thresholds.first { $0.name == "times" }.flatMap { Int($0.standardText) } ?? 1
    }

    private func tid(_ thread: ThreadIndex) -> UInt32 { recording.analysis.model[thread].tid }

    /// Whether a piece of evidence is missing, or a record that it needs for its meaning.
    private func isLost(_ evidence: Evidence, of detector: String) -> Bool {
        let moment = EvidenceGrounds.Moment(time: evidence.time, thread: evidence.thread)
        if recording.grounds.all(at: moment).contains(where: { trace.lacks($0.time.nanoseconds, tid($0.thread)) }) {
            return true
        }
        if let holder = recording.grounds.holder(at: moment), trace.lostThreads.contains(tid(holder)) { return true }
        let grounds = objects.grounds(
            at: evidence.time.nanoseconds, tid: tid(evidence.thread), event: evidence.event,
            countsMembers: Self.countingMembers.contains(detector))
        func isMissing(_ moment: ObjectRecords.Moment) -> Bool { trace.lacks(moment.nanoseconds, moment.tid) }
        return grounds.all.contains(where: isMissing) || !grounds.any.isEmpty && grounds.any.allSatisfy(isMissing)
    }
}
