extension ReadSummary {
    /// Adds what the streams of a trace saw during a pass.
    mutating func add(_ streams: [DataStream]) {
        // Files of one stream continue each other's count of discarded records.
        var discardedByStream: [String: UInt64] = [:]
        var firstSequenceNumbers: [String: UInt64] = [:]
        for stream in streams {
            if stream.file.count > 0 { files += 1 }
            packets += stream.packets
            lostPackets = lostPackets.clamped(plus: stream.losses.packets)
            let name = Self.name(of: stream)
            discardedByStream[name] = max(discardedByStream[name] ?? 0, stream.losses.discarded)
            firstSequenceNumbers[name] = min(firstSequenceNumbers[name] ?? .max, stream.losses.firstSequenceNumber)
        }
        for count in discardedByStream.values { discarded = discarded.clamped(plus: count) }
        for stream in streams {
            notes += stream.notes
            // What was lost before is told by the file, or the piece, that comes before.
            let isFirst =
                !stream.isPiece && stream.losses.firstSequenceNumber == firstSequenceNumbers[Self.name(of: stream)]
            losses += isFirst ? stream.losses.all[...] : stream.losses.own
            if let gap = stream.gapBefore {
                lostPackets = lostPackets.clamped(plus: Int(clamping: gap.count))
                losses.append(gap)
            }
        }
        notes.sort { ($0.file, $0.byteOffset) < ($1.file, $1.byteOffset) }
        losses.sort { ($0.beginNanoseconds ?? .min, $0.file) < ($1.beginNanoseconds ?? .min, $1.file) }
    }

    private static func name(of stream: DataStream) -> String {
        stream.instanceID.map { "\(stream.plan?.id ?? 0) \($0)" } ?? stream.file.path
    }
}
