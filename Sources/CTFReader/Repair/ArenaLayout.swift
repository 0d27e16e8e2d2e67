/// Where things lie in an arena, the memory of a recorder: what `arena.h` and `packet.h` of `CTraceRecorder` declare.
enum ArenaLayout {
    static let magic = Array("QSARENA\0".utf8)
    static let version: UInt32 = 2
    static let unit = 4096
    static let segment = 1 << 20
    static let segmentUnits = segment / unit
    static let segmentStreams = 128
    /// `QS_SHARED_FIRST_STREAM`: numbers from here on are also those of a second recorder in the process.
    static let firstStreamOfLibrary = 10_000
    static let smallChunk: UInt32 = 4096
    static let largeChunk: UInt32 = 64 * 1024
    /// Chunk table and stream records of a segment, in bytes from its begin.
    static let tables = unit..<4 * unit
    static let packetHead = 88
    static let ownerSize = 16

    /// Offsets in a packet's head.
    enum Packet {
        static let begin = 32
        static let end = 40
        static let contentSize = 48
        static let packetSize = 56
        static let number = 64
        static let discarded = 72
        static let tid = 80
        /// In the arena: how many owners came after the first. In a file it is zero, as events are not counted.
        static let owners = 84

        /// Whether bytes begin with the head of a packet of the trace with this identity.
        static func begins(_ bytes: UnsafeRawBufferPointer, of uuid: [UInt8]) -> Bool {
            bytes.number(0, UInt32.self) == 0xC1FC_1FC1 && bytes[4..<20].elementsEqual(uuid)
        }
    }

    /// The arena's first bytes.
    struct Head {
        var uuid: [UInt8]
        var firstStream: UInt32
        var lost: UInt64
        /// The trace's directory when the recording began.
        var directory: String

        init?(_ bytes: UnsafeRawBufferPointer) {
            guard bytes.count >= unit, bytes.prefix(8).elementsEqual(magic), bytes.number(8, UInt32.self) == version
            else { return nil }
            uuid = Array(bytes[16..<32])
            firstStream = bytes.number(36)
            lost = bytes.number(40)
            let length = Int(clamping: min(bytes.number(48, UInt64.self), 3072))
            directory = String(decoding: bytes[56...].prefix(length), as: UTF8.self)
        }
    }

    /// A chunk that a stream has.
    struct Chunk {
        /// The index of the stream's record.
        var stream: Int
        /// Its place among the stream's chunks.
        var order: UInt32
        /// Its size in bytes.
        var bytes: UInt32
        /// Its place in the arena.
        var offset: Int
    }

    /// What there is to know of a stream.
    struct StreamRecord {
        enum Kind: UInt32 { case thread = 1, kernel, definitions, definitionsOfLibrary }

        var kind: Kind
        var index: Int
        var discarded: UInt64
        /// How far it was copied.
        var fileEnd: UInt64
        var packets: UInt32
        var order: UInt32
        var chunkBytes: UInt32
        var lastPacket: UInt32

        var isDefinitions: Bool { kind == .definitions || kind == .definitionsOfLibrary }

        func fileName(firstStream: UInt32) -> String {
            let number = String(UInt64(firstStream) + UInt64(index))
            let padded = String(repeating: "0", count: max(0, 4 - number.count)) + number
            return switch kind {
            case .thread: "thread-\(padded)"
            case .kernel: "kernel-\(padded)"
            case .definitions: "definitions"
            case .definitionsOfLibrary: "definitions-of-library"
            }
        }
    }

    /// Decodes the tables of one segment.
    ///
    /// - Parameters:
    ///   - bytes: the segment's tables.
    ///   - segment: its number.
    static func decode(_ bytes: UnsafeRawBufferPointer, segment: Int) -> (chunks: [Chunk], streams: [StreamRecord]) {
        var chunks: [Chunk] = []
        for number in 0..<segmentUnits {
            let stream: UInt32 = bytes.number(number * 16)
            let size: UInt32 = bytes.number(number * 16 + 8)
            guard stream != 0, size == smallChunk || size == largeChunk else { continue }
            let offset = segment * Self.segment + number * unit
            chunks.append(
                Chunk(stream: Int(stream) - 1, order: bytes.number(number * 16 + 4), bytes: size, offset: offset))
        }
        var streams: [StreamRecord] = []
        for number in 0..<segmentStreams {
            let place = unit + number * 64
            guard let kind = StreamRecord.Kind(rawValue: bytes.number(place)) else { continue }
            let committed: UInt32 = bytes.number(place + 4)
            let copied = place + 16 + Int(committed & 1) * 24
            streams.append(
                StreamRecord(
                    kind: kind, index: segment * segmentStreams + number, discarded: bytes.number(place + 8),
                    fileEnd: bytes.number(copied), packets: bytes.number(copied + 8), order: bytes.number(copied + 12),
                    chunkBytes: bytes.number(copied + 16), lastPacket: bytes.number(copied + 20)))
        }
        return (chunks, streams)
    }
}

extension UnsafeRawBufferPointer {
    func number<T: FixedWidthInteger>(_ offset: Int, _ type: T.Type = T.self) -> T {
        T(littleEndian: loadUnaligned(fromByteOffset: offset, as: T.self))
    }
}

extension UnsafeMutableRawBufferPointer {
    func store<T: FixedWidthInteger>(_ value: T, at offset: Int) {
        storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
    }
}
