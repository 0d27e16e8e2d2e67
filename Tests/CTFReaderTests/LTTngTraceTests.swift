import CTFReader
import Testing

@Suite("Traces as LTTng writes them")
struct LTTngTraceTests {
    @Test("a header of 5 and 27 bits, an event context and packetised metadata are read")
    func compactHeader() throws {
        let (lines, summary) = try LTTngFixture.trace().read()
        #expect(
            lines == [
                "dispatch:item @134217700 tid=42 n=18446744073709551613 kind=4 text=0 _seq_length=2 seq=0 net=258",
                "dispatch:item @134217733 tid=43 n=7 kind=9 text=0 _seq_length=0 seq=0 net=258",
                "dispatch:item @4294967296 tid=44 n=8 kind=0 text=0 _seq_length=1 seq=0 net=258",
            ])
        #expect(summary.notes.isEmpty)
    }

    @Test("enumerations, texts and sequences of such a trace have their values")
    func values() throws {
        try LTTngFixture.trace().use { path in
            let trace = try CTFTrace(path: path)
            var values: [[CTFValue]] = []
            _ = try trace.forEachEvent { record in values.append((0..<6).map { record.value($0) }) }
            #expect(
                values.first == [
                    .signed(-3, base: 10), .enumeration(bits: 4, isSigned: false, labels: ["range"]), .string("héllo"),
                    .unsigned(2, base: 10), .array([.signed(-1, base: 10), .signed(5, base: 10)]),
                    .unsigned(258, base: 16),
                ])
            #expect(values.last?[1] == .enumeration(bits: 0, isSigned: false, labels: ["async"]))
        }
    }

    @Test("the order of bytes in packetised metadata may be either", arguments: [false, true])
    func metadataPackets(bigEndian: Bool) throws {
        var fixture = LTTngFixture.trace()
        fixture.metadata = LTTngFixture.packets(of: LTTngFixture.metadata, bigEndian: bigEndian)
        #expect(try fixture.read().lines.count == 3)
    }

    @Test("metadata packets need no signature in their text, as LTTng's kernel tracer writes none")
    func metadataWithoutSignature() throws {
        var fixture = LTTngFixture.trace()
        fixture.metadata = LTTngFixture.packets(of: String(LTTngFixture.metadata.dropFirst("/* CTF 1.8 */\n\n".count)))
        let (lines, summary) = try fixture.read()
        #expect(lines.count == 3)
        #expect(summary.notes.isEmpty)
    }

    @Test("a big-endian trace has its bits counted from the other end")
    func bigEndian() throws {
        let metadata = """
            /* CTF 1.8 */
            typealias integer { size = 32; } := u32;
            trace { major = 1; minor = 8; byte_order = be; packet.header := struct { u32 magic; u32 stream_id; }; };
            stream { id = 0; event.header := struct { integer { size = 8; } id; }; };
            event { name = "e"; id = 1; stream_id = 0; fields := struct {
                integer { size = 3; align = 1; } a; integer { size = 13; align = 1; signed = true; } b;
                u32 c; integer { size = 16; byte_order = le; } d; integer { size = 60; align = 1; } f;
                integer { size = 4; align = 1; } g;
            }; };
            """
        let bytes = ByteBuilder.build {
            $0.integer(UInt32(0xC1FC_1FC1), bigEndian: true)
            $0.integer(UInt32(0))
            $0.u8(1, 0b101_11111, 0xFE)
            $0.integer(UInt32(0x0102_0304), bigEndian: true)
            $0.integer(UInt16(0x0506))
            $0.integer(UInt64(0xFEDC_BA98_7654_3213), bigEndian: true)
        }
        let (lines, summary) = try CTFTraceFixture(metadata: metadata, files: [("s", bytes)]).read()
        #expect(
            lines == [
                "e @0 tid=0 a=5 b=18446744073709551614 c=16909060 d=1286 f=1147797409030816545 g=3"
            ])
        #expect(summary.notes.isEmpty)
    }
}

