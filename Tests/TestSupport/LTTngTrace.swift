import Foundation

/// Writes traces with the metadata and packet layout of LTTng 2.13: of its userspace tracer with buffers per user,
/// where each record has the id of its process, and of its kernel tracer.
public struct LTTngTrace {
    /// The tracing domains of LTTng.
    public enum Domain {
        case userspace, kernel
    }

    /// The value of a field, in the order of the fields in the event class.
    public enum Value {
        case u8(UInt8)
        case u16(UInt16)
        case u32(UInt32)
        case u64(UInt64)
        case i64(Int64)
        case text(String)
        /// An array of 16 characters, the type of program names in the kernel tracer.
        case name16(String)
    }

    private struct Record {
        var event: UInt32
        var time: UInt64
        var values: [Value]
    }

    private let domain: Domain
    private let host: String
    private let uuid: [UInt8]
    private let clockUUID: String
    private let clockOffset: Int64
    private var records: [Int: [Record]] = [:]
    /// Sequence number of the first packet of each stream.
    public var firstSequenceNumber: UInt64 = 0
    /// Number of discarded records in the last packet.
    public var discarded: UInt64 = 0

    /// - Parameters:
    ///   - domain: the tracer.
    ///   - host: the name of the machine.
    ///   - identity: identifies the trace; chunks of one trace have the same value.
    ///   - boot: tells clocks apart; traces of one boot have the same.
    ///   - clock: the UUID of the clock; nil for a UUID made from `boot`.
    ///   - clockOffset: nanoseconds from the Unix epoch to the clock's zero.
    public init(
        _ domain: Domain, host: String, identity: UInt8, boot: UInt8 = 1, clock: String? = nil,
        clockOffset: Int64 = 1_600_000_000_000_000_000
    ) {
        self.domain = domain
        self.host = host
        uuid = (0..<15).map { 0xA0 + $0 } + [identity]
        clockUUID = clock ?? "00000000-0000-4000-8000-0000000000" + (boot < 16 ? "0" : "") + String(boot, radix: 16)
        self.clockOffset = clockOffset
    }

    /// Adds a record.
    ///
    /// - Parameters:
    ///   - event: the id of the event class in the metadata below.
    ///   - time: the value of the clock.
    ///   - stream: the processor whose stream gets the record.
    ///   - values: the payload.
    public mutating func add(_ event: UInt32, at time: UInt64, stream: Int = 0, _ values: [Value]) {
        records[stream, default: []].append(Record(event: event, time: time, values: values))
    }

    // MARK: Dispatch events

    /// Adds the creation of a serial queue.
    public mutating func queue(
        _ serial: UInt32, _ label: String, at time: UInt64, stream: Int = 0, pid: UInt32, tid: UInt32
    ) {
        add(0, at: time, stream: stream, [.u32(pid), .u32(tid), .u32(serial), .text(label), .u16(1)])
    }

    /// Adds a record that describes a process.
    public mutating func process(_ pid: UInt32, _ name: String, at time: UInt64) {
        add(4, at: time, [.u32(pid), .u32(0), .u32(pid), .text(name), .u8(1), .u8(2), .u16(4)])
    }

    /// Adds the records of an item: enqueue, begin and end.
    public mutating func item(
        _ item: UInt64, on queue: UInt32, enqueued: UInt64, begin: UInt64, end: UInt64, pid: UInt32, tid: UInt32,
        from caller: UInt32, stream: Int = 0
    ) {
        add(1, at: enqueued, stream: stream, [.u32(pid), .u32(caller), .u64(item), .u32(queue)])
        add(2, at: begin, stream: stream, [.u32(pid), .u32(tid), .u64(item), .u32(queue)])
        add(3, at: end, stream: stream, [.u32(pid), .u32(tid), .u64(item)])
    }

    // MARK: Kernel events

    /// Adds a switch of a processor from one thread to another; thread 0 is the idle loop.
    public mutating func sched(
        from previous: UInt32, state: Int64, to next: UInt32, at time: UInt64, processor: Int = 0
    ) {
        add(
            0, at: time, stream: processor,
            [.name16("previous"), .u32(previous), .u32(20), .i64(state), .name16("next"), .u32(next), .u32(20)])
    }

