/// A small trace for a construct of CTF 1.8.
struct ConstructTrace: CustomStringConvertible, Sendable {
    let description: String
    let make: @Sendable () -> DeclaredTrace

    private init(_ description: String, _ make: @escaping @Sendable () -> DeclaredTrace) {
        self.description = description
        self.make = make
    }

    /// A trace of one event class with these payload fields, and one record for each list of values.
    static func payload(
        _ order: FieldShape.ByteOrder, _ fields: [(name: String, shape: FieldShape)], _ values: [FieldValue]...
    ) -> DeclaredTrace {
        var trace = DeclaredTrace(order: order)
        trace.streams[0].events = [.init(name: "e", id: 7, fields: fields)]
        let records = values.enumerated().map { index, values in
            DeclaredTrace.Record(header: [7, .number(UInt64(1000 + 10 * index))], fields: values)
        }
        trace.files = [("s", [.init(records: records)])]
        return trace
    }

    private static let sizes = [1, 2, 3, 5, 7, 8, 9, 12, 15, 16, 17, 24, 27, 31, 32, 33, 47, 48, 57, 63, 64]

    /// Integers of many sizes. The highest bit is set in every other value.
    private static func integers(_ order: FieldShape.ByteOrder, align: Int?, signed: Bool) -> DeclaredTrace {
        let fields = sizes.map { size in
            (name: "i\(size)", shape: FieldShape.integer(.init(size: size, align: align, signed: signed)))
        }
        let mask: (Int) -> UInt64 = { $0 == 64 ? .max : (1 << UInt64($0)) - 1 }
        return payload(
            order, fields, sizes.map { .number(0xA5A5_C3C3_9696_F00F & mask($0)) },
            sizes.map { .number(0x5A5A_3C3C_6969_0FF1 & mask($0)) }, sizes.map { .number(mask($0)) })
    }

    private static func enumeration(_ order: FieldShape.ByteOrder, signed: Bool, base: Int) -> DeclaredTrace {
        let container = FieldShape.IntegerShape(size: 12, signed: signed, order: nil, base: base)
        let shape = FieldShape.enumeration(
            container,
            [("zero", 0, 0), ("low", 1, 9), ("overlap", 5, 20), ("seven", 7, 7), ("low", 100, 101)]
                + (signed ? [("minus", -8, -1)] : []))
        return payload(
            order, [("a", shape), ("b", shape), ("c", shape)], [0, 1, 5], [7, 20, 101], [50, signed ? -3 : 2047, 21])
    }

    /// The raw bits of a negative value equal a small positive number, such as the value of a label.
    private static func narrowEnumeration(_ order: FieldShape.ByteOrder) -> DeclaredTrace {
        let shape = FieldShape.enumeration(
            .init(size: 4, signed: true, order: nil, base: 10), [("low", 1, 7), ("minus", -2, -1)])
        return payload(order, [("a", shape), ("b", shape)], [1, -8], [7, -7], [-1, 0])
    }

    private static let tag = FieldShape.enumeration(.init(size: 8), [("one", 0, 3), ("two", 4, 4), ("three", 5, 9)])
    private static let options: [(name: String, shape: FieldShape)] = [
        ("one", .u(3)), ("two", .string), ("three", .structure([("x", .u(16)), ("y", .s(5))])),
    ]

    private static func variant(_ order: FieldShape.ByteOrder) -> DeclaredTrace {
        payload(
            order, [("t", tag), ("v", .variant("t", options)), ("after", .u(32))], [2, .option("one", 5), 1],
            [4, .option("two", "text"), 2], [9, .option("three", [500, -4]), 3])
    }

    /// Sequences whose lengths are in each scope.
    private static func scopes(_ order: FieldShape.ByteOrder) -> DeclaredTrace {
        var trace = DeclaredTrace(order: order)
        trace.packetHeader?.append(("plen", .u(8)))
        trace.streams[0].packetContext?.append(("clen", .u(8)))
        trace.streams[0].eventHeader?.append(("hlen", .u(8)))
        trace.streams[0].eventContext = [("slen", .u(5)), ("in", .structure([("deep", .u(8))]))]
        trace.streams[0].events = [
            .init(
                name: "e", id: 1, context: [("elen", .u(8))],
                fields: [
                    ("a", .sequence(.u(8), "trace.packet.header.plen")),
                    ("b", .sequence(.u(16), "stream.packet.context.clen")),
                    ("c", .sequence(.u(8), "stream.event.header.hlen")),
                    ("d", .sequence(.u(3), "stream.event.context.slen")), ("e", .sequence(.u(8), "event.context.elen")),
                    ("f", .sequence(.u(8), "stream.event.context.in.deep")), ("g", .u(8)),
                    ("h", .sequence(.u(16), "event.fields.g")),
                ])
        ]
        func record(_ time: Int64, _ h: Int64, _ s: Int64) -> DeclaredTrace.Record {
            .init(
                header: [1, .number(UInt64(time)), .number(UInt64(h))], streamContext: [.number(UInt64(s)), [2]],
                context: [4],
                fields: [
                    [1, 2, 3], [700], .list((0..<h).map { .number(UInt64($0)) }),
                    .list((0..<s).map { .number(UInt64($0)) }), [1, 2, 3, 4], [8, 9], 1, [5],
                ])
        }
        trace.files = [
            ("s", [.init(values: ["plen": 3, "clen": 1], records: [record(10, 0, 0), record(20, 5, 4)])])
        ]
        return trace
    }

