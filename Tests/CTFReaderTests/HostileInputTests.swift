import CTFReader
import Foundation
import TestSupport
import Testing

@Suite("Input of any kind")
struct HostileInputTests {
    private static let stream =
        PacketBuilder.build {
            $0.begin = 1
            $0.item(1, at: 1)
            $0.label(Array("label".utf8), at: 2)
            $0.stack([1, 2, 3], at: 3)
            $0.extendedItem(4, at: 1 << 33)
            $0.minimumSize = 256
        }
        + PacketBuilder.build {
            $0.begin = 1 << 33
            $0.sequence = 1
            $0.item(5, at: (1 << 33) + 1)
        }

    /// The end of each record of ``stream``.
    private static let ends = [84 + 15, 84 + 15 + 17, 84 + 15 + 17 + 30, 84 + 15 + 17 + 30 + 23, 256 + 84 + 15]

    /// Reads all properties of a record.
    private func readAll(_ fixture: CTFTraceFixture) throws -> ReadSummary {
        try fixture.use { path in
            let trace = try CTFTrace(path: path)
            let summary = try trace.forEachEvent { record in
                for field in trace.eventClasses[record.classIndex].fields.indices {
                    _ = record.unsigned(field)
                    _ = record.signed(field)
                    _ = record.string(field)
                    _ = record.unsignedArray(field)
                    _ = record.value(field)
                }
            }
            let formatted = try EventFormatter.write([trace]) { _ in }[0]
            #expect(formatted.events == summary.events)
            try trace.expectSameBatches()
            return summary
        }
    }

    @Test("a stream cut at any byte gives the records before the cut, and a note unless the cut is between packets")
    func everyTruncation() throws {
        for length in 0...Self.stream.count {
            let summary = try readAll(CTFTraceFixture(files: [("s", Array(Self.stream.prefix(length)))]))
            #expect(summary.events == Self.ends.count { $0 <= length }, "cut at \(length)")
            let isWhole = length == 0 || length == 256 || length == Self.stream.count
            #expect(summary.notes.map(\.code) == (isWhole ? [] : [.truncatedPacket]), "cut at \(length)")
        }
    }

    @Test("an LTTng stream cut at any byte is read up to the cut")
    func everyTruncationOfLTTng() throws {
        var fixture = LTTngFixture.trace()
        let stream = fixture.files[0].bytes
        var last = 0
        for length in 1..<400 {
            fixture.files[0].bytes = Array(stream.prefix(length))
            let summary = try readAll(fixture)
            #expect(summary.events >= last)
            #expect(summary.notes.map(\.code) == [.truncatedPacket])
            last = summary.events
        }
        #expect(last == 3)
    }

    @Test(
        "a header that ends in a field without a size is not whole before the place of that field",
        arguments: [
            ([UInt8]([0, 0, 0, 0, 1]), CTFError.Code.truncatedPacket),
            ([0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9, 200], .truncatedEvent),
            ([0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 200], .truncatedEvent),
        ])
    func fieldsWithoutSize(content: [UInt8], code: CTFError.Code) throws {
        let metadata = """
            /* CTF 1.8 */
            trace {
                major = 1; minor = 8; byte_order = le;
                packet.header := struct { integer { size = 32; align = 32; } magic; };
            };
            clock { name = c; freq = 1000000000; };
            stream {
                packet.context := struct { integer { size = 8; } cpu_id; integer { size = 64; align = 64; } pad[0]; };
                event.header := struct {
                    integer { size = 8; } id; integer { size = 8; map = clock.c.value; } time;
                    integer { size = 32; align = 32; } pad[0];
                };
            };
            event { name = e; id = 0; fields := struct { integer { size = 16; } x; }; };
            """
        let fixture = CTFTraceFixture(metadata: metadata, files: [("s", [0xC1, 0x1F, 0xFC, 0xC1] + content)])
        let summary = try readAll(fixture)
        #expect(summary.events == 0)
        #expect(summary.notes.map(\.code) == [code])
        #expect(try fixture.use { try TraceMerge.extent(of: [CTFTrace(path: $0)]) } == nil)
    }

    @Test("metadata cut at any byte is refused or read, never a trap")
    func everyTruncationOfMetadata() throws {
        let text = Array(LTTngFixture.metadata.utf8)
        for length in stride(from: 0, to: text.count, by: 1) {
            var fixture = CTFTraceFixture()
            fixture.metadata = Array(text.prefix(length))
            _ = try? fixture.use { try CTFTrace(path: $0) }
        }
    }

    @Test("a stream with random bytes changed is read without a trap", arguments: 1...8)
    func mutatedStreams(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        for _ in 0..<100 {
            var fixture =
                Bool.random(using: &random) ? LTTngFixture.trace() : CTFTraceFixture(files: [("s", Self.stream)])
            let count = min(fixture.files[0].bytes.count, 400)
            for _ in 0...Int.random(in: 0..<6, using: &random) {
                let values: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &random)]
                fixture.files[0].bytes[.random(in: 0..<count, using: &random)] =
                    values.randomElement(using: &random) ?? 0
            }
            let summary = try readAll(fixture)
            #expect(summary.events <= count, "seed \(seed)")
        }
    }

    @Test("metadata with random changes is refused or read without a trap", arguments: 1...8)
    func mutatedMetadata(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let pieces = [
            "}", "{", ";", "struct", "enum", "variant <id>", "[", "]", "0", "-1", "18446744073709551615", "align(",
            "id", "\"",
            ":=", "64", "string", "/*", "v",
        ].map { Array($0.utf8) }
        for _ in 0..<60 {
            var text = Array((Bool.random(using: &random) ? LTTngFixture.metadata : CTFTraceFixture.metadata()).utf8)
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let start = Int.random(in: 14..<text.count, using: &random)
                let end = min(start + Int.random(in: 0..<8, using: &random), text.count)
                text.replaceSubrange(start..<end, with: pieces.randomElement(using: &random) ?? [])
            }
            var fixture = CTFTraceFixture(files: [("s", Self.stream)])
            fixture.metadata = text
            do {
                _ = try readAll(fixture)
            } catch let error as CTFError {
                #expect(error.place != nil, "seed \(seed): \(error)")
            }
        }
    }

    @Test("random bytes as a stream give notes", arguments: 1...4)
    func randomStreams(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        for size in [1, 3, 84, 500, 5000] {
            let bytes = (0..<size).map { _ in UInt8.random(in: 1...255, using: &random) }
            let summary = try readAll(CTFTraceFixture(files: [("s", bytes)]))
            #expect(summary.events == 0, "seed \(seed)")
            #expect(summary.notes.count == 1, "seed \(seed)")
        }
    }
}