    /// Adds the wake-up of a thread.
    public mutating func wakeup(_ tid: UInt32, at time: UInt64, processor: Int = 0) {
        add(1, at: time, stream: processor, [.name16("woken"), .u32(tid), .u32(20), .u32(UInt32(processor))])
    }

    // MARK: Files

    /// Writes the trace's directory, and its parent directories.
    public func write(to directory: String) throws {
        try FileManager.default.createDirectory(atPath: directory + "/index", withIntermediateDirectories: true)
        let text = domain == .kernel ? metadataPackets : Array(metadata.utf8)
        try Data(text).write(to: URL(fileURLWithPath: directory + "/metadata"))
        // Index files are not data streams.
        try Data([0xC1, 0xF1, 0xDC, 0xC1]).write(to: URL(fileURLWithPath: directory + "/index/channel0_0.idx"))
        for (stream, records) in records {
            let file = URL(fileURLWithPath: "\(directory)/channel0_\(stream)")
            try Data(packet(records.sorted { $0.time < $1.time }, stream: stream)).write(to: file)
        }
    }

    private func packet(_ records: [Record], stream: Int) -> [UInt8] {
        var content: [UInt8] = []
        for record in records {
            // Extended event header: 31 in five bits, then id and time from the next byte on.
            content.append(31)
            Self.append(record.event, to: &content)
            Self.append(record.time, to: &content)
            for value in record.values { Self.append(value, to: &content) }
        }
        var packet: [UInt8] = []
        Self.append(UInt32(0xC1FC_1FC1), to: &packet)
        packet += uuid
        Self.append(UInt32(0), to: &packet)
        Self.append(UInt64(stream), to: &packet)
        Self.append(records.first?.time ?? 0, to: &packet)
        Self.append(records.last?.time ?? 0, to: &packet)
        let head = packet.count + 5 * 8 - 8 + 4
        Self.append(UInt64(head + content.count) * 8, to: &packet)
        Self.append(UInt64(head + content.count) * 8, to: &packet)
        Self.append(firstSequenceNumber, to: &packet)
        Self.append(discarded, to: &packet)
        Self.append(UInt32(stream), to: &packet)
        return packet + content
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }

    private static func append(_ value: Value, to bytes: inout [UInt8]) {
        switch value {
        case .u8(let value): append(value, to: &bytes)
        case .u16(let value): append(value, to: &bytes)
        case .u32(let value): append(value, to: &bytes)
        case .u64(let value): append(value, to: &bytes)
        case .i64(let value): append(value, to: &bytes)
        case .text(let text): bytes += Array(text.utf8) + [0]
        case .name16(let text): bytes += (Array(text.utf8) + Array(repeating: 0, count: 16)).prefix(16)
        }
    }

    // MARK: Metadata

    /// The metadata in packets of 4 KiB. The kernel tracer's text has no signature.
    private var metadataPackets: [UInt8] {
        let (size, head) = (4096, 37)
        var rest = Array(metadata.utf8.dropFirst("/* CTF 1.8 */\n".utf8.count))[...]
        var packets: [UInt8] = []
        while !rest.isEmpty {
            let content = rest.prefix(size - head)
            rest = rest.dropFirst(content.count)
            Self.append(UInt32(0x75D1_1D57), to: &packets)
            packets += uuid
            Self.append(UInt32(0), to: &packets)
            Self.append(UInt32(head + content.count) * 8, to: &packets)
            Self.append(UInt32(size) * 8, to: &packets)
            // No compression, encryption or checksum; CTF 1.8.
            packets += [0, 0, 0, 1, 8] + content + Array(repeating: 0, count: size - head - content.count)
        }
        return packets
    }

