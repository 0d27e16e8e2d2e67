extension TraceMerge {
    /// From when on traces have all that was recorded.
    ///
    /// A tracer that overwrites its oldest packets, as for snapshots, does so in each buffer by itself, so that the buffer
    /// of a busy processor goes back less far than the others. Before its first packet the trace has a part only.
    ///
    /// ```
    ///   stream 0   ░░░░░░░░├──────────────      ░ overwritten
    ///   stream 1   ░░├────────────────────
    ///   stream 2       ├──────────────────        began here, with packet 0
    ///                      ↑ whole from here
    /// ```
    ///
    /// - Parameters:
    ///   - traces: the traces; pieces of one trace begin with the earliest of them.
    ///   - isCounted: whether the records of a trace, by its place, and of a stream class are missed where they are overwritten.
    /// - Returns: for each trace nanoseconds from the Unix epoch, as ``forEachEvent(of:progress:_:)`` has them; nil where
    ///   nothing was overwritten.
    /// - Complexity: O(stream files) in time and memory.
    public static func wholeSince(
        _ traces: [CTFTrace], isCounted: (Int, CTFStreamClass) -> Bool
    ) -> [Int64?] {
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
                if let known = begins[identity], known.sequence <= sequence { continue }
                begins[identity] = (sequence, (agreement[clock] ?? clock).nanosecondsFromOrigin(begin))
            }
        }
        var latest: [TraceIdentity: Int64] = [:]
        for (stream, begin) in begins where begin.sequence > 0 {
            latest[stream.trace] = max(latest[stream.trace] ?? .min, begin.time)
        }
        return traces.enumerated().map { latest[TraceIdentity($1, at: $0)] }
    }
}

/// What pieces of one trace have in common: its identity, or their own place where it has none.
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
