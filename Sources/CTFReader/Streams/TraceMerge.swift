/// Merges several traces in order of time.
///
/// ```
///   trace 0   ─a────────d─e──        delivered: a b c d e f
///   trace 1   ───b──c────────f─
/// ```
///
/// Each trace keeps the order of its own pass. The trace with the earliest next record continues until another trace
/// has an earlier one. Records of equal time come in the order of the traces. A packet that occurs in several pieces of
/// one trace, such as snapshots of the same buffer, is delivered once.
public enum TraceMerge {
    /// Delivers all event records of all traces in order of time.
    ///
    /// Times are nanoseconds from the Unix epoch, by the clock offset of each trace. Clocks with the same UUID (the
    /// same boot of the same machine) use the offset of the first trace, because each tracer measures its own.
    ///
    /// - Parameters:
    ///   - traces: the traces. Their order decides between records of equal time.
    ///   - progress: called at intervals with the share of bytes read, 0 to 1.
    ///   - body: called with the index of the trace and the record, which is valid only during the call.
    /// - Returns: counts, losses and damage of each trace.
    /// - Throws: what `body` throws.
    /// - Complexity: O(events × log streams + turns × traces) in time, O(streams) in memory.
    public static func forEachEvent(
        of traces: [CTFTrace], progress: ((Double) -> Void)? = nil, _ body: (Int, EventRecord) throws -> Void
    ) throws -> [ReadSummary] {
        try run(passes(of: traces, order: .exactTime, progress: progress), body)
    }

    /// The number of discarded event records, with the pieces of a trace joined. Tracers count from the start of a
    /// stream, and the pieces of a rotated session or of several snapshots continue each other's streams.
    ///
    /// - Parameters:
    ///   - summaries: the summaries of the passes.
    ///   - traces: the traces, in the same order.
    /// - Returns: the number of discarded event records.
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

    /// Creates a pass for each trace.
    ///
    /// - Parameters:
    ///   - traces: the traces.
    ///   - order: the time that orders the records.
    ///   - clocksAgree: whether clocks with the same UUID use the offset of the first one.
    ///   - window: the window to read; nil for everything.
    ///   - role: the role of an event class in the window, by the indices of trace and class; nil when records before
    ///     the window are not needed.
    ///   - progress: called at intervals with the share of bytes read, 0 to 1.
    /// - Returns: the passes, positioned before their first records.
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

    /// Interleaves the passes.
    static func run(_ passes: [EventPass], _ body: (Int, EventRecord) throws -> Void) throws -> [ReadSummary] {
        try resume(passes, through: .max, body)
        return finish(passes)
    }

    /// Interleaves the passes up to a time.
    static func resume(_ passes: [EventPass], through end: Int64, _ body: (Int, EventRecord) throws -> Void) throws {
        while let (first, limit) = turn(of: passes, through: end) {
            try passes[first].resume(through: limit) { try body(first, $0) }
        }
    }

    static func finish(_ passes: [EventPass]) -> [ReadSummary] {
        for pass in passes { pass.publishPackets() }
        return passes.map { $0.finish() }
    }

    /// The pass with the earliest record, and the last time before another pass has an earlier record.
    private static func turn(of passes: [EventPass], through end: Int64) -> (pass: Int, limit: Int64)? {
        var first: (pass: Int, time: Int64)?
        for (index, pass) in passes.enumerated() {
            if let time = pass.nextTime, first.map({ time < $0.time }) ?? true { first = (index, time) }
        }
        guard let first, first.time <= end else { return nil }
        var limit = end
        for (index, pass) in passes.enumerated() where index != first.pass {
            guard let time = pass.nextTime else { continue }
            // The trace with the lower index comes first at equal times.
            limit = min(limit, index < first.pass ? time - 1 : time)
        }
        return (first.pass, limit)
    }

    /// Creates a ledger for each UUID that several traces share.
    private static func ledgers(of traces: [CTFTrace]) -> [[UInt8]: PacketLedger] {
        let pieces = Dictionary(grouping: traces.compactMap(\.uuid)) { $0 }
        return pieces.filter { $0.value.count > 1 }.mapValues { _ in PacketLedger() }
    }
}

/// The common offset of clocks with the same UUID in several traces. Each tracer measures its own.
public struct ClockAgreement: Sendable {
    /// For each clock, the clock with the common offset.
    let agreed: [ClockClass: ClockClass]

    /// Creates an empty agreement, for a single trace.
    public init() { agreed = [:] }

    /// - Parameter traces: the traces. The offset of the first one is used.
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

/// The share of each trace in the progress.
private final class ProgressShares {
    private var shares: [Double]

    init(count: Int) { shares = Array(repeating: 0, count: count) }

    /// Sets the share of a trace.
    ///
    /// - Returns: the sum.
    func set(_ share: Double, of index: Int) -> Double {
        shares[index] = share
        return min(shares.reduce(0, +), 1)
    }
}
