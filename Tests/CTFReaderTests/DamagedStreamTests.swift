import CTFReader
import Testing

/// A damaged stream file, the number of records to read and the expected note.
struct DamagedStream: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var bytes: [UInt8]
    var events: Int
    var code: CTFError.Code
    var offset: Int

    init(_ description: String, _ bytes: [UInt8], events: Int, _ code: CTFError.Code, at offset: Int) {
        testDescription = description
        self.bytes = bytes
        self.events = events
        self.code = code
        self.offset = offset
    }

    /// A valid packet of two records and 4096 bytes.
    private static let whole = PacketBuilder.build {
        $0.begin = 1
        $0.item(1, at: 1)
        $0.item(2, at: 2)
        $0.minimumSize = 4096
    }

    /// A valid packet after a damaged one.
    private static let later = PacketBuilder.build {
        $0.sequence = 2
        $0.begin = 10
        $0.item(4, at: 10)
    }

    /// The valid packet followed by a packet that `body` damages.
    private static func second(_ body: (inout PacketBuilder) -> Void) -> [UInt8] {
        whole
            + PacketBuilder.build {
                $0.sequence = 1
                $0.begin = 3
                $0.item(3, at: 3)
                body(&$0)
            }
    }

    static let all: [DamagedStream] = [
        .init("is no stream", Array("hello, this is a text and not a stream".utf8), events: 0, .badMagic, at: 0),
        .init("has a wrong magic number", second { $0.magic = 0xDEAD }, events: 2, .badMagic, at: 4096),
        .init("has no magic number but records", second { $0.magic = 0 }, events: 2, .badMagic, at: 4096),
        .init("has the UUID of another trace", second { $0.uuid[3] = 0 }, events: 3, .wrongUUID, at: 4096),
        .init("is of an unknown stream class", second { $0.streamID = 5 }, events: 2, .unknownStream, at: 4096),
        .init("has a packet of no size", second { $0.packetSize = 0 }, events: 2, .badPacketSize, at: 4096),
        .init("has a packet of 7 bits too much", second { $0.packetSize = 1007 }, events: 2, .badPacketSize, at: 4096),
        .init(
            "has a packet shorter than its header", second { $0.packetSize = 80 * 8 }, events: 2, .badPacketSize,
            at: 4096),
        .init(
            "has content shorter than its header", second { $0.contentSize = 80 * 8 }, events: 2, .badPacketSize,
            at: 4096),
        .init(
            "has more content than packet", second { $0.contentSize = 4096 * 8 }, events: 2, .badPacketSize, at: 4096),
        .init(
            "is cut inside of a packet", Array(second { $0.item(4, at: 4) }.dropLast(3)), events: 3, .truncatedPacket,
            at: 4096),
        .init(
            "is cut inside of a packet's header", whole + second { _ in }[4096..<4140], events: 2, .truncatedPacket,
            at: 4096),
        .init(
            "says that it is larger than the file",
            second {
                $0.packetSize = .max - 7; $0.contentSize = .max - 7
            }, events: 2,
            .badPacketSize, at: 4096),
        .init(
            "says that it has 2^62 bits",
            second {
                $0.packetSize = 1 << 62; $0.contentSize = 1 << 62
            }, events: 3,
            .truncatedPacket, at: 4096),
        .init(
            "has content that ends inside of a record",
            PacketBuilder.build {
                $0.item(1, at: 1); $0.item(2, at: 2); $0.contentSize = (84 + 15 + 14) * 8
            }, events: 1,
            .truncatedEvent, at: 84 + 15),
        .init(
            "has content that ends inside of a record's header",
            PacketBuilder.build {
                $0.item(1, at: 1); $0.item(2, at: 2); $0.contentSize = (84 + 15 + 2) * 8
            }, events: 1,
            .truncatedEvent, at: 84 + 15),
        .init(
            "has an unknown event", second { $0.events.append([77, 0, 0, 0, 0]) } + later, events: 4, .unknownEvent,
            at: 4096 + 84 + 15),
        .init(
            "has an unknown extended event", second { $0.extendedItem(1, at: 9, id: 1 << 20) } + later, events: 4,
            .unknownEvent, at: 4096 + 84 + 15),
        .init(
            "has a text without end",
            PacketBuilder.build {
                $0.item(1, at: 1); $0.events.append([2, 0, 0, 0, 0, 1, 1, 1, 1, 65])
            },
            events: 1, .truncatedEvent, at: 84 + 15),
        .init(
            "has an array longer than the packet",
            PacketBuilder.build {
                $0.item(1, at: 1); $0.stack([1], at: 2, length: 60000)
            }, events: 1, .truncatedEvent,
            at: 84 + 15),
        .init("lost packets", second { $0.sequence = 4 }, events: 3, .lostPackets, at: 4096),
        .init(
            "has a clock that goes back",
            PacketBuilder.build {
                $0.item(1, at: 1); $0.extendedItem(2, at: 0); $0.item(3, at: 9)
            },
            events: 3, .clockWentBack, at: 84 + 15),
        .init(
            "has a packet that begins before the last one ended", second { $0.begin = 0 }, events: 3, .clockWentBack,
            at: 4096),
    ]
}

