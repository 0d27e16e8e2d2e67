/// What the packet headers of one data stream file say of event records and packets that are not there.
///
/// ```
///   packet        │ 0 ········ │ 1 ········ │ 4 ········ │
///   discarded     0            3            3            3
///   losses         └ 3 records ┘             ↑
///                               └ 2 packets ─┘
/// ```
struct StreamLosses {
    /// Losses beyond this many in a file are told as one.
    private static let limit = 100

    /// When something went missing, in the order of the packets.
    private(set) var all: [TraceLoss] = []
    /// Packets missing between those that are there.
    private(set) var packets = 0
    /// Event records that the tracer could not keep, up to the end of the current packet.
    private(set) var discarded: UInt64 = 0
    /// The number of this file's first packet in its stream; more than 0 when the stream began elsewhere.
    private(set) var firstSequenceNumber: UInt64 = 0

    /// The clock's value at the begin of this file's first packet.
    private(set) var begin: UInt64?
    /// The number of the packet before, in its stream.
    private(set) var lastSequenceNumber: UInt64?
    /// The tracer's own count of discarded records, which may go on at 0.
    private var lastCount: UInt64 = 0
    /// The clock's value at the end of the packet before.
    private(set) var lastEnd: UInt64?
    private var hasPackets = false
    /// Whether the first loss is all that the stream lost before this file and in its first packet.
    private var hasEarlier = false
    private var isLastPacketLossy = false

    /// The losses without those from before this file, for when these are told elsewhere.
    var own: ArraySlice<TraceLoss> { hasEarlier ? all.dropFirst() : all[...] }

    /// Takes over what the next packet's header and context say.
    ///
    /// - Parameters:
    ///   - values: theirs.
    ///   - clock: of the stream.
    ///   - file: the stream's path.
    ///   - isRepeated: whether another piece of the trace has the packet too, and tells of its losses.
    /// - Returns: how many packets are missing before this one.
    mutating func read(_ values: RoleValues, clock: ClockClass?, file: String, isRepeated: Bool) -> UInt64 {
        func loss(_ kind: TraceLoss.Kind, _ count: UInt64, until end: UInt64?) -> TraceLoss {
            TraceLoss(
                kind: kind, count: count, file: file,
                beginNanoseconds: lastEnd.flatMap { clock?.nanosecondsFromOrigin($0) },
                endNanoseconds: end.flatMap { clock?.nanosecondsFromOrigin($0) })
        }
        var missing: UInt64 = 0
        if let sequence = values.sequenceNumber {
            if let last = lastSequenceNumber, sequence > last, sequence - last > 1 {
                missing = sequence - last - 1
                packets = packets.clamped(plus: Int(clamping: missing))
                if !isRepeated { add(loss(.packets, missing, until: values.timestampBegin)) }
            }
            lastSequenceNumber = sequence
        }
        isLastPacketLossy = false
        if let (count, mask) = values.discarded {
            // A count that is smaller than before went on at 0, or is wrong when that would make it very large.
            let more = (count &- lastCount) & mask
            if more > 0, count > lastCount || more <= mask / 2 {
                discarded = discarded.clamped(plus: more)
                if !isRepeated { add(loss(.events, more, until: values.timestampEnd)) }
                isLastPacketLossy = !isRepeated
            }
            lastCount = count
        }
        lastEnd = values.timestampEnd
        if !hasPackets {
            hasPackets = true
            firstSequenceNumber = values.sequenceNumber ?? 0
            begin = values.timestampBegin
            hasEarlier = firstSequenceNumber > 0 && !all.isEmpty
        }
        return missing
    }

    /// Begins behind a packet that is not read: what was lost up to its end does not count.
    mutating func pass(_ values: RoleValues) {
        lastSequenceNumber = values.sequenceNumber
        lastCount = values.discarded?.count ?? 0
        lastEnd = values.timestampEnd
        firstSequenceNumber = values.sequenceNumber ?? 0
        begin = values.timestampBegin
        hasPackets = true
    }

    /// Notes that the file ends inside of a packet, and with it the stream.
    mutating func cut(_ values: RoleValues, clock: ClockClass?, file: String) {
        add(
            TraceLoss(
                kind: .packets, count: 1, file: file,
                beginNanoseconds: values.timestampBegin.flatMap { clock?.nanosecondsFromOrigin($0) },
                endNanoseconds: nil, isAtEnd: true))
    }

    /// Ends the stream. Where its last packet tells of discarded records, there was perhaps no later one to tell of more.
    mutating func end() {
        guard isLastPacketLossy, let place = all.lastIndex(where: { $0.kind == .events }) else { return }
        all[place].isAtEnd = true
    }

    private mutating func add(_ loss: TraceLoss) {
        guard all.count >= Self.limit, let place = all.lastIndex(where: { $0.kind == loss.kind }) else {
            return all.append(loss)
        }
        // One that covers the times of both.
        all[place].count = all[place].count.clamped(plus: loss.count)
        all[place].endNanoseconds = loss.endNanoseconds
    }
}
