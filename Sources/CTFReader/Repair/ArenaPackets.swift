import CArenaLayout

/// The events of a chunk that are not in the stream's file yet: one packet for each owner of the stream.
struct ArenaPackets {
    struct Part {
        var range: Range<Int>
        var tid: UInt32
        /// A lower bound of the time of the first event; nil to use the end of the previous packet.
        var begin: UInt64?
        var end: UInt64
    }

    private typealias Head = ArenaLayout.Packet

    let chunk: [UInt8]
    private(set) var parts: [Part]
    private let hasHead: Bool

    init(_ chunk: [UInt8], uuid: [UInt8], copied: Int) {
        self.chunk = chunk
        hasHead = chunk.withUnsafeBytes { Head.begins($0, of: uuid) }
        parts = chunk.withUnsafeBytes { Self.parts(of: $0, uuid: uuid, copied: copied) }
    }

    /// Adds a packet without events, so that the file has a packet head to hold the number of discarded events.
    mutating func addEmptyPart() {
        guard hasHead else { return }
        let (tid, begin): (UInt32, UInt64) = chunk.withUnsafeBytes { ($0.number(Head.tid), $0.number(Head.begin)) }
        let end = ArenaLayout.packetHead
        parts.append(Part(range: end..<end, tid: tid, begin: begin, end: begin))
    }

    private static func parts(of bytes: UnsafeRawBufferPointer, uuid: [UInt8], copied: Int) -> [Part] {
        let content = Int(bytes.number(Head.contentSize, UInt32.self) / 8)
        let end: UInt64 = bytes.number(Head.end)
        let owners = Int(bytes.number(Head.owners, UInt32.self))
        let ownersBegin = bytes.count - owners * ArenaLayout.ownerSize
        // A kill during a store leaves a prefix of the recorder's data. Stray pointers of the program can leave any
        // data.
        guard Head.begins(bytes, of: uuid), owners <= 4096, content >= copied, content <= ownersBegin else {
            return []
        }
        var parts: [Part] = []
        var from = copied
        var tid: UInt32 = bytes.number(Head.tid)
        var begin: UInt64? = copied == ArenaLayout.packetHead ? bytes.number(Head.begin) : nil
        for number in 0..<owners {
            let place = bytes.count - (number + 1) * ArenaLayout.ownerSize
            let offset = Int(bytes.number(place + QS_OWNER_OFFSET, UInt16.self))
            let time: UInt64 = bytes.number(place + QS_OWNER_TIME)
            guard offset <= content else { break }
            if offset > from {
                parts.append(Part(range: from..<offset, tid: tid, begin: begin, end: time))
                from = offset
            }
            tid = bytes.number(place + QS_OWNER_TID)
            begin = time
        }
        if content > from { parts.append(Part(range: from..<content, tid: tid, begin: begin, end: end)) }
        return parts
    }
}
