extension RecordedTrace {
    /// The clock's value in the middle between the first and the last record that is no definition; nil without
    /// records.
    var middle: UInt64? {
        let times = streams.lazy.filter { !$0.isDefinitions }.flatMap(\.packets).flatMap(\.records).map(\.time)
        guard let first = times.min(), let last = times.max() else { return nil }
        return first + (last - first) / 2
    }

    /// Keeps the part that a flight recorder would keep if its buffers reach back to this time: the definitions and
    /// all later records.
    ///
    /// The first packet of an overwritten stream gets the number 1, because packet 0 is missing.
    ///
    /// - Parameter time: the clock's value.
    mutating func overwrite(before time: UInt64) {
        streams = streams.compactMap { stream in
            guard !stream.isDefinitions else { return stream }
            var kept = stream
            kept.packets = stream.packets.compactMap { packet in
                var packet = packet
                packet.records.removeAll { $0.time < time }
                guard !packet.records.isEmpty else { return nil }
                packet.begin = max(packet.begin, time)
                return packet
            }
            let isWhole = stream.packets.first?.records.first.map { $0.time >= time } ?? true
            for place in kept.packets.indices { kept.packets[place].sequence = UInt64(place + (isWhole ? 0 : 1)) }
            return kept.packets.isEmpty ? nil : kept
        }
    }
}
