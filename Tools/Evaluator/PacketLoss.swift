import Scenarios

/// What a loss left out of a trace.
struct LostRecords {
    /// Times at which a record was lost, in the clock's ticks, by the stream's owner.
    private(set) var times: [UInt32: Set<UInt64>] = [:]
    private(set) var packets = 0

    mutating func add(_ packet: RecordedTrace.Packet) {
        packets += 1
        for record in packet.records { times[record.owner, default: []].insert(record.time) }
    }
}

extension RecordedTrace {
    /// The size of the packets that are lost. The recorder's are larger: 4 KB, then 64 KB. With those a recording of
    /// half a second has so few that a share of them means nothing.
    private static let lossUnit = 1024

    /// Loses packets at random, of all streams but those with the definitions, which no recorder overwrites.
    ///
    /// A packet that is missing between two others leaves a gap in the sequence numbers. One before a stream's first or
    /// behind its last would leave no mark there, so its records count as discarded, as the recorder counts what it has
    /// no room for. What a stream loses as a whole counts as discarded in the definitions.
    ///
    /// ```
    ///   packet       0   1   2   3   4   5          × lost
    ///                ×   ·   ·   ×   ·   ×
    ///   sequence         0   1       3
    ///   discarded        r0  r0      r0+r5          rN: records of packet N
    /// ```
    ///
    /// - Parameters:
    ///   - share: of all packets, from 0 to 1: the probability with which each is lost.
    ///   - seed: chooses which.
    /// - Returns: what was lost.
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
    /// Loses these packets.
    ///
    /// - Returns: how many records were lost without a mark, as nothing is left of the stream.
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
