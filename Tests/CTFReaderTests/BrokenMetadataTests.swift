import CTFReader
import Foundation
import Testing

/// Broken metadata with the expected error and its position.
struct BrokenMetadata: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var text: String
    var code: CTFError.Code
    var line: Int
    var column: Int

    init(_ description: String, _ text: String, _ code: CTFError.Code, _ line: Int, _ column: Int) {
        testDescription = description
        self.text = text
        self.code = code
        self.line = line
        self.column = column
    }

    private static let head = "/* CTF 1.8 */\ntrace { major = 1; minor = 8; byte_order = le; };\n"

    /// Metadata whose third line is `line`, followed by a stream class.
    private static func third(
        _ description: String, _ line: String, _ code: CTFError.Code, _ column: Int
    ) -> BrokenMetadata {
        BrokenMetadata(description, head + line + "\nstream { id = 0; };\n", code, 3, column)
    }

    /// Metadata with an event whose fields are in the fourth line.
    private static func field(
        _ description: String, _ fields: String, _ code: CTFError.Code, _ column: Int, line: Int = 4
    ) -> BrokenMetadata {
        BrokenMetadata(
            description,
            head + "stream { id = 0; }; event { name = x; fields := struct {\n\(fields)\n}; };\n", code, line, column)
    }

    static let all: [BrokenMetadata] = [
        .init("is no CTF", "hello", .notCTF, 1, 1),
        .init("is of version 2", "/* CTF 2.0 */", .unsupportedVersion, 1, 1),
        .init("is a JSON text sequence without a preamble", "\u{1E}[]", .syntax, 1, 2),
        .init("is a binary file", "\u{1}\u{2}\u{3}\u{4}\u{5}", .notCTF, 1, 1),
        .init("has no trace block", "/* CTF 1.8 */\nstream { id = 0; };", .missingAttribute, 1, 1),
        .init("has a trace without byte order", "/* CTF 1.8 */\ntrace { major = 1; };", .missingAttribute, 1, 1),
        .init(
            "has an event of no stream class among several",
            head + "stream { id = 0; }; stream { id = 1; };\nevent { name = a; };", .missingAttribute, 4, 1),
        .init(
            "has two events without id and no stream class", head + "event { name = a; };\nevent { name = b; };",
            .duplicate, 4, 1),
        .init(
            "has an event of an undeclared stream class", head + "event { name = a; stream_id = 1; };", .unknownStream,
            3, 1),
        .init(
            "is a trace of another major version", "/* CTF 1.8 */\ntrace { major = 2; byte_order = le; };",
            .unsupportedVersion, 2, 9),
        .init(
            "describes too many fields in few lines",
            head + "struct t0 { integer { size = 8; } a, b; }; "
                + (1...14).map { "struct t\($0) { struct t\($0 - 1) a, b; }; " }.joined()
                + (0...2).map { "\nstream { id = \($0); event.header := struct t14; };" }.joined(),
            .limitExceeded, 6, 1),
        .init("ends inside of a block", head + "stream { id = 0;", .syntax, 3, 17),
        third("has a comment without end", "/* here", .syntax, 1),
        third("has a text without end", "env { a = \"b; };", .syntax, 11),
        third("has an unknown escape", "env { a = \"\\q\"; };", .syntax, 13),
        third("has a number too large", "env { a = 99999999999999999999999; };", .syntax, 11),
        third("has a byte that is no sign", "env { a = 1; }; @", .syntax, 17),
        third("has an attribute without value", "env { a = ; };", .syntax, 11),
        third("has an attribute without semicolon", "env { a = 1 b = 2; };", .syntax, 13),
        third("has a field at the top level", "integer { size = 8; } x;", .syntax, 23),
        third("names an unknown type", "typealias nothing := x;", .unknownType, 11),
        third("names an unknown structure", "typealias struct foo := x;", .unknownType, 11),
        third("declares a type twice", "struct a { }; struct a { };", .duplicate, 15),
        third("has an integer without size", "typealias integer { align = 8; } := x;", .missingAttribute, 11),
        third("has an integer of no bits", "typealias integer { size = 0; } := x;", .invalidAttribute, 21),
        third("has an integer of 65 bits", "typealias integer { size = 65; } := x;", .invalidAttribute, 21),
        third("has an odd alignment", "typealias integer { size = 8; align = 3; } := x;", .invalidAttribute, 31),
        third("has an unknown base", "typealias integer { size = 8; base = 7; } := x;", .invalidAttribute, 31),
        third(
            "has an unknown byte order", "typealias integer { size = 8; byte_order = xx; } := x;", .invalidAttribute, 31
        ),
        third("has a strange sign", "typealias integer { size = 8; signed = maybe; } := x;", .invalidAttribute, 31),
        third("has a strange map", "typealias integer { size = 8; map = foo; } := x;", .invalidAttribute, 31),
        third(
            "has a floating point number of 128 bits",
            "typealias floating_point { exp_dig = 15; mant_dig = 113; } := x;",
            .invalidAttribute, 11),
        third(
            "has half a floating point type", "typealias floating_point { exp_dig = 8; } := x;", .missingAttribute, 11),
        third("has an enumeration without values", "enum e : integer { size = 8; } { };", .missingAttribute, 1),
        third("has a value too large", "enum e : integer { size = 8; } { a = 256 };", .invalidAttribute, 34),
        third("has a range upside down", "enum e : integer { size = 8; } { a = 3 ... 2 };", .invalidAttribute, 34),
        third("has an enumeration of texts", "enum e : struct { string s; } { a };", .invalidAttribute, 1),
        third("has a clock without name", "clock { freq = 1; };", .missingAttribute, 1),
        third("has a clock that stands still", "clock { name = c; freq = 0; };", .invalidAttribute, 19),
        third(
            "has a clock twice, with two frequencies", "clock { name = c; }; clock { name = c; freq = 5; };",
            .duplicate, 22),
        third("has a stream class twice", "stream { id = 0; };", .duplicate, 1).at(line: 4),
        third("has an event without name", "event { id = 1; };", .missingAttribute, 1),
        third("has an event of no stream", "event { name = a; stream_id = 5; };", .unknownStream, 1),
        third("has an id twice", "event { name = a; }; event { name = b; };", .duplicate, 22),
        third(
            "has a header that is a number", "stream { id = 1; event.header := integer { size = 8; }; };",
            .invalidAttribute, 18),
        third("has a wrong UUID", "", .invalidAttribute, 1).replacing(
            "/* CTF 1.8 */\ntrace { byte_order = le; uuid = \"1234\"; };", line: 2, column: 26),
        field("has a field twice", "string a; string a;", .duplicate, 18),
        field("has a length that does not exist", "string a[n];", .unknownReference, 10),
        field("has a length behind the array", "string a[n]; integer { size = 8; } n;", .unknownReference, 10),
        field("has a text for a length", "string n; string a[n];", .unknownReference, 20),
        field("has a signed length", "integer { size = 8; signed = true; } n; string a[n];", .unknownReference, 50),
        field("has a variant without tag", "variant { string a; } v;", .unknownReference, 21, line: 3),
        field("has a number for a tag", "integer { size = 8; } t; variant <t> { string a; } v;", .unknownReference, 35),
        field(
            "has a clock that is not declared", "integer { size = 8; map = clock.c.value; } t;", .unknownReference, 21,
            line: 3),
        field("has an array of negative length", "string a[-1];", .invalidAttribute, 9),
        field("has an array of more elements than any", "string a[4294967296];", .invalidAttribute, 9),
        field(
            "has an array larger than any packet", "integer { size = 64; } a[4294967295][4294967295];", .limitExceeded,
            21,
            line: 3),
        field(
            "is nested too deeply", String(repeating: "struct { ", count: 100) + String(repeating: "} a; ", count: 100),
            .limitExceeded, 568),
        .init("has a type that doubles with each line", doubling, .limitExceeded, 18, 1),
    ]

    private static var doubling: String {
        head
            + (1...30).map { "struct s\($0) { \($0 == 1 ? "string" : "struct s\($0 - 1)") a, b; };" }
            .joined(separator: "\n") + "\nstream { id = 0; };"
    }

    private func at(line: Int) -> BrokenMetadata {
        var copy = self
        copy.line = line
        return copy
    }

    private func replacing(_ text: String, line: Int, column: Int) -> BrokenMetadata {
        BrokenMetadata(testDescription, text, code, line, column)
    }
}

