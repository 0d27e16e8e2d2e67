/// The layout of an arena, the shared memory of a recorder. `arena.h` and `packet.h` of `CTraceRecorder` declare it.
enum ArenaLayout {
    static let magic = Array("QSARENA\0".utf8)
    static let version: UInt32 = 3
    static let unit = 4096
    static let segment = 1 << 20
    static let segmentUnits = segment / unit
    static let segmentStreams = 128
    /// `QS_SHARED_FIRST_STREAM`: streams with numbers from here on belong to a second recorder in the process.
    static let firstStreamOfLibrary = 10_000
    static let smallChunk: UInt32 = 4096
    static let largeChunk: UInt32 = 64 * 1024
    /// Range of the chunk table and the stream records of a segment, in bytes from the start of the segment.
    static let tables = unit..<4 * unit
    static let packetHead = 88
    static let ownerSize = 16

    /// Offsets in the head of a packet.
    enum Packet {
        static let magic: UInt32 = 0xC1FC_1FC1
        static let begin = 32
        static let end = 40
        static let contentSize = 48
        static let packetSize = 56
        static let number = 64
        static let discarded = 72
        static let tid = 80
        /// In the arena: number of owners after the first one. In a file the field is zero, because the recorder does
        /// not count events.
        static let owners = 84

        /// Whether the bytes start with the head of a packet of the trace with this UUID.
        static func begins(_ bytes: UnsafeRawBufferPointer, of uuid: [UInt8]) -> Bool {
            bytes.number(0, UInt32.self) == magic && bytes[4..<20].elementsEqual(uuid)
        }
    }

    /// The head of an arena.
    struct Head {
        var uuid: [UInt8]
        /// Number of segments from the first on whose tables have memory.
        var segments: UInt32
        var firstStream: UInt32
        var lost: UInt64
        /// The directory of the trace at the start of the recording.
        var directory: String

        init?(_ bytes: UnsafeRawBufferPointer) {
            guard bytes.count >= unit, bytes.prefix(8).elementsEqual(magic), bytes.number(8, UInt32.self) == version
            else { return nil }
            uuid = Array(bytes[16..<32])
            segments = bytes.number(32)
            firstStream = bytes.number(36)
            lost = bytes.number(40)
            let length = Int(clamping: min(bytes.number(48, UInt64.self), 3072))
            directory = String(decoding: bytes[56...].prefix(length), as: UTF8.self)
        }
    }

    /// A chunk that is assigned to a stream.
    struct Chunk {
        /// The index of the stream record.
        var stream: Int
        /// The position among the chunks of the stream.
        var order: UInt32
        /// Size in bytes.
        var bytes: UInt32
        /// Offset in the arena in bytes.
        var offset: Int
    }

    /// The record of a stream.
    struct StreamRecord: Equatable {
        enum Kind: UInt32 { case thread = 1, kernel, definitions, definitionsOfLibrary }

        var kind: Kind
        var index: Int
        var discarded: UInt64
        /// Size of the copied part of the stream, in bytes of its file.
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
    ///   - bytes: the tables of the segment.
    ///   - segment: the number of the segment.
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
