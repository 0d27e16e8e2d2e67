extension RecordedTrace {
    /// The clock's value at which half of what the threads recorded is over; nil when they recorded nothing.
    ///
    /// Not half of the time: a program may start for longer than it works.
    var middle: UInt64? {
        let threads = streams.filter { $0.name.hasPrefix("thread-") }
        let times = threads.flatMap(\.packets).flatMap(\.records).map(\.time).sorted()
        return times.isEmpty ? nil : times[times.count / 2]
    }

    /// Leaves what a flight recorder has whose buffers go back to this time: the definitions, and what came after.
    ///
    /// The first packet of a stream that was overwritten has the number 1, as packet 0 is gone.
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
