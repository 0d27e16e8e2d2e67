import CTFReader
import Foundation

/// A handmade trace, which is written to a temporary directory during a test.
struct CTFTraceFixture {
    var metadata: [UInt8]
    var files: [(name: String, bytes: [UInt8])]

    init(metadata: String = CTFTraceFixture.metadata(), files: [(name: String, bytes: [UInt8])] = []) {
        self.metadata = Array(metadata.utf8)
        self.files = files
    }

    /// Runs `body` with the path of the trace.
    func use<T>(_ body: (String) throws -> T) throws -> T {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("ctf-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try write(metadata, to: "\(path)/metadata")
        for file in files { try write(file.bytes, to: "\(path)/\(file.name)") }
        return try body(path)
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// Reads all records as text, the summary, and the notes with paths relative to the trace.
    func read() throws -> (lines: [String], summary: ReadSummary) {
        try use { path in
            let trace = try CTFTrace(path: path)
            var lines: [String] = []
            var summary = try trace.forEachEvent { record in
                let event = trace.eventClasses[record.classIndex]
                let fields = event.fields.indices.map { "\(event.fields[$0].name)=\(record.unsigned($0))" }
                lines.append(
                    ([event.name, "@\(record.clockValue)", "tid=\(record.packetTID)"] + fields)
                        .joined(separator: " "))
            }
            for index in summary.notes.indices {
                summary.notes[index].file = summary.notes[index].file.replacingOccurrences(of: "\(path)/", with: "")
            }
            return (lines, summary)
        }
    }

    // MARK: The usual trace

    static let uuid: [UInt8] = (0..<16).map { 0x10 + UInt8($0) }

    /// Metadata as written by the recorder: one stream class with a compact header of one byte and 32 bits.
    static func metadata(frequency: UInt64 = 1_000_000_000, events: String = CTFTraceFixture.events) -> String {
        """
        /* CTF 1.8 */
        typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
        typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
        typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
        typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
        typealias integer { size = 48; align = 8; signed = false; base = 16; } := hex48_t;
        trace {
            major = 1; minor = 8; uuid = "10111213-1415-1617-1819-1a1b1c1d1e1f"; byte_order = le;
            packet.header := struct {
                uint32_t magic; uint8_t uuid[16]; uint32_t stream_id; uint64_t stream_instance_id;
            };
        };
        env { hostname = "host"; procname = "program"; vpid = 7; schema_major = 1; };
        clock { name = "monotonic"; freq = \(frequency); offset_s = 1600000000; offset = 5; };
        typealias integer { size = 32; align = 8; signed = false; map = clock.monotonic.value; } := uint32_clock_t;
        typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := uint64_clock_t;
        struct event_header {
            enum : uint8_t { compact = 0 ... 254, extended = 255 } id;
            variant <id> {
                struct { uint32_clock_t timestamp; } compact;
                struct { uint32_t id; uint64_clock_t timestamp; } extended;
            } v;
        };
        stream {
            id = 0;
            event.header := struct event_header;
            packet.context := struct {
                uint64_clock_t timestamp_begin; uint64_clock_t timestamp_end; uint64_t content_size;
                uint64_t packet_size; uint64_t packet_seq_num; uint64_t events_discarded; uint32_t tid;
            };
        };
        \(events)
        """
    }

    static let events = """
        event { name = "item"; id = 1; stream_id = 0; fields := struct { hex48_t item; uint32_t queue; }; };
        event {
            name = "label"; id = 2; stream_id = 0;
            fields := struct { uint32_t queue; string label; uint16_t width; };
        };
        event {
            name = "stack"; id = 3; stream_id = 0;
            fields := struct { uint32_t stack; uint16_t _frames_length; hex48_t frames[_frames_length]; uint8_t last; };
        };
        """
}

/// Builds a packet of this trace.
struct PacketBuilder {
    static let headSize = 84

    var magic: UInt32 = 0xC1FC_1FC1
    var uuid = CTFTraceFixture.uuid
    var streamID: UInt32 = 0
    var instance: UInt64 = 1
    var begin: UInt64 = 0
    var end: UInt64 = 0
    var sequence: UInt64 = 0
    var discarded: UInt64 = 0
    var tid: UInt32 = 100
    /// The content size in bits to write; nil for the actual size.
    var contentSize: UInt64?
    var packetSize: UInt64?
    /// Minimum size of the packet in bytes.
    var minimumSize = 0
    var events: [[UInt8]] = []

    mutating func item(_ item: UInt64, at time: UInt64) {
        events.append(
            ByteBuilder.build {
                $0.u8(1)
                $0.integer(UInt32(truncatingIfNeeded: time))
                $0.integer(UInt32(truncatingIfNeeded: item))
                $0.integer(UInt16(truncatingIfNeeded: item >> 32))
                $0.integer(UInt32(17))
            })
    }

    mutating func extendedItem(_ item: UInt64, at time: UInt64, id: UInt32 = 1) {
        events.append(
            ByteBuilder.build {
                $0.u8(255)
                $0.integer(id)
                $0.integer(time)
                $0.integer(UInt32(truncatingIfNeeded: item))
                $0.integer(UInt16(truncatingIfNeeded: item >> 32))
                $0.integer(UInt32(17))
            })
    }

    mutating func label(_ label: [UInt8], at time: UInt64) {
        events.append(
            ByteBuilder.build {
                $0.u8(2)
                $0.integer(UInt32(truncatingIfNeeded: time))
                $0.integer(UInt32(9))
                $0.append(label + [0])
                $0.integer(UInt16(1))
            })
    }

    mutating func stack(_ frames: [UInt64], at time: UInt64, length: UInt16? = nil) {
        events.append(
            ByteBuilder.build {
                $0.u8(3)
                $0.integer(UInt32(truncatingIfNeeded: time))
                $0.integer(UInt32(5))
                $0.integer(length ?? UInt16(frames.count))
                for frame in frames {
                    $0.integer(UInt32(truncatingIfNeeded: frame))
                    $0.integer(UInt16(truncatingIfNeeded: frame >> 32))
                }
                $0.u8(0xEE)
            })
    }

    var bytes: [UInt8] {
        let content = events.flatMap { $0 }
        let size = max(Self.headSize + content.count, minimumSize)
        return ByteBuilder.build {
            $0.integer(magic)
            $0.append(uuid)
            $0.integer(streamID)
            $0.integer(instance)
            $0.integer(begin)
            $0.integer(end)
            $0.integer(contentSize ?? UInt64(Self.headSize + content.count) * 8)
            $0.integer(packetSize ?? UInt64(size) * 8)
            $0.integer(sequence)
            $0.integer(discarded)
            $0.integer(tid)
            $0.append(content)
            $0.append([UInt8](repeating: 0, count: size - Self.headSize - content.count))
        }
    }

    /// Returns the bytes of a packet that `body` fills.
    static func build(_ body: (inout PacketBuilder) -> Void) -> [UInt8] {
        var packet = PacketBuilder()
        body(&packet)
        return packet.bytes
    }
}

extension DeclaredTrace {
    /// The trace as a fixture.
    var fixture: CTFTraceFixture { CTFTraceFixture(metadata: metadata, files: streamFiles) }
}
