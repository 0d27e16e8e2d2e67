import DispatchAnalysis
import DispatchModel

/// Tells whether a derived trace still has what proves the findings of the complete recording.
///
/// A pattern that occurred once cannot be found without any part of its evidence, unless there is much of it, as of
/// something that went on for long; another one can as long as something of it is there, and so much of it as the
/// detector asks for. The evidence of a finding is bounded: it is all there was only where it covers every occurrence,
/// or nothing else is left of its threads. What two threads do to each other cannot be seen of one of them.
///
/// A piece of evidence is a moment of a thread. What it means is told by other records, which belong to it: see
/// ``EvidenceGrounds`` and ``ObjectRecords``.
struct LostEvidence {
    /// Detectors give up to 12 pieces, and of a single event or wait no more than one for each thread that took part.
    private static let longEvidence = 8
    /// Detectors that compare how often a group was entered and left.
    private static let countingMembers: Set = ["unbalanced-group", "deadlock"]

    private let recording: VariantRecording
    private let trace: DerivedTrace
    private let objects: ObjectRecords

    /// - Parameters:
    ///   - recording: the complete one.
    ///   - recorded: its records.
    ///   - trace: what was derived from it.
    init(in recording: VariantRecording, _ recorded: RecordedTrace, _ trace: DerivedTrace) {
        self.recording = recording
        self.trace = trace
        objects = ObjectRecords(recorded)
    }

    /// Why a detector's findings in the complete recording cannot be found; nil when they can, or there are none.
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

    /// From how many cases on a detector reports: its threshold `times`.
    private static func leastCases(of detector: String) -> Int {
        let thresholds = DetectorRegistry.all.first { $0.id == detector }?.thresholds ?? []
        return thresholds.first { $0.name == "times" }.flatMap { Int($0.standardText) } ?? 1
    }

    private func tid(_ thread: ThreadIndex) -> UInt32 { recording.analysis.model[thread].tid }

    /// Whether a piece of evidence is missing, or something without which nobody knows what it means.
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
