/// The losses of a data stream file, from its packet headers: discarded event records and missing packets.
///
/// ```
///   packet        │ 0 ········ │ 1 ········ │ 4 ········ │
///   discarded     0            3            3            3
///   losses         └ 3 records ┘             ↑
///                               └ 2 packets ─┘
/// ```
struct StreamLosses {
    /// Further losses of a file are merged into the last one.
    private static let limit = 100

    /// The losses in the order of the packets.
    private(set) var all: [TraceLoss] = []
    /// Number of packets that are missing between the packets of the file.
    private(set) var packets = 0
    /// Number of discarded event records up to the end of the current packet.
    private(set) var discarded: UInt64 = 0
    /// The sequence number of the file's first packet; larger than 0 when the stream started in another file.
    private(set) var firstSequenceNumber: UInt64 = 0

    /// The clock value at the start of the file's first packet.
    private(set) var begin: UInt64?
    /// The sequence number of the previous packet.
    private(set) var lastSequenceNumber: UInt64?
    /// The tracer's counter of discarded records at the previous packet. The counter wraps around.
    private var lastCount: UInt64 = 0
    /// The clock value at the end of the previous packet.
    private(set) var lastEnd: UInt64?
    private var hasPackets = false
    /// Whether the first loss covers the whole stream before this file, and the first packet.
    private var hasEarlier = false
    private var isLastPacketLossy = false

    /// The losses without the loss before this file, for streams whose earlier files are also read.
    var own: ArraySlice<TraceLoss> { hasEarlier ? all.dropFirst() : all[...] }

    /// Adds the header and context of the next packet.
    ///
    /// - Parameters:
    ///   - values: the values of the header and the context.
    ///   - clock: the clock of the stream.
    ///   - file: the path of the file.
    ///   - isRepeated: whether another piece of the trace has the packet too. That piece counts the losses of the
    ///     packet.
    /// - Returns: the number of packets that are missing before this packet.
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
            // A smaller count has wrapped around. It is wrong when the difference would be more than half of the range.
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

    /// Starts after a packet that is not read. Losses up to its end are not counted.
    mutating func pass(_ values: RoleValues) {
        lastSequenceNumber = values.sequenceNumber
        lastCount = values.discarded?.count ?? 0
        lastEnd = values.timestampEnd
        firstSequenceNumber = values.sequenceNumber ?? 0
        begin = values.timestampBegin
        hasPackets = true
    }

    /// Adds the loss of a file that ends inside a packet.
    mutating func cut(_ values: RoleValues, clock: ClockClass?, file: String) {
        add(
            TraceLoss(
                kind: .packets, count: 1, file: file,
                beginNanoseconds: values.timestampBegin.flatMap { clock?.nanosecondsFromOrigin($0) },
                endNanoseconds: nil, isAtEnd: true))
    }

    /// Ends the stream. If the last packet reports discarded records, later ones may have been lost without a packet
    /// that reports them.
    mutating func end() {
        guard isLastPacketLossy, let place = all.lastIndex(where: { $0.kind == .events }) else { return }
        all[place].isAtEnd = true
    }

    private mutating func add(_ loss: TraceLoss) {
        guard all.count >= Self.limit, let place = all.lastIndex(where: { $0.kind == loss.kind }) else {
            return all.append(loss)
        }
        // One loss that covers both times.
        all[place].count = all[place].count.clamped(plus: loss.count)
        all[place].endNanoseconds = loss.endNanoseconds
    }
}