/// A trace with the metadata of LTTng 2.13 and its compact event header.
enum LTTngFixture {
    static let metadata = """
        /* CTF 1.8 */

        typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
        typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
        typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
        typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
        typealias integer { size = 64; align = 8; signed = false; } := unsigned long;
        typealias integer { size = 5; align = 1; signed = false; } := uint5_t;
        typealias integer { size = 27; align = 1; signed = false; } := uint27_t;

        trace {
        \tmajor = 1;
        \tminor = 8;
        \tuuid = "10111213-1415-1617-1819-1a1b1c1d1e1f";
        \tbyte_order = le;
        \tpacket.header := struct {
        \t\tuint32_t magic;
        \t\tuint8_t  uuid[16];
        \t\tuint32_t stream_id;
        \t\tuint64_t stream_instance_id;
        \t};
        };

        env { domain = "ust"; tracer_name = "lttng-ust"; tracer_major = 2; hostname = "vm"; };

        clock {
        \tname = "monotonic";
        \tuuid = "27316e6e-441c-4c39-8a1a-4496aff6dc21";
        \tdescription = "Monotonic Clock";
        \tfreq = 1000000000; /* Frequency, in Hz */
        \t/* clock value offset from Epoch is: offset * (1/freq) */
        \toffset = 1795223833349562382;
        };

        typealias integer {
        \tsize = 27; align = 1; signed = false;
        \tmap = clock.monotonic.value;
        } := uint27_clock_monotonic_t;

        typealias integer {
        \tsize = 64; align = 8; signed = false;
        \tmap = clock.monotonic.value;
        } := uint64_clock_monotonic_t;

        struct packet_context {
        \tuint64_clock_monotonic_t timestamp_begin;
        \tuint64_clock_monotonic_t timestamp_end;
        \tuint64_t content_size;
        \tuint64_t packet_size;
        \tuint64_t packet_seq_num;
        \tunsigned long events_discarded;
        \tuint32_t cpu_id;
        };

        struct event_header_compact {
        \tenum : uint5_t { compact = 0 ... 30, extended = 31 } id;
        \tvariant <id> {
        \t\tstruct {
        \t\t\tuint27_clock_monotonic_t timestamp;
        \t\t} compact;
        \t\tstruct {
        \t\t\tuint32_t id;
        \t\t\tuint64_clock_monotonic_t timestamp;
        \t\t} extended;
        \t} v;
        } align(8);

        stream {
        \tid = 0;
        \tevent.header := struct event_header_compact;
        \tpacket.context := struct packet_context;
        \tevent.context := struct {
        \t\tinteger { size = 32; align = 8; signed = 1; encoding = none; base = 10; } _vtid;
        \t\tinteger { size = 8; align = 8; signed = 1; encoding = UTF8; base = 10; } _procname[17];
        \t};
        };

        event {
        \tname = "dispatch:item";
        \tid = 3;
        \tstream_id = 0;
        \tloglevel = 13;
        \tfields := struct {
        \t\tinteger { size = 32; align = 8; signed = 1; encoding = none; base = 10; } _n;
        \t\tenum : integer { size = 8; align = 8; signed = 0; encoding = none; base = 10; } {
        \t\t\t"async" = 0,
        \t\t\t"sync" = 1,
        \t\t\t"range" = 2 ... 5,
        \t\t} _kind;
        \t\tstring _text;
        \t\tinteger { size = 64; align = 8; signed = 0; encoding = none; base = 10; } __seq_length;
        \t\tinteger { size = 64; align = 8; signed = 1; encoding = none; base = 10; } _seq[ __seq_length ];
        \t\tinteger { size = 16; align = 8; signed = 0; encoding = none; base = 16; byte_order = be; } _net;
        \t};
        };

        """

    /// Metadata in packets of 4 KiB, as written by the session daemon.
    static func packets(of text: String, bigEndian: Bool = false) -> [UInt8] {
        let size = 4096
        let header = 37
        var rest = Array(text.utf8)[...]
        var result: [UInt8] = []
        while !rest.isEmpty {
            let piece = rest.prefix(size - header)
            rest = rest.dropFirst(piece.count)
            result += ByteBuilder.build {
                $0.integer(UInt32(0x75D1_1D57), bigEndian: bigEndian)
                $0.append(CTFTraceFixture.uuid)
                $0.integer(UInt32(0))
                $0.integer(UInt32((header + piece.count) * 8), bigEndian: bigEndian)
                $0.integer(UInt32(size * 8), bigEndian: bigEndian)
                $0.u8(0, 0, 0, 1, 8)
                $0.append(Array(piece))
                $0.pad(to: size)
            }
        }
        return result
    }

    static func trace() -> CTFTraceFixture {
        func payload(_ vtid: Int32, _ n: Int32, _ kind: UInt8, _ text: String, _ seq: [Int64]) -> [UInt8] {
            ByteBuilder.build {
                $0.integer(vtid)
                $0.append(Array("program".utf8) + [UInt8](repeating: 0, count: 10))
                $0.integer(n)
                $0.u8(kind)
                $0.text(text)
                $0.integer(UInt64(seq.count))
                for element in seq { $0.integer(element) }
                $0.integer(UInt16(0x0102), bigEndian: true)
            }
        }
        func compact(_ time: UInt64) -> [UInt8] {
            ByteBuilder.build { $0.integer(UInt32(truncatingIfNeeded: time & 0x7FF_FFFF) << 5 | 3) }
        }
        let extended = ByteBuilder.build {
            $0.u8(31)
            $0.integer(UInt32(3))
            $0.integer(UInt64(0x1_0000_0000))
        }
        let content =
            compact(134_217_700) + payload(42, -3, 4, "héllo", [-1, 5])
            + compact(134_217_733) + payload(43, 7, 9, "", [])
            + extended + payload(44, 8, 0, "x", [2])
        let head = 32 + 52
        let stream = ByteBuilder.build {
            $0.integer(UInt32(0xC1FC_1FC1))
            $0.append(CTFTraceFixture.uuid)
            $0.integer(UInt32(0))
            $0.integer(UInt64(0))
            $0.integer(UInt64(134_217_600))
            $0.integer(UInt64(0x1_0000_0000))
            $0.integer(UInt64(head + content.count) * 8)
            $0.integer(UInt64(4096 * 8))
            $0.integer(UInt64(0))
            $0.integer(UInt64(0))
            $0.integer(UInt32(1))
            $0.append(content)
            $0.pad(to: 4096)
        }
        var fixture = CTFTraceFixture(metadata: "", files: [("channel0_0", stream)])
        fixture.metadata = packets(of: metadata)
        return fixture
    }
}
