import CTFReader
import Testing

@Suite("Traces that must read")
struct ReadableTraceTests {
    @Test("the environment, the clock and the event classes come from the metadata")
    func description() throws {
        try CTFTraceFixture().use { path in
            let trace = try CTFTrace(path: path)
            #expect(trace.environment["hostname"]?.stringValue == "host")
            #expect(trace.environment["schema_major"]?.integerValue == 1)
            #expect(trace.clock.name == "monotonic")
            #expect(trace.clock.offsetSeconds == 1_600_000_000)
            #expect(trace.eventClasses.map(\.name) == ["item", "label", "stack"])
            #expect(trace.eventClasses.map(\.id) == [1, 2, 3])
            #expect(trace.eventClasses[2].fields.map(\.name) == ["stack", "frames_length", "frames", "last"])
            #expect(trace.totalBytes == 0)
        }
    }

    @Test("a directory with metadata and no stream files has no records")
    func noStreams() throws {
        let (lines, summary) = try CTFTraceFixture().read()
        #expect(lines.isEmpty)
        #expect(summary == ReadSummary())
    }

    @Test("empty stream files and hidden files are no streams")
    func emptyFiles() throws {
        let (lines, summary) = try CTFTraceFixture(files: [("a", []), (".metadata", [1, 2, 3])]).read()
        #expect(lines.isEmpty)
        #expect(summary == ReadSummary())
    }

    @Test("numbers, the thread and the exact time of a record are delivered")
    func numbers() throws {
        let bytes = PacketBuilder.build {
            $0.begin = 3; $0.item(0xABCD_1234_5678, at: 4)
        }
        let (lines, summary) = try CTFTraceFixture(files: [("s", bytes)]).read()
        #expect(lines == ["item @4 tid=100 item=188897262065272 queue=17"])
        #expect(summary.events == 1)
        #expect(summary.packets == 1)
        #expect(summary.firstNanoseconds == 1_600_000_000_000_000_009)
        #expect(summary.notes.isEmpty)
    }

    @Test("a field that the class does not have is zero, empty or nothing")
    func missingField() throws {
        let bytes = PacketBuilder.build { $0.item(1, at: 1) }
        try CTFTraceFixture(files: [("s", bytes)]).use { path in
            _ = try CTFTrace(path: path).forEachEvent { record in
                for field in [-1, 2, Int.max, Int.min] {
                    #expect(record.unsigned(field) == 0)
                    #expect(record.signed(field) == 0)
                    #expect(record.string(field).isEmpty)
                    #expect(record.unsignedArray(field).isEmpty)
                    #expect(record.value(field) == .structure([]))
                }
            }
        }
    }

    @Test("texts and arrays are decoded, and the fields behind them")
    func variableFields() throws {
        let bytes = PacketBuilder.build {
            $0.label(Array("net.é".utf8), at: 1)
            $0.label([0x61, 0xFF], at: 2)
            $0.stack([0xFFFF_0000_0001, 2], at: 3)
            $0.stack([], at: 4)
        }
        try CTFTraceFixture(files: [("s", bytes)]).use { path in
            var texts: [String] = []
            var frames: [[UInt64]] = []
            var ends: [UInt64] = []
            _ = try CTFTrace(path: path).forEachEvent { record in
                if record.classIndex == 1 {
                    texts.append(record.string(1))
                    ends.append(record.unsigned(2))
                } else {
                    frames.append(record.unsignedArray(2))
                    ends.append(record.unsigned(3))
                    #expect(record.value(2) == .array(record.unsignedArray(2).map { .unsigned($0, base: 16) }))
                }
            }
            #expect(texts == ["net.é", "a\u{FFFD}"])
            #expect(frames == [[0xFFFF_0000_0001, 2], []])
            #expect(ends == [1, 1, 0xEE, 0xEE])
        }
    }

    @Test("compact stamps continue the clock over its 32nd bit, extended ones replace it")
    func compactStamps() throws {
        let bytes = PacketBuilder.build {
            $0.begin = 0x1_FFFF_FFF0
            $0.item(1, at: 0x1_FFFF_FFF8)
            $0.item(2, at: 0x2_0000_0001)
            $0.extendedItem(3, at: 0x9_0000_0000)
            $0.item(4, at: 0x9_0000_0007)
        }
        let (lines, summary) = try CTFTraceFixture(files: [("s", bytes)]).read()
        let times: [UInt64] = [0x1_FFFF_FFF8, 0x2_0000_0001, 0x9_0000_0000, 0x9_0000_0007]
        #expect(lines == zip(1..., times).map { "item @\($1) tid=100 item=\($0) queue=17" })
        #expect(summary.notes.isEmpty)
    }

