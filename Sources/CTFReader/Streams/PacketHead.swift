/// The header and the context of a packet.
struct PacketHead {
    /// The reason why a packet cannot be read.
    enum Problem {
        /// The magic number is zero: the tracer allocated the packet and did not use it.
        case unused
        /// The packet is damaged. The sentence has no full stop.
        case damaged(CTFError.Code, String)
    }

    private static let magic: UInt64 = 0xC1FC_1FC1
    /// Larger than any file in bits. The limit keeps sums of sizes far from overflow.
    private static let sizeLimit: UInt64 = 1 << 62

    var values = RoleValues()
    var stream: StreamPlan?
    /// Size of header and context in bits.
    var size = 0
    /// Size of the packet and of its content in bits; nil when the trace does not state it.
    var packetSize: Int?
    var contentSize: Int?

    /// Whether the UUID of the packet differs from the UUID of the metadata. babeltrace2 reads such packets too.
    var hasOtherUUID = false

    /// Whether the stated sizes indicate event records after the header.
    var hasContent: Bool { (contentSize ?? 0) > size }

    /// Reads the header and the context.
    ///
    /// - Parameters:
    ///   - base: the start of the packet.
    ///   - room: number of bits from the start of the packet to the end of the file.
    ///   - trace: the trace.
    ///   - stores: receives the values for lengths and tags.
    /// - Returns: nil when the packet can be read.
    mutating func read(
        base: UnsafeRawPointer, room: Int, trace: TracePlan, stores: UnsafeMutablePointer<UInt64>
    ) -> Problem? {
        var walker = FieldWalker(base: base, end: room, position: 0, stores: stores)
        var isUnused = false
        do throws(FieldWalker.Problem) {
            if let header = trace.packetHeader { try walker.skip(header) }
            values = walker.values
            if let magic = values.magic, magic != Self.magic {
                guard magic == 0 else {
                    return .damaged(
                        .badMagic,
                        "Expected a packet, which begins with 0xC1FC1FC1, found 0x"
                            + String(magic, radix: 16, uppercase: true)
                    )
                }
                isUnused = true
            }
            stream = trace.streams.first { $0.id == values.streamID ?? (trace.streams.count == 1 ? $0.id : 0) }
            if let context = stream?.packetContext { try walker.skip(context) }
        } catch {
            // The header is incomplete. If all remaining bytes are zero, they belong to an unused packet.
            let rest = UnsafeRawBufferPointer(start: base, count: room >> 3)
            if isUnused || walker.values.magic == 0 || rest.allSatisfy({ $0 == 0 }) { return .unused }
            return .damaged(.truncatedPacket, "The file ends inside a packet header")
        }
        values = walker.values
        size = walker.position
        contentSize = values.contentSize.map { Int(clamping: min($0, Self.sizeLimit)) }
        // A packet that states only its content size has no padding.
        packetSize = values.packetSize.map { Int(clamping: $0) } ?? contentSize.map { BitField.align($0, 8) }
        if isUnused { return .unused }
        return check(base, trace)
    }

    private mutating func check(_ base: UnsafeRawPointer, _ trace: TracePlan) -> Problem? {
        if let uuid = trace.description.uuid, let position = values.uuid {
            hasOtherUUID = !uuid.elementsEqual(UnsafeRawBufferPointer(start: base + (position >> 3), count: 16))
        }
        guard stream != nil else {
            return .damaged(
                .unknownStream,
                "The packet is of the stream class \(values.streamID ?? 0), which the metadata does not declare")
        }
        if let packet = packetSize {
            guard packet % 8 == 0, packet >= size, packet > 0 else {
                return .damaged(
                    .badPacketSize,
                    "The packet size is \(packet) bits, which is not a multiple of 8 or is less than the header of "
                        + "\(size) bits"
                )
            }
        }
        // A packet without a content size is full.
        if let content = contentSize, content < size || content > packetSize ?? .max {
            return .damaged(
                .badPacketSize,
                "The content size is \(content) of \(packetSize ?? content) bits, which is more than the packet "
                    + "or less than the header of \(size) bits")
        }
        return nil
    }
}

/// The head of the first packet of a data stream file. It identifies the stream and the position of the file in it.
struct FirstPacket: Sendable {
    /// The id of the stream class.
    let streamClass: UInt64
    /// The clock of the stream; nil without a clock.
    let clock: ClockClass?
    let values: RoleValues

    /// Reads the first packet; nil when the file has no packet or its head is damaged.
    init?(of file: MappedFile, in trace: TracePlan) {
        guard file.count > 0 else { return nil }
        var stores = [UInt64](repeating: 0, count: trace.storeCount)
        var head = PacketHead()
        let problem = stores.withUnsafeMutableBufferPointer {
            head.read(base: file.bytes, room: file.count * 8, trace: trace, stores: $0.baseAddress!)
        }
        guard problem == nil, let stream = head.stream else { return nil }
        (streamClass, clock, values) = (stream.id, stream.clock, head.values)
    }
}
