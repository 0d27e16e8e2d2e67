/// Header and context of a packet.
struct PacketHead {
    /// Why there is no packet to read.
    enum Problem {
        /// The magic number is zero: the tracer prepared the packet but never used it.
        case unused
        /// The packet cannot be read; the sentence has no full stop.
        case damaged(CTFError.Code, String)
    }

    private static let magic: UInt64 = 0xC1FC_1FC1
    /// No file has more bits; keeps sums of sizes far from overflow.
    private static let sizeLimit: UInt64 = 1 << 62

    var values = RoleValues()
    var stream: StreamPlan?
    /// Bits of header and context.
    var size = 0
    /// Bits of the packet and of what is written in it; nil when the trace does not say.
    var packetSize: Int?
    var contentSize: Int?

    /// Whether there are event records behind the header, by the sizes that it states.
    var hasContent: Bool { (contentSize ?? 0) > size }

    /// Reads header and context.
    ///
    /// - Parameters:
    ///   - base: the packet's first byte.
    ///   - room: bits from there to the file's end.
    ///   - trace: the trace.
    ///   - stores: where values go that lengths and tags refer to.
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
            // Too few bytes for a header: what is left of an unused packet when they are all zero.
            let rest = UnsafeRawBufferPointer(start: base, count: room >> 3)
            if isUnused || walker.values.magic == 0 || rest.allSatisfy({ $0 == 0 }) { return .unused }
            return .damaged(.truncatedPacket, "The file ends inside of a packet's header")
        }
        values = walker.values
        size = walker.position
        contentSize = values.contentSize.map { Int(clamping: min($0, Self.sizeLimit)) }
        // A packet that states its content only has no padding behind it.
        packetSize = values.packetSize.map { Int(clamping: $0) } ?? contentSize.map { BitField.align($0, 8) }
        if isUnused { return .unused }
        return check(base, trace)
    }

    private mutating func check(_ base: UnsafeRawPointer, _ trace: TracePlan) -> Problem? {
        if let uuid = trace.description.uuid, let position = values.uuid,
            !uuid.elementsEqual(UnsafeRawBufferPointer(start: base + (position >> 3), count: 16))
        {
            return .damaged(.wrongUUID, "The packet belongs to another trace: its UUID is not the metadata's")
        }
        guard stream != nil else {
            return .damaged(
                .unknownStream,
                "The packet is of the stream class \(values.streamID ?? 0), which the metadata does not declare")
        }
        if let packet = packetSize {
            guard packet % 8 == 0, packet >= size, packet > 0 else {
                return .damaged(
                    .badPacketSize, "The packet says that it has \(packet) bits, but its header alone has \(size)")
            }
        }
        // A tracer that does not say how much of the packet is written has filled it.
        if let content = contentSize, content < size || content > packetSize ?? .max {
            return .damaged(
                .badPacketSize,
                "The packet says that \(content) of its \(packetSize ?? content) bits are written, "
                    + "but its header alone has \(size)")
        }
        return nil
    }
}

/// What the head of a data stream file's first packet says: which stream the file has a part of, and which part.
struct FirstPacket: Sendable {
    /// The number of its stream class.
    let streamClass: UInt64
    /// The stream's clock, nil when it has none.
    let clock: ClockClass?
    let values: RoleValues

    /// Reads it; nil for a file without packets, or with a damaged head.
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