@Suite("Streams that are damaged")
struct DamagedStreamTests {
    @Test("what can be read is delivered, and the damage noted with its place", arguments: DamagedStream.all)
    func stream(_ damaged: DamagedStream) throws {
        let healthy = PacketBuilder.build {
            $0.instance = 2; $0.item(50, at: 5)
        }
        let (lines, summary) = try CTFTraceFixture(files: [("a", damaged.bytes), ("b", healthy)]).read()
        #expect(lines.count == damaged.events + 1)
        #expect(summary.events == damaged.events + 1)
        #expect(lines.contains("item @5 tid=100 item=50 queue=17"))
        #expect(summary.notes.map(\.code) == [damaged.code], "\(summary.notes)")
        #expect(summary.notes.first?.file == "a")
        #expect(summary.notes.first?.byteOffset == damaged.offset)
        #expect(summary.notes.first?.problem.isEmpty == false)
        #expect(summary.files == 2)
        #expect(summary.damagedFiles == ([.lostPackets, .clockWentBack, .wrongUUID].contains(damaged.code) ? 0 : 1))
    }

    @Test("lost packets are counted")
    func lostPackets() throws {
        let bytes = [0, 1, 5, 6, 8].flatMap { number in PacketBuilder.build { $0.sequence = number } }
        let (_, summary) = try CTFTraceFixture(files: [("s", bytes)]).read()
        #expect(summary.lostPackets == 4)
        #expect(summary.notes.map(\.code) == [.lostPackets, .lostPackets])
    }

    @Test("a variant whose tag selects no option ends its packet, not the stream")
    func variantWithoutOption() throws {
        let events = """
            event { name = "v"; id = 1; stream_id = 0; fields := struct {
                enum : uint8_t { a = 1, b = 2, c = 3 } tag; variant <tag> { uint8_t a; uint16_t b; } v;
            }; };
            """
        func packet(_ sequence: UInt64, _ tags: UInt8...) -> [UInt8] {
            PacketBuilder.build {
                $0.sequence = sequence
                for tag in tags { $0.events.append([1, 0, 0, 0, 0, tag] + [UInt8](repeating: 7, count: Int(tag))) }
            }
        }
        let fixture = CTFTraceFixture(
            metadata: CTFTraceFixture.metadata(events: events), files: [("s", packet(0, 1, 2, 3, 1) + packet(1, 2))])
        let (lines, summary) = try fixture.read()
        #expect(lines.count == 3)
        #expect(summary.notes.map(\.code) == [.badField])
        #expect(summary.notes.first?.byteOffset == 84 + 7 + 8)
    }

    @Test("records without header and fields do not go on for ever")
    func emptyRecords() throws {
        let metadata = """
            /* CTF 1.8 */
            trace { major = 1; minor = 8; byte_order = le; };
            stream { id = 0; };
            event { name = "nothing"; id = 0; stream_id = 0; fields := struct { }; };
            """
        let (lines, summary) = try CTFTraceFixture(metadata: metadata, files: [("s", [1, 2, 3])]).read()
        #expect(lines.isEmpty)
        #expect(summary.notes.map(\.code) == [.badField])
    }
}
