import CTFReader
import Testing

@Suite("Metadata that must be accepted")
struct AcceptedMetadataTests {
    private static let head = "/* CTF 1.8 */\ntrace { major = 1; minor = 8; byte_order = le; };\n"
    private static let byte = "integer { size = 8; }"

    /// Reads a trace with one data stream file; nil for no file.
    private func read(_ metadata: String, _ bytes: [UInt8]?) throws -> (lines: [String], notes: [TraceNote]) {
        let (lines, summary) = try CTFTraceFixture(metadata: metadata, files: bytes.map { [("s", $0)] } ?? []).read()
        #expect(summary.damagedFiles == 0)
        return (lines, summary.notes)
    }

    @Test("without a stream block there is one stream class, whose only event needs no id")
    func implicitStream() throws {
        let metadata = Self.head + "event { name = e; fields := struct { \(Self.byte) x; }; };"
        let (lines, notes) = try read(metadata, [7, 8, 9])
        #expect(lines == ["e @0 tid=0 x=7", "e @0 tid=0 x=8", "e @0 tid=0 x=9"])
        #expect(notes.isEmpty)
    }

    @Test("without a stream block an event may name the stream class 0")
    func implicitStreamWithID() throws {
        let metadata = Self.head + "event { name = e; id = 0; stream_id = 0; fields := struct { \(Self.byte) x; }; };"
        #expect(try read(metadata, [7]).lines == ["e @0 tid=0 x=7"])
    }

    @Test("a trace without event classes or without data stream files lists nothing", arguments: ["", "stream { };"])
    func nothing(streams: String) throws {
        let (lines, notes) = try read(Self.head + streams, nil)
        #expect(lines.isEmpty)
        #expect(notes.isEmpty)
    }

    @Test("events that precede their stream block belong to it")
    func eventBeforeStream() throws {
        let metadata =
            Self.head + "event { name = e; id = 3; fields := struct { \(Self.byte) x; }; };\n"
            + "stream { id = 5; event.header := struct { \(Self.byte) id; }; };"
        #expect(try read(metadata, [3, 1, 3, 2]).lines == ["e @0 tid=0 x=1", "e @0 tid=0 x=2"])
    }

    @Test(
        "an unknown attribute is ignored with a note that has its place",
        arguments: [
            ("trace { major = 1; minor = 8; byte_order = le;\ncolour = \"red\"; };", 3, 1),
            ("trace { major = 1; minor = 8; byte_order = le; };\nstream { size = 3; };", 3, 10),
            ("trace { major = 1; minor = 8; byte_order = le; };\nstream { event.feet := struct { }; };", 3, 10),
            ("trace { major = 1; minor = 8; byte_order = le; };\nclock { name = c; drift = 1; };", 3, 19),
        ])
    func unknownAttribute(text: String, line: Int, column: Int) throws {
        let event = "\nevent { name = e; fields := struct { \(Self.byte) x; }; };"
        let (lines, notes) = try read("/* CTF 1.8 */\n" + text + event, [7])
        #expect(lines == ["e @0 tid=0 x=7"])
        #expect(notes.map(\.code) == [.unknownAttribute])
        #expect(notes.first?.line == line)
        #expect(notes.first?.column == column)
        #expect(notes.first?.description.hasPrefix("metadata:\(line):\(column): '") == true)
    }

    @Test("an unknown part of an event is ignored, whatever its type is")
    func unknownPart() throws {
        let metadata =
            Self.head
            + "event { name = e; fields := struct { \(Self.byte) x; }; feet := struct { nothing y; }; };"
        let (lines, notes) = try read(metadata, [7])
        #expect(lines == ["e @0 tid=0 x=7"])
        #expect(notes.map(\.code) == [.unknownAttribute])
    }
}
