extension TraceMerge {
    /// Finds the time from which on traces are complete.
    ///
    /// A tracer that overwrites its oldest packets, as for snapshots, overwrites each buffer separately. The buffer of
    /// a busy processor therefore starts later than the others, and before its first packet the trace is incomplete.
    ///
    /// ```
    ///   stream 0   ░░░░░░░░├──────────────      ░ overwritten
    ///   stream 1   ░░├────────────────────
    ///   stream 2       ├──────────────────        began here, with packet 0
    ///                      ↑ whole from here
    /// ```
    ///
    /// - Parameters:
    ///   - traces: the traces. The earliest of several pieces determines where their trace starts.
    ///   - isCounted: whether overwritten records of a stream class matter. The integer is the index of the trace.
    /// - Returns: for each trace the time in nanoseconds from the Unix epoch, as in ``forEachEvent(of:progress:_:)``;
    ///   nil when nothing was overwritten.
    /// - Complexity: O(stream files) in time and memory.
    public static func wholeSince(_ traces: [CTFTrace], isCounted: (Int, CTFStreamClass) -> Bool) -> [Int64?] {
        let agreement = ClockAgreement(of: traces).agreed
        var begins: [StreamIdentity: (sequence: UInt64, time: Int64)] = [:]
        for (index, trace) in traces.enumerated() {
            let counted = Set(trace.streamClasses.filter { isCounted(index, $0) }.map(\.id))
            for file in trace.files {
                guard let packet = file.firstPacket(of: trace.plan), counted.contains(packet.streamClass),
                    let sequence = packet.values.sequenceNumber, let begin = packet.values.timestampBegin,
                    let clock = packet.clock
                else { continue }
                let identity = StreamIdentity(
                    trace: TraceIdentity(trace, at: index), streamClass: packet.streamClass,
                    instance: packet.values.streamInstanceID.map { "\($0)" } ?? file.name)
                let first = (sequence, time: (agreement[clock] ?? clock).nanosecondsFromOrigin(begin))
                if let known = begins[identity], known <= first { continue }
                begins[identity] = first
            }
        }
        var latest: [TraceIdentity: Int64] = [:]
        for (stream, begin) in begins where begin.sequence > 0 {
            latest[stream.trace] = max(latest[stream.trace] ?? .min, begin.time)
        }
        return traces.enumerated().map { latest[TraceIdentity($1, at: $0)] }
    }
}

/// The common identity of the pieces of one trace: the UUID, or the index of the trace when it has none.
private struct TraceIdentity: Hashable {
    private var uuid: [UInt8]
    private var place: Int

    init(_ trace: CTFTrace, at index: Int) {
        uuid = trace.uuid ?? []
        place = trace.uuid == nil ? index : 0
    }
}

private struct StreamIdentity: Hashable {
    var trace: TraceIdentity
    var streamClass: UInt64
    var instance: String
}
