import CArenaLayout

/// The stream of a trace that shows until when a flight recorder in memory has overwritten events. It has one packet,
/// without events, at the time of the newest of these events.
///
/// ```
///   overwritten             │ packet 1
///   thread-0001   ░░░░░░├───────────────      ░ overwritten
///   thread-0002   ░░░░░░░░░░│                 no chunk left, so there is no file
///   thread-0003       ├─────────────────      began here, with packet 0
///                           ↑ whole from here
/// ```
///
/// The first packet of a stream with a number other than 0 shows that earlier ones are missing
/// (``TraceMerge/wholeSince(_:isCounted:)``). `memory_ring.h` of `CTraceRecorder` describes the stream.
enum OverwrittenTime {
    private typealias Head = ArenaLayout.Packet

    /// The record of the stream, without a packet in its file.
    static let stream = ArenaLayout.StreamRecord(
        kind: .overwritten, index: QS_OVERWRITTEN_STREAM, discarded: 0, fileEnd: 0, packets: 0, order: 0, chunkBytes: 0,
        lastPacket: 0)

    /// The name of the file.
    static let file = stream.fileName(firstStream: 0)

    /// The packet.
    ///
    /// - Parameter head: the head of the arena.
    /// - Returns: nil when nothing was overwritten in memory.
    static func packet(_ head: ArenaLayout.Head) -> [UInt8]? {
        guard head.overwritten > 0 else { return nil }
        var packet = [UInt8](repeating: 0, count: ArenaLayout.packetHead)
        packet.replaceSubrange(Head.uuid, with: head.uuid)
        packet.withUnsafeMutableBytes {
            $0.store(Head.magic, at: 0)
            $0.store(UInt64(stream.index), at: Head.stream)
            $0.store(head.overwritten, at: Head.begin)
            $0.store(head.overwritten, at: Head.end)
            $0.store(UInt64(ArenaLayout.packetHead) * 8, at: Head.contentSize)
            $0.store(UInt64(ArenaLayout.packetHead) * 8, at: Head.packetSize)
            let isInWindow = head.overwritten > head.windowBegin
            $0.store(UInt64(isInWindow ? QS_OVERWRITTEN_PACKET : QS_OVERWRITTEN_BEFORE_WINDOW), at: Head.number)
        }
        return packet
    }
}
