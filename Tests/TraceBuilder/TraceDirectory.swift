import DispatchModel
import Foundation
import TraceSchema

/// Writes events as a trace directory: generated metadata, and a stream file for each thread.
///
/// The fields of a record come from the catalogue, so the directory tests both the catalogue and the decoders.
public enum TraceDirectory {
    /// Maximum number of records in a packet.
    private static let packetLength = 64

    /// - Parameters:
    ///   - events: the events in order of time. The events of a thread keep their order.
    ///   - path: the directory to create.
    ///   - isCompact: whether the records have the compact header with the low half of the clock, as written by the
    ///     recorder.
    ///   - process: the number that distinguishes the processes of several traces.
    ///   - environment: additional text of the environment block, such as `backend = "ring";`.
    ///   - discarded: the number of discarded records that a packet of a stream states, by the number of the
    ///     packet.
    ///   - name: the file name of a stream, by its index in the order of the thread ids. It changes the order of the
    ///     directory.
    /// - Throws: when the directory cannot be written.
    public static func write(
        _ events: [TimedEvent], to path: String, isCompact: Bool = false, process: UInt8 = 0,
        environment: String = "", discarded: (Int) -> UInt64 = { _ in 0 }, name: (Int) -> String
    ) throws {
        let directory = URL(filePath: path)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data(metadata(of: process, environment).utf8).write(to: directory.appending(path: "metadata"))
        let streams = Dictionary(grouping: events, by: \.tid).sorted { $0.key < $1.key }
        for (number, stream) in streams.enumerated() {
            var bytes: [UInt8] = []
            for (sequence, begin) in stride(from: 0, to: stream.value.count, by: packetLength).enumerated() {
                let records = stream.value[begin..<min(begin + packetLength, stream.value.count)]
                bytes += packet(
                    Array(records), tid: stream.key, instance: number, sequence: sequence,
                    discarded: discarded(number), isCompact: isCompact, process: process)
            }
            try Data(bytes).write(to: directory.appending(path: name(number)))
        }
    }

    // MARK: Streams

    private static func packet(
        _ events: [TimedEvent], tid: UInt32, instance: Int, sequence: Int, discarded: UInt64, isCompact: Bool,
        process: UInt8
    ) -> [UInt8] {
        let content = events.flatMap { record($0, isCompact: isCompact) }
        var bytes: [UInt8] = []
        append(UInt32(0xC1FC_1FC1), to: &bytes)
        bytes += (0x10..<0x1f).map { $0 } + [0x1f + process]
        append(UInt32(0), to: &bytes)
        append(UInt64(instance), to: &bytes)
        append(UInt64(events[0].time.nanoseconds), to: &bytes)
        append(UInt64(events[events.count - 1].time.nanoseconds), to: &bytes)
        // The size of the head up to this point, and the five fields that follow.
        let bits = UInt64(bytes.count + 36 + content.count) * 8
        append(bits, to: &bytes)
        append(bits, to: &bytes)
        append(UInt64(sequence), to: &bytes)
        append(discarded, to: &bytes)
        append(tid, to: &bytes)
        return bytes + content
    }

    private static func record(_ event: TimedEvent, isCompact: Bool) -> [UInt8] {
        let (label, payload) = Mirror(reflecting: event.event).children.first!
        let kind = EventCatalogue.event(named: snakeCase(label!))!
        var bytes: [UInt8] = [isCompact ? kind.id : 255]
        if isCompact {
            append(UInt32(truncatingIfNeeded: event.time.nanoseconds), to: &bytes)
        } else {
            append(UInt32(kind.id), to: &bytes)
            append(UInt64(event.time.nanoseconds), to: &bytes)
        }
        for (field, child) in zip(kind.fields, Mirror(reflecting: payload).children) {
            append(child.value, as: field.type, to: &bytes)
        }
        return bytes
    }

    private static func append(_ value: Any, as type: EventField.FieldType, to bytes: inout [UInt8]) {
        switch value {
        case let text as String: bytes += Array(text.utf8) + [0]
        case let addresses as [UInt64]:
            append(UInt16(addresses.count), to: &bytes)
            for address in addresses { append(address, as: .u48, to: &bytes) }
        case let number as UInt64 where type == .u48:
            withUnsafeBytes(of: number.littleEndian) { bytes += $0.prefix(6) }
        case let number as any FixedWidthInteger: append(number, to: &bytes)
        case let enumeration as any RawRepresentable: append(enumeration.rawValue as! UInt8, to: &bytes)
        default: preconditionFailure("the catalogue has no such field: \(value)")
        }
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    // MARK: Metadata

    private static func metadata(of process: UInt8, _ environment: String) -> String {
        let version = SchemaVersion.current
        let uuid = "10111213-1415-1617-1819-1a1b1c1d1e" + String(0x1f + process, radix: 16)
        return """
            /* CTF 1.8 */
            typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
            typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
            typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
            typealias integer { size = 48; align = 8; signed = false; } := uint48_t;
            typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
            typealias integer { size = 64; align = 8; signed = true; } := int64_t;
            trace {
                major = 1; minor = 8; uuid = "\(uuid)"; byte_order = le;
                packet.header := struct {
                    uint32_t magic; uint8_t uuid[16]; uint32_t stream_id; uint64_t stream_instance_id;
                };
            };
            env {
                hostname = "host"; domain = "ust"; procname = "App"; vpid = \(77 + Int(process));
                tracer_name = "queuescope";
                schema_major = \(version.major); schema_minor = \(version.minor); processors = 2;
                \(environment)
            };
            clock { name = "monotonic"; freq = 1000000000; offset_s = 1600000000; offset = 0; };
            typealias integer { size = 32; align = 8; map = clock.monotonic.value; } := uint32_clock_t;
            typealias integer { size = 64; align = 8; map = clock.monotonic.value; } := uint64_clock_t;
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

            """ + EventCatalogue.events.map(declaration).joined(separator: "\n")
    }

    private static func declaration(of event: EventClass) -> String {
        let fields = event.fields.map { field in
            switch field.type {
            case .u8, .enumeration: "uint8_t \(field.name);"
            case .u16: "uint16_t \(field.name);"
            case .u32: "uint32_t \(field.name);"
            case .u48: "uint48_t \(field.name);"
            case .u64: "uint64_t \(field.name);"
            case .i64: "int64_t \(field.name);"
            case .string: "string \(field.name);"
            case .addresses: "uint16_t _\(field.name)_length; uint48_t \(field.name)[_\(field.name)_length];"
            }
        }
        return "event { name = \"\(EventCatalogue.provider):\(event.name)\"; id = \(event.id); stream_id = 0; "
            + "fields := struct { \(fields.joined(separator: " ")) }; };"
    }

    private static func snakeCase(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
    }
}
