/// Which packets of a trace have been read, where several pieces of the trace may have the same ones.
///
/// Snapshots of a session hold what its buffers held at the time; two of them taken soon after each other have packets in
/// common. It grows with packets, and only where pieces are read together. Not safe to use from two threads at once.
final class PacketLedger {
    private struct Stream: Hashable {
        var streamClass: UInt64
        var instance: UInt64
    }

    private struct Packet: Hashable {
        var stream: Stream
        var sequence: UInt64
        var begin: UInt64
    }

    private var claimed: Set<Packet> = []
    /// Which packets the pieces have, by their numbers, and the clock's value at the end of the last.
    private var pieces: [Stream: [(packets: ClosedRange<UInt64>, end: UInt64?)]] = [:]

    /// Notes that a packet is about to be read.
    ///
    /// - Parameters:
    ///   - values: of its header and context.
    ///   - streamClass: the stream's class.
    /// - Returns: false when it has been read in another piece; true also when nothing tells it from others.
    func claim(_ values: RoleValues, of streamClass: UInt64) -> Bool {
        guard let instance = values.streamInstanceID, let sequence = values.sequenceNumber,
            let begin = values.timestampBegin
        else { return true }
        let packet = Packet(
            stream: Stream(streamClass: streamClass, instance: instance), sequence: sequence, begin: begin)
        return claimed.insert(packet).inserted
    }

    /// Notes a piece of a stream.
    ///
    /// - Parameters:
    ///   - packets: the numbers of its packets.
    ///   - end: the clock's value at the end of the last.
    ///   - streamClass: the stream's class.
    ///   - instance: which of the class's streams.
    func note(_ packets: ClosedRange<UInt64>, until end: UInt64?, of streamClass: UInt64, instance: UInt64) {
        pieces[Stream(streamClass: streamClass, instance: instance), default: []].append((packets, end))
    }

    /// The packets that no piece has, between a piece that begins with a packet and those before.
    ///
    /// - Parameters:
    ///   - sequence: the packet's number.
    ///   - streamClass: the stream's class.
    ///   - instance: which of the class's streams.
    /// - Returns: how many, and the clock's value after which they are missing; nil when none are, or no piece is before.
    /// - Complexity: O(pieces).
    func gap(before sequence: UInt64, of streamClass: UInt64, instance: UInt64) -> (count: UInt64, begin: UInt64?)? {
        let pieces = pieces[Stream(streamClass: streamClass, instance: instance)] ?? []
        let earlier = pieces.filter { $0.packets.lowerBound < sequence }
        guard let last = earlier.max(by: { $0.packets.upperBound < $1.packets.upperBound }),
            last.packets.upperBound < sequence, sequence - last.packets.upperBound > 1
        else { return nil }
        return (sequence - last.packets.upperBound - 1, last.end)
    }
}