    private var metadata: String {
        let hex = uuid.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { hex[$0].joined() }.joined(separator: "-")
        return """
            /* CTF 1.8 */
            typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
            typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
            typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
            typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
            typealias integer { size = 64; align = 8; signed = false; } := unsigned long;
            typealias integer { size = 5; align = 1; signed = false; } := uint5_t;
            typealias integer { size = 27; align = 1; signed = false; } := uint27_t;
            trace {
                major = 1; minor = 8; uuid = "\(groups)"; byte_order = le;
                packet.header := struct {
                    uint32_t magic; uint8_t uuid[16]; uint32_t stream_id; uint64_t stream_instance_id;
                };
            };
            env {
                \(environment)
            };
            clock {
                name = "monotonic"; uuid = "\(clockUUID)"; description = "Monotonic Clock"; freq = 1000000000;
                offset = \(clockOffset);
            };
            typealias integer { size = 27; align = 1; signed = false; map = clock.monotonic.value; }
                := uint27_clock_monotonic_t;
            typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; }
                := uint64_clock_monotonic_t;
            struct packet_context {
                uint64_clock_monotonic_t timestamp_begin; uint64_clock_monotonic_t timestamp_end;
                uint64_t content_size; uint64_t packet_size; uint64_t packet_seq_num; unsigned long events_discarded;
                uint32_t cpu_id;
            };
            struct event_header_compact {
                enum : uint5_t { compact = 0 ... 30, extended = 31 } id;
                variant <id> {
                    struct { uint27_clock_monotonic_t timestamp; } compact;
                    struct { uint32_t id; uint64_clock_monotonic_t timestamp; } extended;
                } v;
            } align(8);
            stream { id = 0; event.header := struct event_header_compact; packet.context := struct packet_context; };
            \(domain == .kernel ? Self.kernelEvents : Self.dispatchEvents)
            """
    }

    private var environment: String {
        switch domain {
        case .kernel:
            """
            hostname = "\(host)"; domain = "kernel"; sysname = "Linux"; kernel_release = "6.1.0"; kernel_version = "#1";
                tracer_name = "lttng-modules"; tracer_major = 2; tracer_minor = 13; tracer_patchlevel = 9;
            """
        case .userspace:
            """
            domain = "ust"; tracer_name = "lttng-ust"; tracer_major = 2; tracer_minor = 13;
                tracer_buffering_scheme = "uid"; tracer_buffering_id = 1000; architecture_bit_width = 64;
                trace_name = "services"; hostname = "\(host)";
            """
        }
    }

    private static let dispatchEvents = """
        event { name = "dispatch:queue_create"; id = 0; stream_id = 0; loglevel = 6; fields := struct {
            uint32_t _vpid; uint32_t _vtid; uint32_t _queue; string _label; uint16_t _width; }; };
        event { name = "dispatch:item_enqueue"; id = 1; stream_id = 0; loglevel = 14; fields := struct {
            uint32_t _vpid; uint32_t _vtid; uint64_t _item; uint32_t _queue; }; };
        event { name = "dispatch:item_begin"; id = 2; stream_id = 0; loglevel = 14; fields := struct {
            uint32_t _vpid; uint32_t _vtid; uint64_t _item; uint32_t _queue; }; };
        event { name = "dispatch:item_end"; id = 3; stream_id = 0; loglevel = 14; fields := struct {
            uint32_t _vpid; uint32_t _vtid; uint64_t _item; }; };
        event { name = "dispatch:process_state"; id = 4; stream_id = 0; loglevel = 6; fields := struct {
            uint32_t _vpid; uint32_t _vtid; uint32_t _pid; string _name; uint8_t _schema_major; uint8_t _schema_minor;
            uint16_t _processors; }; };
        """

    private static let kernelEvents = """
        event { name = "sched_switch"; id = 0; stream_id = 0; fields := struct {
            integer { size = 8; align = 8; signed = 1; encoding = UTF8; base = 10; } _prev_comm[16];
            integer { size = 32; align = 8; signed = 1; encoding = none; base = 10; } _prev_tid;
            integer { size = 32; align = 8; signed = 1; encoding = none; base = 10; } _prev_prio;
            integer { size = 64; align = 8; signed = 1; encoding = none; base = 10; } _prev_state;
            integer { size = 8; align = 8; signed = 1; encoding = UTF8; base = 10; } _next_comm[16];
            integer { size = 32; align = 8; signed = 1; encoding = none; base = 10; } _next_tid;
            integer { size = 32; align = 8; signed = 1; encoding = none; base = 10; } _next_prio; }; };
        event { name = "sched_wakeup"; id = 1; stream_id = 0; fields := struct {
            integer { size = 8; align = 8; signed = 1; encoding = UTF8; base = 10; } _comm[16];
            integer { size = 32; align = 8; signed = 1; encoding = none; base = 10; } _tid;
            integer { size = 32; align = 8; signed = 1; encoding = none; base = 10; } _prio;
            integer { size = 32; align = 8; signed = 1; encoding = none; base = 10; } _target_cpu; }; };
        """
}
