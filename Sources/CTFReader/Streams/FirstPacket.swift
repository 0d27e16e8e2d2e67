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
