/// Traces for headers, clocks, losses and stream classes.
extension ConstructTrace {
    /// The event headers of LTTng: 5 and 27 bits, or 16 and 32 bits, and an extended form.
    static func lttngHeader(_ order: FieldShape.ByteOrder, _ idSize: Int, _ timeSize: Int) -> DeclaredTrace {
        var trace = DeclaredTrace(order: order)
        let last = Int64(1) << Int64(idSize) - 1
        trace.streams[0].packetContext = [
            ("timestamp_begin", .time(64)), ("timestamp_end", .time(64)), ("content_size", .u(64)),
            ("packet_size", .u(64)), ("packet_seq_num", .u(64)), ("events_discarded", .u(64)), ("cpu_id", .u(32)),
        ]
        trace.streams[0].eventHeader = [
            ("id", .enumeration(.init(size: idSize), [("compact", 0, last - 1), ("extended", last, last)])),
            (
                "v",
                .variant(
                    "id",
                    [
                        ("compact", .structure([("timestamp", .time(timeSize))])),
                        ("extended", .structure([("id", .u(32)), ("timestamp", .time(64))])),
                    ])
            ),
        ]
        trace.streams[0].eventContext = [("_vtid", .s(32)), ("_procname", .array(FieldShape.character, 17))]
        trace.streams[0].events = [.init(name: "e", id: 2, fields: [("x", .u(32))])]
        let wrap = UInt64(1) << UInt64(timeSize)
        let begin = 5 * wrap - 100
        func record(_ time: UInt64, extended: Bool = false) -> DeclaredTrace.Record {
            let name = FieldValue.text(Array("prog".utf8) + [UInt8](repeating: 0, count: 13))
            return .init(
                header: extended
                    ? [.number(UInt64(last)), .option("extended", [2, .number(time)])]
                    : [2, .option("compact", [.number(time % wrap)])],
                streamContext: [-7, name], fields: [.number(time % 1000)])
        }
        let times = [begin, begin + 50, begin + 150, begin + wrap + 3, begin + 2 * wrap]
        let records =
            times.map { record($0) } + [record(begin + 9 * wrap, extended: true), record(begin + 9 * wrap + 1)]
        trace.files = [
            (
                "s",
                [
                    .init(
                        values: [
                            "timestamp_begin": .number(begin), "timestamp_end": .number(begin + 9 * wrap + 5),
                            "cpu_id": 1,
                        ], records: records, padding: 64)
                ]
            )
        ]
        return trace
    }

    static func clock(_ text: String) -> DeclaredTrace {
        var trace = payload(.le, [("x", .u(8))], [1], [2], [3])
        trace.clocks = [text]
        return trace
    }

    /// Two stream classes with different clocks.
    static func twoClocks(_ order: FieldShape.ByteOrder) -> DeclaredTrace {
        var trace = DeclaredTrace(order: order)
        trace.clocks = [
            "name = c; freq = 1000000000; offset_s = 1600000000; absolute = true;",
            "name = d; freq = 1000; offset_s = 1600000000; offset = 1; absolute = true;",
        ]
        var second = DeclaredTrace.Stream(id: 5)
        second.eventHeader = [("id", .u(8)), ("timestamp", .time(32, "d"))]
        trace.streams[0].events = [.init(name: "fine", fields: [("x", .u(8))])]
        second.events = [.init(name: "coarse", fields: [("x", .u(8))])]
        trace.streams.append(second)
        let fine = [500_000, 1_500_000, 2_000_000, 9_000_000].map {
            DeclaredTrace.Record(header: [0, .number($0)], fields: [1])
        }
        let coarse = [0, 3, 9].map { DeclaredTrace.Record(header: [0, .number($0)], fields: [2]) }
        trace.files = [("a", [.init(records: fine)]), ("b", [.init(stream: 1, records: coarse)])]
        return trace
    }

    static func losses(_ order: FieldShape.ByteOrder) -> DeclaredTrace {
        var trace = payload(order, [("x", .u(8))])
        trace.streams[0].packetContext = [
            ("timestamp_begin", .time(64)), ("timestamp_end", .time(64)), ("content_size", .u(64)),
            ("packet_size", .u(64)), ("packet_seq_num", .u(32)), ("events_discarded", .u(32)),
        ]
        func packet(_ begin: Int64, _ sequence: Int64, _ discarded: Int64) -> DeclaredTrace.Packet {
            .init(
                values: [
                    "timestamp_begin": .number(UInt64(begin)), "timestamp_end": .number(UInt64(begin + 90)),
                    "packet_seq_num": .number(UInt64(sequence)), "events_discarded": .number(UInt64(discarded)),
                ], records: [.init(header: [7, .number(UInt64(begin + 5))], fields: [3])], padding: 8)
        }
        trace.files = [
            ("a", [packet(100, 0, 0), packet(200, 1, 4), packet(300, 4, 4), packet(400, 5, 10)]),
            ("b", [packet(150, 7, 0), packet(350, 9, 1)]),
        ]
        return trace
    }

    static func streams(_ order: FieldShape.ByteOrder) -> DeclaredTrace {
        var trace = DeclaredTrace(order: order)
        trace.packetHeader?.append(("stream_instance_id", .u(64)))
        for id in [3, 1, 9] as [UInt64] {
            var stream = DeclaredTrace.Stream(id: id)
            stream.eventContext = [("_vpid", .s(32)), ("_perf_cpu_cycles", .u(64))]
            stream.events = [
                .init(name: "a\(id)", id: 0, fields: [("x", .u(8))]),
                .init(name: "b\(id)", id: 70000, context: [("c", .string)], fields: []), .init(name: "c\(id)", id: 1),
            ]
            stream.eventHeader = [("id", .u(32)), ("timestamp", .time(64))]
            trace.streams.append(stream)
        }
        trace.streams.removeFirst()
        trace.files = (0..<3).map { index in
            let records = (0..<9).map { number -> DeclaredTrace.Record in
                let time = FieldValue.number(UInt64(1000 + number * 30 + index * 7))
                let context: [FieldValue] = [.number(UInt64(40 + index)), .number(UInt64(number) << 40)]
                switch number % 3 {
                case 0: return .init(event: 0, header: [0, time], streamContext: context, fields: [9])
                case 1: return .init(event: 1, header: [70000, time], streamContext: context, context: ["ctx"])
                default: return .init(event: 2, header: [1, time], streamContext: context)
                }
            }
            return ("f\(index)", [.init(stream: index, values: ["stream_instance_id": 4], records: records)])
        }
        return trace
    }
}
