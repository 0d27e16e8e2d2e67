import CTFReader
import DispatchModel

/// Decides, reading by reading, whether a snapshot of a recording is taken.
///
/// A condition is evaluated on finished operations once, and on open operations in each reading. After it has fired, it
/// fires again for operations that exceed the limit later, so one operation that never ends causes one snapshot.
///
/// A reading analyses the part in which an operation can have begun that exceeds a limit since the reading before. It
/// analyses more while that costs little, because an item with a delay is submitted earlier.
///
/// ```
///   reading before                        ┤
///   this reading                                  ┤ now
///   an operation        ├─────── limit ──────┤ ░░░░
///   analysed         ├─── limit + time between ───┤
/// ```
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
        /// The time of the last reading in which a snapshot was possible, in nanoseconds since 1970; nil for none.
        var evaluatedAt: Int64?
    }

    /// A reading with the conditions that hold in it.
    private struct Evaluation {
        let reading: LiveAnalyzer.Reading
        let collector: ConditionCollector
        /// The end of the reading in nanoseconds since 1970.
        let now: Int64
        /// The length of the analysed part.
        let length: Nanoseconds
    }

    private let conditions: [TriggerCondition]
    private let limits: Limits
    private var states: [State]
    /// A thread may complete an event this much later than its time.
    private static let lateEvents = Nanoseconds.milliseconds(20)
    /// Longest limit of a condition on times that is evaluated while the operation lasts. A longer limit is evaluated
    /// when the operation ends, and only if its begin is found.
    private static let longestLimit = Nanoseconds.seconds(60)
    /// Number of events that a reading can analyse without need. They and their run-up take about 5 ms.
    var spareEvents = 4_000

    /// Finished operations count if they ended after this time, in nanoseconds since 1970.
    private var closedAfter: Int64
    /// Waits that began before this time were part of a reading of the whole past, in nanoseconds since 1970.
    private var comparedUntil = Int64.min
    /// The length of the part with ``spareEvents``, according to the last reading.
    private var spareLength = Nanoseconds.zero

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
        guard var found = try evaluate(analyzer, atLeast: .zero) else { return nil }
        // The owners of locks and the older waits of tasks can be missing in a short part.
        if found.collector.hasNewWaits, found.length < analyzer.length, isDeadlockPossible(at: found.now),
            let whole = try evaluate(analyzer, atLeast: analyzer.length)
        {
            found = whole
        }
        if found.length >= analyzer.length {
            comparedUntil = found.now - ConditionCollector.settledAfter.count
        }
        let trace = found.reading.analysis.trace
        spareLength = Nanoseconds(trace.duration.count * Int64(spareEvents) / Int64(max(trace.events, 1)))
        let reason = decide(found.collector.worst, at: found.now)
        return Outcome(
            isRecording: found.reading.isRecording, process: trace.processes.first?.pid, reason: reason)
    }

    /// Evaluates the conditions on what is new.
    ///
    /// - Parameters:
    ///   - analyzer: reads the recording. Its length is the past that the first reading analyses.
    ///   - least: the least length of the analysed part.
    /// - Returns: nil when the trace has no event yet.
    private func evaluate(_ analyzer: LiveAnalyzer, atLeast least: Nanoseconds) throws -> Evaluation? {
        var collector: ConditionCollector?
        var (now, analysed) = (Int64.min, Nanoseconds.zero)
        let reading = try analyzer.next(
            length: { end in
                (now, analysed) = (end, max(least, length(at: end, past: analyzer.length)))
                return analysed
            },
            observers: { begin in
                let created = makeCollector(origin: begin)
                collector = created
                return [created]
            })
        guard let reading, let collector else { return nil }
        collector.conclude(reading.analysis)
        return Evaluation(reading: reading, collector: collector, now: now, length: analysed)
    }

    // MARK: The analysed part

    /// The length of the part that a reading has to analyse.
    ///
    /// - Parameters:
    ///   - now: the end of the reading in nanoseconds since 1970.
    ///   - past: the part that is analysed for operations that began before the first reading, and for the depth of
    ///     queues.
    func length(at now: Int64, past: Nanoseconds) -> Nanoseconds {
        // Finished operations count once.
        let unread = Nanoseconds(max(now.clamped(minus: closedAfter), 0))
        let least = min(max(unread, spareLength), past)
        return conditions.indices.reduce(least) { max($0, length(of: $1, at: now, past: past)) }
    }

    private func length(of position: Int, at now: Int64, past: Nanoseconds) -> Nanoseconds {
        let (condition, state) = (conditions[position], states[position])
        // The depth is also followed during the cool-down, to know when it falls below the limit.
        if case .queueDepth = condition.subject { return state.snapshots < limits.most ? past : .zero }
        guard canFire(position, at: now) else { return .zero }
        let unread = min(Nanoseconds(now.clamped(minus: state.evaluatedAt ?? .min)), past)
        return switch condition.subject {
        case .queueDepth, .workers: .zero
        case .deadlock: ConditionCollector.settledAfter + unread
        case .queueWait, .actorWait, .mainBlocked, .loopBlocked, .poolStarved, .request:
            min(condition.time, Self.longestLimit) + unread
        }
    }

    /// Whether the limits allow a snapshot for a condition.
    private func canFire(_ position: Int, at now: Int64) -> Bool {
        let state = states[position]
        return state.snapshots < limits.most && state.lastSnapshot.map { now - $0 >= limits.coolDown.count } ?? true
    }

    private func isDeadlockPossible(at now: Int64) -> Bool {
        conditions.indices.contains { conditions[$0].subject == .deadlock && canFire($0, at: now) }
    }

    // MARK: Decisions

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
                closedAfter: since(closedAfter), reachedAfter: states.map { since($0.lastSnapshot ?? .min) },
                comparedUntil: since(comparedUntil)))
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
            guard canFire(position, at: now) else { continue }
            states[position].evaluatedAt = now
            guard let found = worst[position], condition.isOfOperations || !states[position].held else { continue }
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
