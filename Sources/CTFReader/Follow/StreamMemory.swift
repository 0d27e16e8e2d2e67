import Synchronization

/// The results of earlier readings of one data stream of a trace that is being recorded. A reading needs only the new
/// packets.
///
/// ```
///   stream   ├ part ┼ part ┼ part ┼─ packets ─┼─ packets ─┤
///            │      scanned       │ window before         ↑ new
///                                 └ window now
/// ```
///
/// Thread-safe.
final class StreamMemory: Sendable {
    /// Packets that were scanned for records that a window needs.
    private struct Part {
        var packets: Range<Int>
        var found: PacketScan.Found
    }

    private struct State {
        var index: PacketIndex?
        /// Number of bytes of the file at the last reading. Later packets were read from memory, and the recorder may
        /// divide their events differently.
        var fileEnd = 0
        /// The size of the first packet in bits. A flight recorder turns the packets that it removes into one packet
        /// without events, so a change of the size invalidates all places.
        var firstSize: UInt64?
        /// Consecutive parts from the begin of the stream.
        var parts: [Part] = []
    }

    /// Number of parts that are kept apart, so that a window can begin a little earlier than the last one.
    private static let partLimit = 64
    /// Number of packets before the scanned parts' end that are kept, for the search for submissions.
    private static let earlierPackets = 256

    private let state = Mutex(State())

    /// The index of the stream's packets. Only new packets are read.
    ///
    /// - Parameters:
    ///   - file: the present content of the stream.
    ///   - trace: the decoding plan of the trace.
    /// - Complexity: O(new packets).
    func index(of file: MappedFile, in trace: TracePlan) -> PacketIndex {
        state.withLock { state in
            // The only reference to the array moves, so that it grows in place.
            var earlier = state.index.take()
            earlier?.forget(from: state.fileEnd)
            earlier?.forget(before: state.parts.last?.packets.upperBound ?? 0, keeping: Self.earlierPackets)
            let first = file.firstPacket(of: trace)?.values.packetSize
            if first != state.firstSize, state.firstSize != nil {
                earlier = nil
                state.parts = []
            }
            let index = PacketIndex(file, trace, extending: earlier)
            (state.index, state.fileEnd, state.firstSize) = (index, file.fileEnd, file.fileEnd > 0 ? first : nil)
            return index
        }
    }

    /// The result of the scans of the packets before an offset.
    ///
    /// - Parameter begin: the offset in bytes.
    /// - Returns: the result, and the end of the packets that it covers.
    func found(before begin: Int) -> (found: PacketScan.Found, end: Int) {
        state.withLock { state in
            var (all, end) = (PacketScan.Found(), 0)
            for part in state.parts where part.packets.upperBound <= begin {
                all.append(part.found)
                end = part.packets.upperBound
            }
            return (all, end)
        }
    }

    /// Remembers the result of a scan.
    ///
    /// - Parameters:
    ///   - found: the result.
    ///   - packets: the range of the packets in bytes. Packets that do not follow the known packets, or are not in the
    ///     file yet, are scanned again next time.
    ///   - file: the content that was scanned.
    func note(_ found: PacketScan.Found, in packets: Range<Int>, of file: MappedFile) {
        guard packets.upperBound <= file.fileEnd else { return }
        state.withLock { state in
            guard packets.lowerBound == state.parts.last?.packets.upperBound ?? 0 else { return }
            state.parts.append(Part(packets: packets, found: found))
            guard state.parts.count > 2 * Self.partLimit else { return }
            let older = state.parts.prefix(Self.partLimit)
            var first = older[0]
            for part in older.dropFirst() {
                first.found.append(part.found)
                first.packets = first.packets.lowerBound..<part.packets.upperBound
            }
            state.parts.replaceSubrange(..<Self.partLimit, with: [first])
        }
    }
}