    /// More length fields in a structure than ``FieldNode`` keeps places for.
    private static func manyLengths(_ order: FieldShape.ByteOrder) -> DeclaredTrace {
        let numbers = 0..<70
        var trace = DeclaredTrace(order: order)
        trace.streams[0].eventContext = [
            ("in", .structure(numbers.map { (name: "n\($0)", shape: .u($0 % 2 == 0 ? 8 : 3)) }))
        ]
        trace.streams[0].events = [
            .init(
                name: "e", id: 1,
                fields: numbers.map { (name: "f\($0)", shape: .sequence(.u(8), "stream.event.context.in.n\($0)")) })
        ]
        let records = [10, 20].map { time in
            let lengths = numbers.map { ($0 + time) % 3 }
            return DeclaredTrace.Record(
                header: [1, .number(UInt64(time))], streamContext: [.list(lengths.map { .number(UInt64($0)) })],
                fields: lengths.map { length in .list((0..<length).map { .number(UInt64($0)) }) })
        }
        trace.files = [("s", [.init(records: records)])]
        return trace
    }

    private static func nestedVariant(_ order: FieldShape.ByteOrder) -> DeclaredTrace {
        let inner = FieldShape.structure([("t", tag), ("v", .variant("t", options))])
        return payload(
            order, [("t", tag), ("v", .variant("t", [("one", inner), ("two", .u(8)), ("three", .array(inner, 2))]))],
            [1, .option("one", [4, .option("two", "deep")])],
            [6, .option("three", [[0, .option("one", 1)], [5, .option("three", [2, 3])]])], [4, .option("two", 200)])
    }

    private static func alignments(_ order: FieldShape.ByteOrder) -> DeclaredTrace {
        payload(
            order,
            [
                ("a", .u(8, align: 32)), ("b", .u(5, align: 64)), ("c", .structure([("x", .u(3))], align: 128)),
                ("d", .u(1, align: 16)), ("e", .array(.u(4, align: 8), 3)), ("f", .array(.u(12, align: 4), 3)),
                ("g", .float(bits: 32, align: 64)), ("h", .structure([], align: 32)), ("i", .u(7)),
            ], [1, 2, [3], 1, [4, 5, 6], [7, 8, 9], 1.5, [], 100], [9, 8, [7], 0, [6, 5, 4], [3, 2, 1], -0.25, [], 1])
    }

    private static func both(
        _ name: String, _ make: @escaping @Sendable (FieldShape.ByteOrder) -> DeclaredTrace
    ) -> [ConstructTrace] {
        [ConstructTrace("\(name), little-endian") { make(.le) }, ConstructTrace("\(name), big-endian") { make(.be) }]
    }

