/// The packets that were read from several pieces of one trace that may overlap.
///
/// Each snapshot of a session holds the current content of the buffers, so two snapshots can share packets. The last
/// packet of a snapshot can be the begin of a longer packet of the next snapshot. The size grows with the number of
/// packets, and only when pieces are read together. Not thread-safe.
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

    /// The part of a packet that was read from a piece.
    struct Part {
        /// Size of the packet up to the end of the part, in bits.
        var size: UInt64
        /// The clock value at the end of the part.
        var end: UInt64
    }

    private var claimed: [Packet: Part] = [:]
    /// The packet numbers of the pieces of each stream, and the clock value at the end of each piece.
    private var pieces: [Stream: [(packets: ClosedRange<UInt64>, end: UInt64?)]] = [:]

    /// Claims a packet before it is read.
    ///
    /// - Parameters:
    ///   - values: the values of its header and context.
    ///   - streamClass: the id of the stream class.
    /// - Returns: the part that was read from another piece; nil when there is none, and when the packet has no
    ///   identity.
    func claim(_ values: RoleValues, of streamClass: UInt64) -> Part? {
        guard let instance = values.streamInstanceID, let sequence = values.sequenceNumber,
            let begin = values.timestampBegin
        else { return nil }
        let packet = Packet(
            stream: Stream(streamClass: streamClass, instance: instance), sequence: sequence, begin: begin)
        let part = Part(size: values.contentSize ?? .max, end: values.timestampEnd ?? begin)
        let known = claimed[packet]
        if known.map({ $0.size < part.size }) ?? true { claimed[packet] = part }
        return known
    }

    /// Records a piece of a stream.
    ///
    /// - Parameters:
    ///   - packets: the numbers of its packets.
    ///   - end: the clock value at the end of the last packet.
    ///   - streamClass: the id of the stream class.
    ///   - instance: the id of the stream.
    func note(_ packets: ClosedRange<UInt64>, until end: UInt64?, of streamClass: UInt64, instance: UInt64) {
        pieces[Stream(streamClass: streamClass, instance: instance), default: []].append((packets, end))
    }

    /// Finds the packets that no piece has, before the piece that starts with a packet.
    ///
    /// - Parameters:
    ///   - sequence: the number of the packet.
    ///   - streamClass: the id of the stream class.
    ///   - instance: the id of the stream.
    /// - Returns: the number of missing packets and the clock value after which they are missing; nil when no packet is
    ///   missing or there is no earlier piece.
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
