import CTFReader
import Foundation
import TestSupport
import Testing

@Suite("Traces of CTF 2")
struct FragmentTraceTests {
    private func lines(_ fixture: CTFTraceFixture) throws -> (lines: [String], notes: [TraceNote]) {
        try fixture.use { path in
            var text = Data()
            let summary = try EventFormatter.write([try CTFTrace(path: path)], options: .init(clockCycles: true)) {
                text.append(contentsOf: $0)
            }[0]
            try CTFTrace(path: path).expectSameBatches()
            return (text.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }, summary.notes)
        }
    }

    /// Expects the lines of a trace with metadata of CTF 1.8, which other tests compare with babeltrace2.
    private func expectSameLines(_ trace: DeclaredTrace) throws {
        guard let fragments = trace.fragments else { return }
        let expected = try lines(trace.fixture)
        let found = try lines(CTFTraceFixture(metadata: fragments, files: trace.streamFiles))
        #expect(found.lines.count == expected.lines.count)
        let difference = zip(found.lines, expected.lines).first { $0 != $1 }
        #expect(difference == nil)
        #expect(found.notes.map(\.code) == expected.notes.map(\.code))
    }

    @Test("a construct of CTF 1.8 has the same lines in CTF 2", arguments: ConstructTrace.all)
    func construct(_ construct: ConstructTrace) throws {
        try expectSameLines(construct.make())
    }

    @Test("most constructs of CTF 1.8 exist in CTF 2")
    func convertible() {
        #expect(ConstructTrace.all.count { $0.make().fragments == nil } <= 2)
    }

    @Test("types and values made at random have the same lines in CTF 2", arguments: 1...40)
    func random(seed: UInt64) throws {
        var generator = RandomTrace(seed: seed)
        try expectSameLines(generator.trace())
    }

    /// The names of the recorded traces of this package.
    static let recorded: [String] = {
        let folder = "\(Package.root)/traces"
        let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix("/trace/metadata") }.map { String($0.dropLast("/metadata".count)) }.sorted()
    }()

    @Test("a recorded trace whose metadata is rewritten as CTF 2 has the same lines", arguments: recorded)
    func recordedTrace(name: String) throws {
        let original = "\(Package.root)/traces/\(name)"
        let metadata = RewrittenMetadata(try CTFTrace(path: original)).text
        try CTFTraceFixture(metadata: metadata).use { path in
            for file in try FileManager.default.contentsOfDirectory(atPath: original) where file != "metadata" {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(path)/\(file)", withDestinationPath: "\(original)/\(file)")
            }
            func text(_ path: String) throws -> Data {
                var text = Data()
                _ = try EventFormatter.write([try CTFTrace(path: path)]) { text.append(contentsOf: $0) }
                return text
            }
            let (found, expected) = (try text(path), try text(original))
            #expect(found == expected, "\(found.count) of \(expected.count) bytes")
        }
    }

    @Test("a trace of LTTng whose metadata is rewritten as CTF 2 has the same lines")
    func lttngTrace() throws {
        let original = LTTngFixture.trace()
        let metadata = try original.use { RewrittenMetadata(try CTFTrace(path: $0)).text }
        #expect(
            try lines(CTFTraceFixture(metadata: metadata, files: original.files)).lines == lines(original).lines)
    }

    // MARK: Field classes of CTF 2 only

    /// A trace of one event class with these members of the payload, as JSON.
    private func trace(
        _ members: String, _ bytes: [UInt8], fragments: [String] = [], header: String? = nil
    ) -> CTFTraceFixture {
        let preamble = #"{"type": "preamble", "version": 2}"#
        let stream =
            #"{"type": "data-stream-class""#
            + (header.map { #", "event-record-header-field-class": "# + $0 } ?? "") + "}"
        let event =
            #"{"type": "event-record-class", "name": "e", "payload-field-class": {"type": "structure", "#
            + #""member-classes": ["# + members + "]}}"
        let metadata = ([preamble] + fragments + [stream, event]).map { "\u{1E}\($0)\n" }.joined()
        return CTFTraceFixture(metadata: metadata, files: [("s", bytes)])
    }

    private func member(_ name: String, _ type: String, _ more: String = "") -> String {
        #"{"name": "\#(name)", "field-class": {"type": "\#(type)"\#(more.isEmpty ? "" : ", ")\#(more)}}"#
    }

    private static let byte = #""length": 8, "byte-order": "little-endian""#

    private func expect(
        _ expected: [String], _ members: [String], _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = try lines(trace(members.joined(separator: ", "), bytes))
        #expect(found.lines == expected.map { "e: { \($0) }" }, sourceLocation: sourceLocation)
        #expect(found.notes.isEmpty, "\(found.notes)", sourceLocation: sourceLocation)
    }

    @Test("unsigned integers of variable length")
    func unsignedVariableLength() throws {
        let members = [
            member("a", "variable-length-unsigned-integer"), member("b", "fixed-length-bit-array", Self.byte),
        ]
        try expect(
            ["a = 0, b = 0x1", "a = 127, b = 0x2", "a = 624485, b = 0xFF", "a = 18446744073709551615, b = 0x4"],
            members,
            [0, 1, 0x7F, 2, 0xE5, 0x8E, 0x26, 0xFF] + Array(repeating: 0xFF, count: 9) + [1, 4])
    }

    @Test("signed integers of variable length, with a base and names")
    func signedVariableLength() throws {
        let names = #""mappings": {"low": [[-200000, -1]], "zero": [[0, 0]]}"#
        let members = [
            member("a", "variable-length-signed-integer"), member("b", "variable-length-signed-integer", names),
            member("c", "variable-length-unsigned-integer", #""preferred-display-base": 16"#),
        ]
        try expect(
            [
                #"a = -1, b = ( "zero" : container = 0 ), c = 0x1F"#,
                #"a = -123456, b = ( "low" : container = -123456 ), c = 0x80"#,
                "a = -9223372036854775808, b = ( <unknown> : container = 63 ), c = 0x0",
            ], members,
            [0x7F, 0, 0x1F, 0xC0, 0xBB, 0x78, 0xC0, 0xBB, 0x78, 0x80, 1]
                + Array(repeating: 0x80, count: 9) + [0x7F, 0x3F, 0])
    }

    @Test("Booleans of one and of several bits")
    func booleans() throws {
        let bit = #""length": 1, "byte-order": "little-endian""#
        let members = [
            member("a", "fixed-length-boolean", bit), member("b", "fixed-length-boolean", bit),
            member("c", "fixed-length-boolean", Self.byte + #", "alignment": 8"#),
        ]
        try expect(["a = true, b = false, c = true", "a = false, b = true, c = false"], members, [1, 9, 2, 0])
    }

    @Test("bit maps list their active flags by name")
    func bitMaps() throws {
        let flags = #", "flags": {"write": [[1, 1]], "read": [[0, 0]], "special": [[4, 5], [7, 7]]}"#
        let members = [member("m", "fixed-length-bit-map", Self.byte + flags)]
        try expect(
            [
                #"m = 0x3 { "read", "write" }"#, #"m = 0x80 { "special" }"#, "m = 0x8",
            ], members, [3, 0x80, 8])
    }

    @Test("BLOBs of static and of dynamic length")
    func blobs() throws {
        let members = [
            member("a", "static-length-blob", #""length": 2, "media-type": "application/x-thing""#),
            member("n", "fixed-length-unsigned-integer", Self.byte),
            member("b", "dynamic-length-blob", #""length-field-location": {"path": ["n"]}"#),
        ]
        try expect(
            [
                "a = { ab 01 }, n = 1, b = { ff }", "a = { 00 02 }, n = 0, b = { }",
            ],
            members, [0xAB, 1, 1, 0xFF, 0, 2, 0])
    }

    @Test("strings of other encodings, null-terminated and with a length")
    func strings() throws {
        func encoded(_ encoding: String) -> String { #""encoding": "\#(encoding)""# }
        let members = [
            member("a", "null-terminated-string", encoded("utf-16le")),
            member("b", "null-terminated-string", encoded("utf-32be")),
            member("c", "static-length-string", encoded("utf-16be") + #", "length": 6"#),
            member("n", "fixed-length-unsigned-integer", Self.byte),
            member("d", "dynamic-length-string", encoded("utf-8") + #", "length-field-location": {"path": ["n"]}"#),
        ]
        let bytes = ByteBuilder.build {
            for unit in "né\u{1F600}\0".utf16 { $0.integer(unit) }
            for scalar in "ü\0".unicodeScalars { $0.integer(scalar.value, bigEndian: true) }
            for unit in "x\"\0".utf16 { $0.integer(unit, bigEndian: true) }
            $0.u8(3)
            $0.append(Array("é!".utf8))
        }
        try expect([#"a = "né\#u{1F600}", b = "ü", c = "x\"", n = 3, d = "é!""#], members, bytes)
    }

    @Test("optional fields are included by a Boolean or by ranges of an integer")
    func optionals() throws {
        let content = #""field-class": {"type": "fixed-length-unsigned-integer", \#(Self.byte), "alignment": 8}"#
        let members = [
            member("f", "fixed-length-boolean", Self.byte),
            member("a", "optional", #""selector-field-location": {"path": ["f"]}, "# + content),
            member("t", "fixed-length-signed-integer", Self.byte),
            member(
                "b", "optional",
                #""selector-field-location": {"origin": "event-record-payload", "path": ["t"]}, "#
                    + #""selector-field-ranges": [[-2, -1], [5, 5]], "# + content),
        ]
        try expect(
            [
                "f = true, a = { 7 }, t = -2, b = { 8 }", "f = false, a = <none>, t = 0, b = <none>",
                "f = false, a = <none>, t = 5, b = { 9 }",
            ], members, [1, 7, 0xFE, 8, 0, 0, 0, 5, 9])
    }

    @Test("variants take plain integers as selectors, their options need no names, and paths lead to parents")
    func variants() throws {
        let options =
            #""options": [{"selector-field-ranges": [[0, 3], [9, 9]], "#
            + #""field-class": {"type": "null-terminated-string"}}, "#
            + #"{"name": "n", "selector-field-ranges": [[4, 4]], "field-class": {"type": "fixed-length-bit-array", "#
            + Self.byte + "}}]"
        let inner = member("v", "variant", #""selector-field-location": {"path": [null, "s"]}, "# + options)
        let members = [
            member("s", "fixed-length-unsigned-integer", Self.byte),
            member("in", "structure", #""member-classes": ["# + inner + "]"),
        ]
        try expect(
            [#"s = 9, in = { v = { "a" } }"#, "s = 4, in = { v = { 0x41 } }"], members, [9, 0x61, 0, 4, 0x41])
    }

    @Test("numbers with a bit order other than that of the byte order have their bits reversed")
    func bitOrder() throws {
        func number(_ name: String, _ type: String, _ length: Int, _ bytes: String, _ bits: String) -> String {
            member(name, type, #""length": \#(length), "byte-order": "\#(bytes)-endian", "bit-order": "\#(bits)""#)
        }
        let unsigned = "fixed-length-unsigned-integer"
        let members = [
            number("a", unsigned, 8, "little", "first-to-last"), number("b", unsigned, 8, "little", "last-to-first"),
            number("c", unsigned, 16, "little", "last-to-first"),
            number("d", "fixed-length-signed-integer", 8, "little", "last-to-first"),
            member("e", "dynamic-length-blob", #""length-field-location": {"path": ["x", null, "b"]}"#),
        ]
        try expect(["a = 3, b = 1, c = 16385, d = -2, e = { 09 }"], members, [3, 0x80, 2, 0x80, 0x7F, 9])
    }

    @Test("floating-point numbers of 16 bits, and arrays with a minimum alignment")
    func halfPrecision() throws {
        let half = #""length": 16, "byte-order": "little-endian""#
        let element = #""element-field-class": {"type": "fixed-length-unsigned-integer", \#(Self.byte)}"#
        let members = [
            member("h", "fixed-length-floating-point-number", half),
            member("x", "fixed-length-unsigned-integer", Self.byte),
            member("a", "static-length-array", #""length": 1, "minimum-alignment": 16, "# + element),
        ]
        try expect(
            ["h = 1.5, x = 3, a = [ [0] = 4 ]", "h = -0.25, x = 5, a = [ [0] = 6 ]"], members,
            [0, 0x3E, 3, 0, 4, 0, 0, 0xB4, 5, 0, 6])
    }

    @Test("aliases, roles under any name, a UUID as a BLOB, and a time stamp of variable length")
    func roles() throws {
        let metadata = [
            #"{"type": "preamble", "version": 2, "uuid": [16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31]}"#,
            #"{"type": "field-class-alias", "name": "u8", "field-class": {"type": "fixed-length-unsigned-integer", "#
                + Self.byte + #", "alignment": 8}}"#,
            #"{"type": "trace-class", "namespace": "example.org,2026", "uid": "a", "attributes": {"x": {"y": 1}}, "#
                + #""environment": {"hostname": "box", "procname": "p", "vpid": 7}, "packet-header-field-class": "#
                + #"{"type": "structure", "member-classes": [{"name": "x", "field-class": {"#
                + #""type": "fixed-length-unsigned-integer", "length": 32, "byte-order": "little-endian", "#
                + #""roles": ["packet-magic-number"]}}, {"name": "y", "field-class": {"type": "static-length-blob", "#
                + #""length": 16, "roles": ["metadata-stream-uuid"]}}]}}"#,
            #"{"type": "clock-class", "id": "k", "name": "monotonic", "frequency": 1000000000, "uid": "boot"}"#,
            #"{"type": "data-stream-class", "default-clock-class-id": "k", "event-record-header-field-class": "#
                + #"{"type": "structure", "member-classes": [{"name": "p", "field-class": {"#
                + #""type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "little-endian", "#
                + #""roles": ["event-record-class-id"]}}, {"name": "q", "field-class": {"#
                + #""type": "variable-length-unsigned-integer", "roles": ["default-clock-timestamp"]}}]}}"#,
            #"{"type": "event-record-class", "id": 3, "name": "e", "payload-field-class": {"type": "structure", "#
                + #""member-classes": [{"name": "id", "field-class": "u8"}, {"name": "magic", "field-class": "u8"}]}}"#,
        ].map { "\u{1E}\($0)\n" }.joined()
        let bytes = ByteBuilder.build {
            $0.integer(UInt32(0xC1FC_1FC1))
            $0.append(CTFTraceFixture.uuid)
            $0.u8(3, 0x7E, 1, 2)
            // The low seven bits of the clock wrap around.
            $0.u8(3, 0x01, 3, 4)
            $0.u8(3, 0x80, 0x02, 5, 6)
        }
        let found = try lines(CTFTraceFixture(metadata: metadata, files: [("s", bytes)]))
        #expect(found.notes.isEmpty, "\(found.notes)")
        #expect(
            found.lines == [
                "[00000000000000000126] (+????????????) box:p:(7) e: { id = 1, magic = 2 }",
                "[00000000000000000129] (+000000000003) box:p:(7) e: { id = 3, magic = 4 }",
                "[00000000000000000256] (+000000000127) box:p:(7) e: { id = 5, magic = 6 }",
            ])
        try CTFTraceFixture(metadata: metadata).use { path in
            let trace = try CTFTrace(path: path)
            #expect(trace.uuid == CTFTraceFixture.uuid)
            #expect(trace.clock.uuid == "boot")
            #expect(!trace.clock.isAbsolute)
        }
    }

    @Test("metadata in packets of version 2.0 is read")
    func packets() throws {
        let fixture = trace(member("a", "fixed-length-bit-array", Self.byte), [1, 2])
        var packets = LTTngFixture.packets(of: String(decoding: fixture.metadata, as: UTF8.self))
        (packets[35], packets[36]) = (2, 0)
        var packed = fixture
        packed.metadata = packets
        #expect(try lines(packed).lines == lines(fixture).lines)
    }

    @Test("unknown extensions and fragments are ignored with a note, and attributes without one")
    func ignored() throws {
        let fragments = [
            #"{"type": "trace-class", "attributes": {"a": 1}, "extensions": {"example.org": {"x": true}}}"#,
            #"{"type": "weather", "rain": true}"#,
        ]
        let found = try lines(
            trace(member("a", "fixed-length-bit-array", Self.byte), [1], fragments: fragments))
        #expect(found.lines == ["e: { a = 0x1 }"])
        #expect(found.notes.map(\.code) == [.unknownAttribute, .unknownAttribute])
    }

    @Test("an integer of variable length with more than 64 bits ends its packet", arguments: [0x02, 0x7F] as [UInt8])
    func tooLarge(last: UInt8) throws {
        let bytes = [5] + Array(repeating: UInt8(0xFF), count: 9) + [last]
        let found = try lines(trace(member("a", "variable-length-unsigned-integer"), bytes))
        #expect(found.lines == ["e: { a = 5 }"])
        #expect(found.notes.map(\.code) == [.badField])
        #expect(found.notes.first?.byteOffset == 1)
    }

    @Test(
        "broken fragments give one error with the line",
        arguments: [
            ("is no JSON", "{", .syntax), ("has no type", "{}", .syntax),
            ("has a wrong type", #"{"type": 1}"#, .syntax),
            ("has a second preamble", #"{"type": "preamble", "version": 2}"#, .syntax),
            ("has a clock without id", #"{"type": "clock-class", "frequency": 1}"#, .missingAttribute),
            ("has a clock without frequency", #"{"type": "clock-class", "id": "c"}"#, .missingAttribute),
            (
                "has a clock that is not declared", #"{"type": "data-stream-class", "default-clock-class-id": "c"}"#,
                .unknownReference
            ),
            (
                "has an event of no stream",
                #"{"type": "data-stream-class", "id": 7}"# + "\n\u{1E}" + #"{"type": "event-record-class"}"#,
                .unknownStream
            ),
            ("has an alias that is not declared", payload(#""nothing""#), .unknownType),
            ("has an unknown field class", payload(#"{"type": "thing"}"#), .unknownType),
            ("has an integer without length", payload(#"{"type": "fixed-length-boolean"}"#), .invalidAttribute),
            (
                "has an integer without byte order", payload(#"{"type": "fixed-length-boolean", "length": 8}"#),
                .invalidAttribute
            ),
            ("has an array without length", payload(#"{"type": "static-length-blob"}"#), .invalidAttribute),
            ("has an array without location", payload(#"{"type": "dynamic-length-blob"}"#), .missingAttribute),
            (
                "has a length that does not exist",
                payload(#"{"type": "dynamic-length-blob", "length-field-location": {"path": ["n"]}}"#),
                .unknownReference
            ),
            (
                "has a path above the root",
                payload(#"{"type": "dynamic-length-blob", "length-field-location": {"path": [null, "n"]}}"#),
                .unknownReference
            ),
            (
                "has an unknown encoding", payload(#"{"type": "null-terminated-string", "encoding": "x"}"#),
                .invalidAttribute
            ),
            ("has a variant without options", payload(#"{"type": "variant", "options": []}"#), .missingAttribute),
            (
                "has a payload that is a string",
                #"{"type": "data-stream-class"}"# + "\n\u{1E}"
                    + #"{"type": "event-record-class", "payload-field-class": {"type": "null-terminated-string"}}"#,
                .invalidAttribute
            ),
        ] as [(String, String, CTFError.Code)])
    func broken(description: String, fragment: String, code: CTFError.Code) throws {
        let metadata = "\u{1E}{\"type\": \"preamble\", \"version\": 2}\n\u{1E}\(fragment)\n"
        try CTFTraceFixture(metadata: metadata).use { path in
            do throws(CTFError) {
                _ = try CTFTrace(path: path)
                Issue.record("the metadata was accepted")
            } catch {
                #expect(error.code == code, "\(error)")
                #expect(error.place?.file == "\(path)/metadata")
                #expect(error.place?.line == 2 + fragment.split(separator: "\n").count - 1, "\(error)")
            }
        }
    }

    /// A data stream class and an event record class with one member, in two lines.
    private static func payload(_ fieldClass: String) -> String {
        #"{"type": "data-stream-class"}"# + "\n\u{1E}"
            + #"{"type": "event-record-class", "name": "e", "payload-field-class": {"type": "structure", "#
            + #""member-classes": [{"name": "a", "field-class": "# + fieldClass + "}]}}"
    }

    @Test("metadata without a data stream class is refused")
    func noStreamClass() throws {
        try CTFTraceFixture(metadata: "\u{1E}{\"type\": \"preamble\", \"version\": 2}").use { path in
            let error = #expect(throws: CTFError.self) { try CTFTrace(path: path) }
            #expect(error?.code == .missingAttribute)
        }
    }

    @Test("another version is refused")
    func version() throws {
        try CTFTraceFixture(metadata: "\u{1E}{\"type\": \"preamble\", \"version\": 3}").use { path in
            let error = #expect(throws: CTFError.self) { try CTFTrace(path: path) }
            #expect(error?.code == .unsupportedVersion)
        }
    }

    @Test("aliases that use each other many times are refused in little time")
    func explosion() throws {
        let fragments = (0..<64).map { number in
            let element = number == 0 ? #"{"type": "null-terminated-string"}"# : "\"a\(number - 1)\""
            let members = ["x", "y"].map { "{\"name\": \"\($0)\", \"field-class\": \(element)}" }.joined(
                separator: ", ")
            return "{\"type\": \"field-class-alias\", \"name\": \"a\(number)\", "
                + "\"field-class\": {\"type\": \"structure\", \"member-classes\": [\(members)]}}"
        }
        let fixture = trace(member("a", "null-terminated-string"), [], fragments: fragments)
        try fixture.use { path in
            let error = #expect(throws: CTFError.self) { try CTFTrace(path: path) }
            #expect(error?.code == .limitExceeded)
        }
    }
}