    @Test("streams are merged by time; equal times come by instance, then by file name, in any order of listing")
    func merge() throws {
        func stream(_ instance: UInt64, tid: UInt32, _ times: UInt64...) -> [UInt8] {
            PacketBuilder.build {
                $0.instance = instance
                $0.tid = tid
                for time in times { $0.item(UInt64(tid), at: time) }
            }
        }
        let files = [
            ("a", stream(9, tid: 1, 5, 5, 8)), ("b", stream(2, tid: 2, 1, 5, 9)), ("c", stream(9, tid: 3, 5, 6)),
            ("d", stream(1, tid: 4)),
        ]
        let expected = [2, 2, 1, 1, 3, 3, 1, 2]
        for order in [files, files.reversed(), [files[2], files[0], files[3], files[1]]] {
            let (lines, _) = try CTFTraceFixture(files: order).read()
            #expect(lines.map { $0.split(separator: " ")[2] } == expected.map { "tid=\($0)" })
        }
    }

    @Test("a stream passes to another thread at a packet boundary")
    func threads() throws {
        let bytes =
            PacketBuilder.build {
                $0.tid = 1; $0.item(1, at: 1); $0.minimumSize = 4096
            }
            + PacketBuilder.build {
                $0.tid = 2; $0.sequence = 1; $0.begin = 2; $0.item(2, at: 2)
            }
        let (lines, summary) = try CTFTraceFixture(files: [("s", bytes)]).read()
        #expect(lines == ["item @1 tid=1 item=1 queue=17", "item @2 tid=2 item=2 queue=17"])
        #expect(summary.packets == 2)
        #expect(summary.notes.isEmpty)
    }

    @Test("discarded records are the sum of the streams' last counts")
    func discarded() throws {
        func stream(_ instance: UInt64, _ counts: UInt64...) -> [UInt8] {
            counts.enumerated().flatMap { index, count in
                PacketBuilder.build {
                    $0.instance = instance; $0.sequence = UInt64(index); $0.discarded = count
                }
            }
        }
        let (_, summary) = try CTFTraceFixture(files: [("a", stream(1, 2, 5)), ("b", stream(2, 7))]).read()
        #expect(summary.discarded == 12)
        #expect(summary.lostPackets == 0)
    }

    @Test("the zero tail of a killed recorder is the end of the stream")
    func zeroTail() throws {
        let used = PacketBuilder.build {
            $0.item(1, at: 1); $0.minimumSize = 4096
        }
        // A prepared packet: complete except for the magic number, which is written last.
        let prepared = PacketBuilder.build {
            $0.magic = 0; $0.minimumSize = 4096
        }
        for tail in [[UInt8](repeating: 0, count: 8192), [0], prepared, prepared + [UInt8](repeating: 0, count: 4096)] {
            let (lines, summary) = try CTFTraceFixture(files: [("s", used + tail)]).read()
            #expect(lines.count == 1)
            #expect(summary.notes.isEmpty)
        }
    }

    @Test("progress grows from 0 to 1")
    func progress() throws {
        let packets = (0..<50).flatMap { number in
            PacketBuilder.build {
                $0.sequence = UInt64(number); $0.begin = UInt64(number); $0.item(1, at: UInt64(number))
            }
        }
        try CTFTraceFixture(files: [("s", packets)]).use { path in
            var shares: [Double] = []
            _ = try CTFTrace(path: path).forEachEvent(progress: { shares.append($0) }) { _ in }
            #expect(shares.count > 10)
            #expect(shares == shares.sorted())
            #expect(shares.last == 1)
        }
    }

    @Test("an error of the caller ends the pass and comes back to it; another pass begins anew")
    func callerError() throws {
        struct Stop: Error {}
        let bytes = PacketBuilder.build {
            $0.item(1, at: 1); $0.item(2, at: 2)
        }
        try CTFTraceFixture(files: [("s", bytes)]).use { path in
            let trace = try CTFTrace(path: path)
            var count = 0
            #expect(throws: Stop.self) {
                _ = try trace.forEachEvent { _ in
                    count += 1
                    throw Stop()
                }
            }
            #expect(count == 1)
            #expect(try trace.forEachEvent { _ in }.events == 2)
        }
    }
}
