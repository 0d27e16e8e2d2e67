/// Which packets of a trace have been read, where several pieces of the trace may have the same ones.
///
/// Snapshots of a session hold what its buffers held at the time; two of them taken soon after each other have packets in
/// common. It grows with packets, and only where pieces are read together. Not safe to use from two threads at once.
final class PacketLedger {
    private struct Packet: Hashable {
        var streamClass: UInt64
        var instance: UInt64
        var sequence: UInt64
        var begin: UInt64
    }

    private var claimed: Set<Packet> = []

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
        let packet = Packet(streamClass: streamClass, instance: instance, sequence: sequence, begin: begin)
        return claimed.insert(packet).inserted
    }
}
