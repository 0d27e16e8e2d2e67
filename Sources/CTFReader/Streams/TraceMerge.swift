/// Several traces read as one, in the order of time.
///
/// ```
///   trace 0   ─a────────d─e──        delivered: a b c d e f
///   trace 1   ───b──c────────f─
/// ```
///
/// Each trace keeps the order of its own pass; whichever has the earliest next record goes on until another has an
/// earlier one. Records of equal time come in the order of the traces. A packet that several pieces of one trace have,
/// such as snapshots of a buffer that was not overwritten in between, is delivered once.
public enum TraceMerge {
    /// Delivers every event record of every trace in the order of time.
    ///
    /// Times are nanoseconds from the Unix epoch, by each trace's clock offset. Traces whose clocks have the same identity
    /// (the same boot of the same machine) share the first one's offset, because each tracer measured it anew.
    ///
    /// - Parameters:
    ///   - traces: the traces; their order decides between records of equal time.
    ///   - progress: called now and then with the share of bytes read, 0 to 1.
    ///   - body: called with the trace's position and the record, which is valid only during the call.
    /// - Returns: counts, losses and damage of each trace.
    /// - Throws: what `body` throws.
    /// - Complexity: O(events × log streams + turns × traces) in time, O(streams) in memory.
    public static func forEachEvent(
        of traces: [CTFTrace], progress: ((Double) -> Void)? = nil, _ body: (Int, EventRecord) throws -> Void
    ) throws -> [ReadSummary] {
        try run(passes(of: traces, order: .exactTime, progress: progress), body)
    }

    /// The event records that tracers could not keep, pieces of one trace put together: tracers count from the begin of a
    /// stream, and the pieces (of a rotated session, several snapshots) continue each other's streams.
    ///
    /// - Parameters:
    ///   - summaries: what the pass over each trace saw.
    ///   - traces: the traces, parallel to them.
    /// - Returns: their number.
    public static func discarded(_ summaries: [ReadSummary], of traces: [CTFTrace]) -> UInt64 {
        var counts: [[UInt8]: UInt64] = [:]
        var sum: UInt64 = 0
        for (summary, trace) in zip(summaries, traces) {
            let before = trace.uuid.flatMap { counts[$0] } ?? 0
            let more = summary.discarded > before ? summary.discarded - before : 0
            if let uuid = trace.uuid { counts[uuid] = before + more }
            sum = sum.clamped(plus: more)
        }
        return sum
    }

    /// A pass over each trace.
    ///
    /// - Parameters:
    ///   - traces: the traces.
    ///   - order: what decides between records.
    ///   - clocksAgree: whether clocks of one identity share the first one's offset.
    ///   - window: the part that is wanted; nil for everything.
    ///   - role: what the window wants of an event class, by the positions of trace and class; nil when nothing before it
    ///     matters.
    ///   - progress: called now and then with the share of bytes read, 0 to 1.
    /// - Returns: the passes, before their first record.
    static func passes(
        of traces: [CTFTrace], order: EventOrder, clocksAgree: Bool = true, window: TraceWindow? = nil,
        role: ((Int, Int) -> WindowRole)? = nil, progress: ((Double) -> Void)?
    ) -> [EventPass] {
        let agreement = clocksAgree ? ClockAgreement(of: traces).agreed : [:]
        let ledgers = ledgers(of: traces)
        let total = Double(max(traces.reduce(0) { $0 + $1.totalBytes }, 1))
        let shares = ProgressShares(count: traces.count)
        return traces.indices.map { index in
            let trace = traces[index]
            let weight = Double(trace.totalBytes) / total
            let report = progress.map { progress in { share in progress(shares.set(share * weight, of: index)) } }
            let plan = window.map { window in
                WindowPlan(
                    window: window,
                    roles: role.map { role in trace.eventClasses.indices.map { role(index, $0) } } ?? [])
            }
            return EventPass(
                of: trace, agreement: agreement, ledger: trace.uuid.flatMap { ledgers[$0] }, order: order, window: plan,
                progress: report)
        }
    }

    /// Lets the passes take turns.
    static func run(_ passes: [EventPass], _ body: (Int, EventRecord) throws -> Void) throws -> [ReadSummary] {
        try resume(passes, through: .max, body)
        return finish(passes)
    }

    /// Lets the passes take turns up to a time.
    static func resume(
        _ passes: [EventPass], through end: Int64, _ body: (Int, EventRecord) throws -> Void
    ) throws {
        while let (first, limit) = turn(of: passes, through: end) {
            try passes[first].resume(through: limit) { try body(first, $0) }
        }
    }

    static func finish(_ passes: [EventPass]) -> [ReadSummary] {
        for pass in passes { pass.notePackets() }
        return passes.map { $0.finish() }
    }

    /// Whose turn it is, and up to which time: until a trace before it would have a record of the same time.
    private static func turn(of passes: [EventPass], through end: Int64) -> (pass: Int, limit: Int64)? {
        var first: (pass: Int, time: Int64)?
        for (index, pass) in passes.enumerated() {
            if let time = pass.nextTime, first.map({ time < $0.time }) ?? true { first = (index, time) }
        }
        guard let first, first.time <= end else { return nil }
        var limit = end
        for (index, pass) in passes.enumerated() where index != first.pass {
            guard let time = pass.nextTime else { continue }
            // A trace before this one comes first where times are equal.
            limit = min(limit, index < first.pass ? time - 1 : time)
        }
        return (first.pass, limit)
    }

    /// A ledger for every identity that several traces have.
    private static func ledgers(of traces: [CTFTrace]) -> [[UInt8]: PacketLedger] {
        let pieces = Dictionary(grouping: traces.compactMap(\.uuid)) { $0 }
        return pieces.filter { $0.value.count > 1 }.mapValues { _ in PacketLedger() }
    }
}

/// The one offset that the clocks of one identity share in several traces: each tracer measured it anew.
public struct ClockAgreement: Sendable {
    /// For a clock, the clock with the shared offset.
    let agreed: [ClockClass: ClockClass]

    /// For a trace by itself.
    public init() { agreed = [:] }

    /// - Parameter traces: the traces; the first one's offset is shared.
    public init(of traces: [CTFTrace]) {
        var known: [String: ClockClass] = [:]
        var agreement: [ClockClass: ClockClass] = [:]
        for trace in traces {
            for stream in trace.streamClasses {
                guard let clock = stream.clock, let uuid = clock.uuid else { continue }
                let identity = "\(uuid) \(clock.name) \(clock.frequency)"
                let first = known[identity] ?? clock
                known[identity] = first
                var shared = clock
                shared.offsetSeconds = first.offsetSeconds
                shared.offsetCycles = first.offsetCycles
                agreement[clock] = shared
            }
        }
        agreed = agreement
    }
}

/// How much of each of several traces has been read.
private final class ProgressShares {
    private var shares: [Double]

    init(count: Int) { shares = Array(repeating: 0, count: count) }

    /// Sets one of them.
    ///
    /// - Returns: the sum.
    func set(_ share: Double, of index: Int) -> Double {
        shares[index] = share
        return min(shares.reduce(0, +), 1)
    }
}
