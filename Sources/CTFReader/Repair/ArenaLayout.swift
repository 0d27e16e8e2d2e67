import CArenaLayout

/// The layout of an arena, the shared memory of a recorder. `arena_layout.h` and `packet.h` of `CTraceRecorder` declare
/// it.
enum ArenaLayout {
    static let magic = Array("QSARENA\0".utf8)
    static let version = UInt32(QS_ARENA_VERSION)
    static let unit = QS_UNIT
    static let segment = QS_SEGMENT
    static let segmentUnits = QS_SEGMENT_UNITS
    static let segmentStreams = QS_SEGMENT_STREAMS
    /// Streams with numbers from here on belong to a second recorder in the process.
    static let firstStreamOfLibrary = QS_SHARED_FIRST_STREAM
    static let smallChunk = UInt32(QS_SMALL_CHUNK)
    static let largeChunk = UInt32(QS_LARGE_CHUNK)
    /// Range of the chunk table and the stream records of a segment, in bytes from the start of the segment.
    static let tables = QS_CHUNK_TABLE * unit..<QS_FIRST_SMALL_CHUNK * unit
    static let packetHead = QS_PACKET_HEAD
    static let ownerSize = QS_OWNER_SIZE

    /// Offsets in the head of a packet.
    enum Packet {
        static let magic = UInt32(QS_PACKET_MAGIC)
        static let uuid = QS_PACKET_UUID..<QS_PACKET_UUID + 16
        static let stream = QS_PACKET_STREAM_INSTANCE_ID
        static let begin = QS_PACKET_TIMESTAMP_BEGIN
        static let end = QS_PACKET_TIMESTAMP_END
        static let contentSize = QS_PACKET_CONTENT_SIZE
        static let packetSize = QS_PACKET_PACKET_SIZE
        static let number = QS_PACKET_PACKET_SEQ_NUM
        static let discarded = QS_PACKET_EVENTS_DISCARDED
        static let tid = QS_PACKET_TID
        /// In the arena: number of owners after the first one. In a file: number of events, 0 when not counted.
        static let owners = QS_PACKET_EVENT_COUNT

        /// Whether the bytes start with the head of a packet of the trace with this UUID.
        static func begins(_ bytes: UnsafeRawBufferPointer, of uuid: [UInt8]) -> Bool {
            bytes.number(0, UInt32.self) == magic && bytes[Self.uuid].elementsEqual(uuid)
        }
    }

    /// The head of an arena.
    struct Head {
        var uuid: [UInt8]
        /// Number of segments from the first on whose tables have memory.
        var segments: UInt32
        var firstStream: UInt32
        var lost: UInt64
        /// The time of the newest event that a flight recorder has overwritten in memory, as a clock value; 0: none.
        var overwritten: UInt64
        /// The begin of the flight recorder's window at its last check, as a clock value; 0: none.
        var windowBegin: UInt64
        /// The directory of the trace at the start of the recording.
        var directory: String

        init?(_ bytes: UnsafeRawBufferPointer) {
            guard bytes.count >= unit, bytes.prefix(magic.count).elementsEqual(magic),
                bytes.number(QS_HEAD_VERSION, UInt32.self) == version
            else { return nil }
            uuid = Array(bytes[QS_HEAD_UUID..<QS_HEAD_UUID + 16])
            segments = bytes.number(QS_HEAD_SEGMENTS)
            firstStream = bytes.number(QS_HEAD_FIRST_STREAM)
            lost = bytes.number(QS_HEAD_LOST)
            overwritten = bytes.number(QS_HEAD_OVERWRITTEN)
            windowBegin = bytes.number(QS_HEAD_WINDOW_BEGIN)
            let length = min(bytes.number(QS_HEAD_DIRECTORY_LENGTH, UInt64.self), UInt64(QS_ARENA_DIRECTORY))
            directory = String(decoding: bytes[QS_HEAD_DIRECTORY...].prefix(Int(length)), as: UTF8.self)
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

        /// Offset of its entry in the chunk table, in bytes.
        var entry: Int {
            offset / segment * segment + QS_CHUNK_TABLE * unit + offset % segment / unit * QS_CHUNK_SIZE
        }

        /// Whether an entry of the chunk table belongs to this chunk, and not to another chunk at the same place.
        func has(_ entry: UnsafeRawBufferPointer) -> Bool {
            entry.number(QS_CHUNK_STREAM, UInt32.self) == UInt32(stream + 1)
                && entry.number(QS_CHUNK_ORDER, UInt32.self) == order
        }
    }

    /// The record of a stream.
    struct StreamRecord: Equatable {
        enum Kind {
            case thread, kernel, definitions, definitionsOfLibrary
            /// The stream that shows until when events were overwritten in memory. It has a file and no record.
            case overwritten

            /// - Parameter number: a value of `enum qs_stream_kind`; any other gives nil.
            init?(_ number: UInt32) {
                switch qs_stream_kind(rawValue: number) {
                case QS_STREAM_THREAD: self = .thread
                case QS_STREAM_KERNEL: self = .kernel
                case QS_STREAM_DEFINITIONS: self = .definitions
                case QS_STREAM_DEFINITIONS_OF_LIBRARY: self = .definitionsOfLibrary
                default: return nil
                }
            }
        }

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
            case .overwritten: "overwritten"
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
            let place = number * QS_CHUNK_SIZE
            let stream: UInt32 = bytes.number(place + QS_CHUNK_STREAM)
            let size: UInt32 = bytes.number(place + QS_CHUNK_BYTES)
            guard stream != 0, size == smallChunk || size == largeChunk else { continue }
            chunks.append(
                Chunk(
                    stream: Int(stream) - 1, order: bytes.number(place + QS_CHUNK_ORDER), bytes: size,
                    offset: segment * Self.segment + number * unit))
        }
        var streams: [StreamRecord] = []
        for number in 0..<segmentStreams {
            let place = QS_STREAM_RECORDS * unit - tables.lowerBound + number * QS_RECORD_SIZE
            guard let kind = StreamRecord.Kind(bytes.number(place + QS_RECORD_KIND)) else { continue }
            let committed: UInt32 = bytes.number(place + QS_RECORD_COMMITTED)
            let copied = place + QS_RECORD_COPIED + Int(committed & 1) * QS_COPIED_SIZE
            streams.append(
                StreamRecord(
                    kind: kind, index: segment * segmentStreams + number,
                    discarded: bytes.number(place + QS_RECORD_DISCARDED),
                    fileEnd: bytes.number(copied + QS_COPIED_FILE_END),
                    packets: bytes.number(copied + QS_COPIED_PACKETS), order: bytes.number(copied + QS_COPIED_ORDER),
                    chunkBytes: bytes.number(copied + QS_COPIED_CHUNK_BYTES),
                    lastPacket: bytes.number(copied + QS_COPIED_LAST_PACKET)))
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
