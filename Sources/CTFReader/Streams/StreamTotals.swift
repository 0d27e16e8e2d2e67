extension ReadSummary {
    /// Adds what the streams of a trace saw during a pass.
    mutating func add(_ streams: [DataStream]) {
        // Files of one stream continue each other's count of discarded records.
        var discardedByStream: [String: UInt64] = [:]
        for stream in streams {
            packets += stream.packets
            lostPackets = Self.sum(lostPackets, stream.lostPackets)
            let name = stream.instanceID.map { "\(stream.plan?.id ?? 0) \($0)" } ?? stream.file.path
            discardedByStream[name] = max(discardedByStream[name] ?? 0, stream.discarded)
        }
        for count in discardedByStream.values { discarded = Self.sum(discarded, count) }
        notes = streams.flatMap(\.notes).sorted { ($0.file, $0.byteOffset) < ($1.file, $1.byteOffset) }
        losses = streams.flatMap(\.losses)
            .sorted { ($0.beginNanoseconds ?? .min, $0.file) < ($1.beginNanoseconds ?? .min, $1.file) }
    }

    private static func sum<Number: FixedWidthInteger>(_ left: Number, _ right: Number) -> Number {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }
}
