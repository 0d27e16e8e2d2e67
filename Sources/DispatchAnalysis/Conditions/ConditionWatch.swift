import DispatchModel

/// Decides, reading by reading, whether a snapshot of a recording is taken.
///
/// A condition is evaluated on finished operations once, and on open operations in each reading. After it has fired, it
/// fires again for operations that exceed the limit later, so one operation that never ends causes one snapshot.
public struct ConditionWatch {
    /// The limits of the snapshots of one condition.
    public struct Limits: Sendable {
        /// The least time between two snapshots.
        public var coolDown: Nanoseconds
        /// The largest number of snapshots.
        public var most: Int

        /// Creates limits.
        ///
        /// - Parameters:
        ///   - coolDown: the least time between two snapshots of a condition.
        ///   - most: the largest number of snapshots of a condition.
        public init(coolDown: Nanoseconds = .seconds(60), most: Int = 10) {
            (self.coolDown, self.most) = (coolDown, most)
        }
    }

    /// The result of a reading.
    public struct Outcome {
        /// Whether a process still records.
        public let isRecording: Bool
        /// The process that records; nil when the trace does not have it.
        public let process: Int?
        /// The reason for a snapshot: the conditions that hold, each with its worst case; nil for no snapshot.
        public let reason: SnapshotReason?
    }

    private struct State {
        /// The time of the last snapshot in nanoseconds since 1970; nil for none.
        var lastSnapshot: Int64?
        var snapshots = 0
        /// Whether a condition without times held in the reading before.
        var held = false
    }

    private let conditions: [TriggerCondition]
    private let limits: Limits
    private var states: [State]
    /// A thread may complete an event this much later than its time.
    private static let lateEvents = Nanoseconds.milliseconds(20)

    /// Finished operations count if they ended after this time, in nanoseconds since 1970.
    private var closedAfter: Int64

    /// - Parameters:
    ///   - conditions: the conditions, at least one.
    ///   - limits: the limits of the snapshots of each condition.
    ///   - countsPast: whether operations count that ended before the first reading.
    public init(_ conditions: [TriggerCondition], limits: Limits = Limits(), countsPast: Bool = false) {
        (self.conditions, self.limits) = (conditions, limits)
        states = Array(repeating: State(), count: conditions.count)
        closedAfter = countsPast ? .min : .max
    }

    /// Whether every condition has had its largest number of snapshots.
    public var isExhausted: Bool { states.allSatisfy { $0.snapshots >= limits.most } }

    /// Reads what is new of a recording.
    ///
    /// - Returns: nil when the trace has no event yet.
    /// - Throws: the errors of ``LiveAnalyzer``.
    public mutating func next(of analyzer: LiveAnalyzer) throws -> Outcome? {
        var collector: ConditionCollector?
        var origin: Int64 = 0
        let reading = try analyzer.next { begin in
            origin = begin
            collector = makeCollector(origin: begin)
            return [collector!]
        }
        guard let reading, let collector else { return nil }
        collector.conclude(reading.analysis)
        let reason = decide(collector.worst, at: origin + reading.age.count)
        return Outcome(
            isRecording: reading.isRecording, process: reading.analysis.trace.processes.first?.pid, reason: reason)
    }

    /// The collector of the next reading.
    ///
    /// - Parameter origin: the time of the trace's first event in nanoseconds since 1970.
    func makeCollector(origin: Int64) -> ConditionCollector {
        func since(_ time: Int64) -> Timestamp {
            let (difference, isTooLarge) = time.subtractingReportingOverflow(origin)
            return Timestamp(nanoseconds: isTooLarge ? (time < origin ? .min : .max) : difference)
        }
        return ConditionCollector(
            conditions,
            from: .init(
                closedAfter: since(closedAfter), reachedAfter: states.map { since($0.lastSnapshot ?? .min) }))
    }

    /// Decides about a snapshot.
    ///
    /// - Parameters:
    ///   - worst: the worst case of each condition in the reading; nil when it does not hold.
    ///   - now: the end of the reading in nanoseconds since 1970.
    mutating func decide(_ worst: [TriggerCase?], at now: Int64) -> SnapshotReason? {
        var reasons: [String] = []
        for (position, condition) in conditions.enumerated() {
            defer { states[position].held = worst[position] != nil }
            guard let found = worst[position], states[position].snapshots < limits.most,
                states[position].lastSnapshot.map({ now - $0 >= limits.coolDown.count }) ?? true,
                condition.isOfOperations || !states[position].held
            else { continue }
            states[position].lastSnapshot = now
            states[position].snapshots += 1
            reasons.append("\(condition): \(found.text)")
        }
        closedAfter = now - Self.lateEvents.count
        return reasons.isEmpty ? nil : SnapshotReason(reasons.joined(separator: "; "))
    }
}

extension TriggerCondition {
    /// Whether it is about operations with a begin. Other conditions fire when they begin to hold.
    fileprivate var isOfOperations: Bool {
        switch subject {
        case .workers, .queueDepth: false
        default: true
        }
    }
}