@Suite("Metadata that must not be accepted")
struct BrokenMetadataTests {
    @Test("broken metadata gives one error with its place", arguments: BrokenMetadata.all)
    func metadata(_ broken: BrokenMetadata) throws {
        try CTFTraceFixture(metadata: broken.text).use { path in
            do throws(CTFError) {
                _ = try CTFTrace(path: path)
                Issue.record("the metadata was accepted")
            } catch {
                #expect(error.code == broken.code, "\(error)")
                #expect(error.place?.line == broken.line, "\(error)")
                #expect(error.place?.column == broken.column, "\(error)")
                #expect(error.place?.file == "\(path)/metadata")
                #expect(error.description == "\(path)/metadata:\(broken.line):\(broken.column): \(error.problem)")
            }
        }
    }

    /// The error code of opening a trace; nil if it opens.
    private func code(of path: String) -> CTFError.Code? {
        do throws(CTFError) {
            _ = try CTFTrace(path: path)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("a path that leads to no trace is refused with the reason")
    func noTrace() throws {
        try CTFTraceFixture(files: [("s", [1])]).use { path in
            #expect(code(of: "\(path)/nothing") == .notFound)
            #expect(code(of: "\(path)/s") == .notADirectory)
            #expect(code(of: "\(path)/s/x") == .notFound)
            try FileManager.default.removeItem(atPath: "\(path)/metadata")
            #expect(code(of: path) == .noMetadata)
            try Data().write(to: URL(fileURLWithPath: "\(path)/metadata"))
            #expect(code(of: path) == .noMetadata)
            try FileManager.default.removeItem(atPath: "\(path)/metadata")
            try FileManager.default.createDirectory(atPath: "\(path)/metadata", withIntermediateDirectories: false)
            #expect(code(of: path) == .noMetadata)
            // A loop of symbolic links is as unreadable as a directory of another user.
            try FileManager.default.removeItem(atPath: "\(path)/metadata")
            try FileManager.default.createSymbolicLink(
                atPath: "\(path)/metadata", withDestinationPath: "\(path)/metadata")
            #expect(code(of: path) == .unreadable)
        }
    }

    @Test("metadata packets of another version are refused", arguments: [(1, 7), (2, 1)])
    func metadataPacketVersion(major: UInt8, minor: UInt8) throws {
        var fixture = LTTngFixture.trace()
        fixture.metadata[35] = major
        fixture.metadata[36] = minor
        try fixture.use { path in #expect(code(of: path) == .unsupportedVersion) }
    }

    @Test(
        "damaged packets of metadata are refused with the offset of the packet",
        arguments: [
            ("is cut inside of a header", 4096, 20, nil), ("is cut inside of a packet", 0, 100, nil),
            ("has a wrong magic number", 4096, nil, 0), ("is compressed", 4096, nil, 32),
            ("has more content than room", 0, nil, 27), ("has less content than a header", 4096, nil, 24),
        ] as [(String, Int, Int?, Int?)])
    func metadataPackets(_ description: String, offset: Int, keeping: Int?, breaking: Int?) throws {
        var fixture = LTTngFixture.trace()
        fixture.metadata = LTTngFixture.packets(of: LTTngFixture.metadata + String(repeating: "\n", count: 4096))
        if let keeping { fixture.metadata = Array(fixture.metadata.prefix(offset + keeping)) }
        if let breaking { fixture.metadata[offset + breaking] = breaking == 24 ? 1 : 77 }
        if breaking == 24 { fixture.metadata[offset + 25] = 0 }
        try fixture.use { path in
            do throws(CTFError) {
                _ = try CTFTrace(path: path)
                Issue.record("the metadata was accepted")
            } catch {
                #expect(error.code == .damagedMetadataPacket)
                #expect(error.place == .init(file: "\(path)/metadata", byteOffset: offset))
            }
        }
    }
}
