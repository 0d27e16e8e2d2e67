extension RecordedTrace {
    /// Adds half an hour without events before the recorded events, and another half hour after them.
    ///
    /// A program that ends in the middle of its work has no quiet time after it, so the whole hour is added before it.
    ///
    /// The first and the last event are clock readings, which the recorder writes during the whole recording.
    ///
    /// ```
    ///   recorded      c││││││││││c                  c: clock_sync
    ///   embedded      c      c││││││││││c      c
    ///                 0      ½ h               1 h
    /// ```
    ///
    /// - Parameter goesOn: whether the program could have continued in its last state.
    /// - Throws: ``Failure`` if the trace has no clock reading.
    mutating func embedInQuiet(goesOn: Bool) throws {
        guard let place = streams.firstIndex(where: { $0.name == "definitions" }),
            let reading = streams[place].records.first(where: { $0.event == "clock_sync" }),
            let begin = streams.compactMap(\.packets.first?.records.first?.time).min(),
            let end = streams.flatMap(\.packets).compactMap(\.records.last?.time).max()
        else { throw Failure(description: "the trace has no reading of the clocks") }
        let before = goesOn ? Self.halfAnHour : 2 * Self.halfAnHour
        for stream in streams.indices { streams[stream].delay(by: before, frequency) }
        var first = Packet(sequence: 0, begin: begin, discarded: 0, records: [reading])
        first.records[0].time = begin
        first.records[0].shiftClocks(from: reading.time, to: begin, frequency)
        var last = first
        // A millisecond later, so that this is the last event.
        let afterwards = end + 2 * Self.halfAnHour * frequency + frequency / 1000
        last.begin = afterwards
        last.records[0].time = afterwards
        last.records[0].shiftClocks(from: begin, to: afterwards, frequency)
        streams[place].packets.insert(first, at: 0)
        streams[place].packets.append(last)
        let discarded = streams[place].packets.dropLast().last?.discarded ?? 0
        streams[place].packets[streams[place].packets.count - 1].discarded = discarded
        for packet in streams[place].packets.indices { streams[place].packets[packet].sequence = UInt64(packet) }
    }

    /// In seconds.
    private static let halfAnHour: UInt64 = 1800

    /// Whether a thread was in an item at the end of the recording, for example because the item ended the program.
    var endsInItem: Bool {
        var depths: [UInt32: Int] = [:]
        for record in streams.lazy.flatMap(\.packets).flatMap(\.records) {
            switch record.event {
            case "item_begin", "callout_begin", "sync_begin": depths[record.owner, default: 0] += 1
            case "item_end", "callout_end": depths[record.owner, default: 0] -= 1
            default: break
            }
        }
        return depths.values.contains { $0 > 0 }
    }
}

extension RecordedTrace.Stream {
    /// Delays all packets and records by a number of seconds.
    fileprivate mutating func delay(by seconds: UInt64, _ frequency: UInt64) {
        for packet in packets.indices {
            packets[packet].begin += seconds * frequency
            for record in packets[packet].records.indices {
                packets[packet].records[record].delay(by: seconds, frequency)
            }
        }
    }
}

extension RecordedTrace.Record {
    /// Delays the record by a number of seconds, including the values of a clock reading.
    fileprivate mutating func delay(by seconds: UInt64, _ frequency: UInt64) {
        let before = time
        time += seconds * frequency
        if event == "clock_sync" { shiftClocks(from: before, to: time, frequency) }
    }

    /// Changes a clock reading to the values at another time, in ticks.
    fileprivate mutating func shiftClocks(from before: UInt64, to after: UInt64, _ frequency: UInt64) {
        let ticks = after &- before
        add(ticks, to: "ticks")
        let signed = Double(Int64(bitPattern: ticks))
        let nanoseconds = UInt64(bitPattern: Int64(signed * 1e9 / Double(frequency)))
        for clock in ["monotonic", "realtime", "boottime"] { add(nanoseconds, to: clock) }
    }
}
