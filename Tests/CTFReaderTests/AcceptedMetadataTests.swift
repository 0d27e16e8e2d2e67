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

    @Test(
        "types may be declared in place, nested, anonymous, and at the top level without a semicolon",
        arguments: [
            "struct inner { \(byte) x; } event { name = e; fields := struct { struct inner a; }; };",
            "struct inner { \(byte) x; }; struct outer { struct inner a; } "
                + "event { name = e; fields := struct outer; };",
            "event { name = e; fields := struct { struct { \(byte) x; } a; }; };",
            "event { name = e; fields := struct { struct inner { \(byte) x; } a; }; };",
            "event { name = e; struct inner { \(byte) x; }; fields := struct { struct inner a; } align(8); };",
            "variant v { \(byte) x; } event { name = e; fields := struct { struct { \(byte) x; } a; }; };",
            "enum t : \(byte) { A, B } event { name = e; fields := struct { struct { enum t x; } a; }; };",
        ])
    func types(text: String) throws {
        try CTFTraceFixture(metadata: Self.head + text, files: [("s", [7])]).use { path in
            var values: [UInt64?] = []
            let summary = try CTFTrace(path: path).forEachEvent { record in
                if case .structure(let fields) = record.value(0) { values += fields.map(\.value.bits) }
            }
            #expect(values == [7])
            #expect(summary.notes.isEmpty)
        }
    }

    @Test("escape sequences in texts have the values that babeltrace2 gives them")
    func escapes() throws {
        let metadata = Self.head + #"env { a = "\x41, \x023, \x0231, \101, \043, \0431, \"\0not seen"; };"#
        try CTFTraceFixture(metadata: metadata).use { path in
            let trace = try CTFTrace(path: path)
            #expect(trace.environment["a"] == .string("A, #, #1, A, #, #1, \""))
        }
    }

    @Test("an anonymous variant in an anonymous structure finds its tag")
    func anonymousVariant() throws {
        let metadata =
            Self.head + "event { name = e; fields := struct { struct { enum : \(Self.byte) { A, B } t; "
            + "variant <t> { \(Self.byte) A; struct { \(Self.byte) x, y; } B; } v; } s; }; };"
        try CTFTraceFixture(metadata: metadata, files: [("s", [0, 1, 1, 2, 3])]).use { path in
            var lines = ""
            _ = try EventFormatter.write([try CTFTrace(path: path)]) { lines += String(decoding: $0, as: UTF8.self) }
            #expect(
                lines == """
                    e: { s = { t = ( "A" : container = 0 ), v = { 1 } } }
                    e: { s = { t = ( "B" : container = 1 ), v = { { x = 2, y = 3 } } } }

                    """)
        }
    }
}
