import Scenarios

/// The records that a loss removed from a trace.
struct LostRecords {
    /// Clock values at which a record was lost, by the thread that owned the stream.
    private(set) var times: [UInt32: Set<UInt64>] = [:]
    private(set) var packets = 0

    mutating func add(_ packet: RecordedTrace.Packet) {
        packets += 1
        for record in packet.records { times[record.owner, default: []].insert(record.time) }
    }
}

extension RecordedTrace {
    /// The size of the packets that are lost. The recorder's packets are larger (4 KB, then 64 KB). A recording of half
    /// a second has too few of them to lose a share.
    private static let lossUnit = 1024

    /// Removes random packets of all streams except the definitions, which no recorder overwrites.
    ///
    /// A missing packet between two others leaves a gap in the sequence numbers. A missing packet before the first or
    /// after the last remaining one leaves no gap, so its records are added to the discarded count, as for records
    /// without room in the recorder. The records of a stream that is lost as a whole are added to the count of the
    /// definitions.
    ///
    /// ```
    ///   packet       0   1   2   3   4   5          × lost
    ///                ×   ·   ·   ×   ·   ×
    ///   sequence         0   1       3
    ///   discarded        r0  r0      r0+r5          rN: records of packet N
    /// ```
    ///
    /// - Parameters:
    ///   - share: the probability with which each packet is lost, from 0 to 1.
    ///   - seed: selects the packets.
    /// - Returns: the lost records.
    mutating func lose(_ share: Double, seed: UInt64) -> LostRecords {
        var random = SplitMix64(seed: seed)
        var lost = LostRecords()
        streams = streams.map { $0.isDefinitions ? $0 : $0.repacked(Self.lossUnit) }
        var untold: UInt64 = 0
        for index in streams.indices where !streams[index].isDefinitions {
            let gone = Set(
                streams[index].packets.indices.filter { _ in Double.random(in: 0..<1, using: &random) < share })
            for place in gone { lost.add(streams[index].packets[place]) }
            untold += streams[index].lose(gone)
        }
        streams.removeAll { !$0.isDefinitions && $0.packets.isEmpty }
        if untold > 0, let definitions = streams.firstIndex(where: { $0.isDefinitions && !$0.packets.isEmpty }) {
            let last = streams[definitions].packets.count - 1
            streams[definitions].packets[last].discarded += untold
        }
        return lost
    }
}

extension RecordedTrace.Stream {
    /// Removes these packets.
    ///
    /// - Returns: the number of records that no remaining packet of the stream counts, because none is left.
    fileprivate mutating func lose(_ gone: Set<Int>) -> UInt64 {
        let kept = packets.indices.filter { !gone.contains($0) }
        func records(_ places: some Sequence<Int>) -> UInt64 {
            places.reduce(0) { $0 + UInt64(packets[$1].records.count) }
        }
        guard let first = kept.first, let last = kept.last else {
            defer { packets = [] }
            return records(packets.indices)
        }
        let before = records(0..<first)
        let behind = records((last + 1)..<packets.count)
        packets = kept.map { place in
            var packet = packets[place]
            packet.sequence -= UInt64(first)
            packet.discarded += before + (place == last ? behind : 0)
            return packet
        }
        return 0
    }
}