    static let all: [ConstructTrace] =
        both("packed integers") { integers($0, align: 1, signed: false) }
        + both("packed signed integers") { integers($0, align: 1, signed: true) }
        + both("integers at bytes") { integers($0, align: 8, signed: true) }
        + both("integers at their usual alignment") { integers($0, align: nil, signed: false) }
        + both("enumerations") { enumeration($0, signed: false, base: 10) }
        + both("narrow signed enumerations") { narrowEnumeration($0) }
        + both("signed enumerations in base 16") { enumeration($0, signed: true, base: 16) }
        + both("bases") { order in
            let bases = [2, 8, 10, 16]
            let fields =
                bases.map { (name: "u\($0)", shape: FieldShape.u(19, base: $0)) }
                + bases.map { (name: "s\($0)", shape: FieldShape.s(19, base: $0)) }
            return payload(
                order, fields, [1, 2, 3, 4, 5, 6, 7, 8], [300_000, 8, 99, 4096, -1, -2, -3, -4],
                [0, 0, 0, 0, -70000, -70000, -70000, -70000])
        }
        + both("numbers of the other byte order") { order in
            let other: FieldShape.ByteOrder = order == .le ? .be : .le
            return payload(
                order,
                [
                    ("a", .u(16, other)), ("b", .u(8)), ("c", .s(64, other)), ("d", .u(24, other)),
                    ("e", .float(bits: 32, order: other)), ("f", .float(bits: 64, order: other)), ("g", .u(32)),
                ], [258, 3, -5, 70000, 0.5, 1e-300, 77], [1, 0, .number(1 << 40), 2, -3.0, 3.25, 1])
        }
        + both("floating point numbers") { order in
            payload(
                order, [("f", .float(bits: 32)), ("d", .float(bits: 64)), ("u", .u(3)), ("g", .float(bits: 32))],
                [1.5, -2.25, 1, 1e10], [.float(.infinity), .float(-.infinity), 2, .float(.nan)],
                [-0.0, .float(.leastNonzeroMagnitude), 3, 1e-45])
        }
        + both("texts") { order in
            payload(
                order,
                [
                    ("a", .string), ("n", .u(3)), ("b", .string), ("c", .array(FieldShape.character, 4)), ("l", .u(16)),
                    ("d", .sequence(FieldShape.character, "l")), ("e", .array(.string, 2)),
                ], ["plain", 1, "h\u{E9}llo \"q\" \\ \n", "abcd", 3, "xyz", ["p", "q"]],
                ["\u{1F600}", 7, "tab\t", .text([0x61, 0, 0, 0]), 1, "z", ["long text here", "r"]])
        }
        + both("arrays and sequences") { order in
            payload(
                order,
                [
                    ("a", .array(.u(3), 5)), ("n", .u(5)), ("b", .sequence(.s(11), "n")),
                    ("c", .array(.array(.u(8), 2), 3)), ("m", .u(8)),
                    ("d", .sequence(.sequence(.u(4), "m"), "n")), ("e", .sequence(.structure([("x", .u(7))]), "m")),
                    ("f", .array(.u(8), 0)),
                ], [[1, 2, 3, 4, 5], 2, [-5, 6], [[1, 2], [3, 4], [5, 6]], 1, [[7], [8]], [[9]], []],
                [[0, 0, 0, 0, 7], 0, [], [[1, 2], [3, 4], [5, 6]], 0, [], [], []])
        }
        + both("structures") { order in
            payload(
                order,
                [
                    ("a", .structure([("x", .u(3)), ("y", .structure([("z", .s(13)), ("_w", .u(8))]))])),
                    ("b", .structure([])), ("_c", .u(1)), ("__d", .array(.structure([("x", .u(1))]), 3)),
                ], [[1, [-2, 3]], [], 1, [[1], [0], [1]]])
        } + both("variants", variant) + both("lengths in every scope", scopes)
        + both("many lengths", manyLengths)
        + both("variants in variants", nestedVariant) + both("alignments", alignments)
        + both("headers of 5 and 27 bits") { lttngHeader($0, 5, 27) }
        + both("headers of 16 and 32 bits") { lttngHeader($0, 16, 32) }
        + both("clocks of two stream classes", twoClocks) + both("lost packets and discarded records", losses)
        + both("stream classes and contexts", streams)
        + [
            ConstructTrace("a clock of 3.3 GHz") { clock("name = c; freq = 3300000000; offset_s = 7; offset = 12;") },
            ConstructTrace("a clock of 10 Hz") { clock("name = c; freq = 10; offset_s = 7; offset = 12;") },
            ConstructTrace("a clock with a negative offset") {
                clock("name = c; freq = 1000000000; offset_s = -77; offset = 99000000000;")
            },
            ConstructTrace("no packet header or context") {
                var trace = payload(.le, [("x", .u(8))], [1], [2])
                trace.packetHeader = nil
                trace.streams[0].packetContext = nil
                return trace
            },
            ConstructTrace("time stamps that are mapped to no clock") {
                var trace = payload(.le, [("x", .u(8))], [1], [2])
                trace.streams[0].eventHeader?[1].shape = .u(64)
                return trace
            },
            ConstructTrace("packets that state their content only") {
                var trace = payload(.le, [("x", .u(8))], [1], [2], [3])
                trace.streams[0].packetContext = [("content_size", .u(64))]
                let later = [DeclaredTrace.Record(header: [7, 5000], fields: [4])]
                trace.files[0].packets.append(.init(records: later))
                return trace
            },
            ConstructTrace("time stamps and no clock") {
                var trace = payload(.le, [("x", .u(8))], [1], [2])
                trace.streams[0].eventHeader?[1].shape = .u(64)
                trace.clocks = []
                return trace
            },
            ConstructTrace("no clock and no time stamps") {
                var trace = payload(.le, [("x", .u(8))])
                trace.clocks = []
                trace.streams[0].eventHeader = [("id", .u(8))]
                trace.files = [
                    ("s", [.init(records: [.init(header: [7], fields: [1]), .init(header: [7], fields: [2])])])
                ]
                return trace
            },
        ]
}
