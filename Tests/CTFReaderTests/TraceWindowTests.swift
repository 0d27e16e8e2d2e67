import Foundation
import TestSupport
import Testing

@testable import CTFReader

@Suite("Moments of a trace") struct TimePointTests {
    @Test("Lengths of time count from the begin, or with a minus sign from the end")
    func lengths() {
        let second: Int64 = 1_000_000_000
        #expect(TimePoint("12.5s") == .sinceBegin(12 * second + second / 2))
        #expect(TimePoint("12.5") == .sinceBegin(12 * second + second / 2))
        #expect(TimePoint("+3 s") == .sinceBegin(3 * second))
        #expect(TimePoint("350ms") == .sinceBegin(350_000_000))
        #expect(TimePoint("80us") == .sinceBegin(80_000))
        #expect(TimePoint("1.5µs") == .sinceBegin(1_500))
        #expect(TimePoint("7ns") == .sinceBegin(7))
        #expect(TimePoint("2m") == .sinceBegin(120 * second))
        #expect(TimePoint("0.5h") == .sinceBegin(1_800 * second))
        #expect(TimePoint("-2s") == .beforeEnd(2 * second))
        #expect(TimePoint("0.123456789") == .sinceBegin(123_456_789))
    }

    @Test("Times of day, with and without date and zone")
    func clock() {
        let time: Int64 = ((18 * 60 + 37) * 60 + 8) * 1_000_000_000 + 500_000_000
        #expect(TimePoint("18:37:08.5") == .timeOfDay(time, offset: nil))
        #expect(TimePoint("18:37:08.5Z") == .timeOfDay(time, offset: 0))
        #expect(TimePoint("18:37") == .timeOfDay(time - 8_500_000_000, offset: nil))
        #expect(TimePoint("2026-11-22T18:37:08.5Z") == .wallClock(1_795_372_628_500_000_000))
        #expect(TimePoint("2026-11-22 18:37:08.5 UTC") == .wallClock(1_795_372_628_500_000_000))
        #expect(TimePoint("2026-11-22T20:37:08.5+02:00") == .wallClock(1_795_372_628_500_000_000))
    }

    @Test(
        "Anything else is no moment",
        arguments: [
            "", "s", "-", "1.s", "1.5 days", "--2s", "25:00", "18:60", "18:37:60", "2026-13-01 00:00", "2026-11-22",
            "1e3", "12.5s ", "99999999999999999999s", "9223372036.9s", "153722867.9m",
        ])
    func nonsense(text: String) { #expect(TimePoint(text) == nil) }

    @Test("A time of day is on the day of the trace, or on the next when the trace goes on past midnight")
    func midnight() {
        let day: Int64 = 86_400_000_000_000
        let begin = 20_000 * day - 60_000_000_000
        let whole = begin...begin + 120_000_000_000
        #expect(TimePoint("23:59:30Z")?.resolved(in: whole) == begin + 30_000_000_000)
        #expect(TimePoint("00:00:30Z")?.resolved(in: whole) == begin + 90_000_000_000)
        #expect(TimePoint("12:00Z")?.resolved(in: whole) == begin - day / 2 + 60_000_000_000)
    }

    private static let whole: ClosedRange<Int64> = 1_000_000_000_000...1_012_500_000_000

    private func window(_ from: String?, _ to: String?) throws -> TraceWindow {
        try WindowRequest(
            from: from.flatMap { TimePoint($0) }, to: to.flatMap { TimePoint($0) }, fromText: from, toText: to
        ).window(in: Self.whole, path: "trace")
    }

    @Test("A window is cut off at the trace's begin and end")
    func cut() throws {
        let part = try window("2s", "3s")
        #expect((part.begin, part.end) == (1_002_000_000_000, 1_003_000_000_000))
        #expect(part.runUpBegin == 1_001_500_000_000)
        let rest = try window("-2s", "1h")
        #expect((rest.begin, rest.end) == (1_010_500_000_000, Self.whole.upperBound))
        let start = try window(nil, "1ms")
        #expect((start.begin, start.runUpBegin) == (Self.whole.lowerBound, Self.whole.lowerBound))
    }

    @Test("What cannot be read says why")
    func errors() throws {
        func error(_ from: String?, _ to: String?) throws -> TraceWindowError {
            try #require(throws: TraceWindowError.self) { try window(from, to) }
        }
        #expect(try error("5s", "3s").code == .reversed)
        #expect(try error("5s", "3s").description.contains("--from 5s is later than --to 3s"))
        #expect(try error("3s", "3000ms").code == .empty)
        #expect(try error("3s", "3000ms").description.hasPrefix("--from 3s and --to 3000ms are the same time"))
        #expect(try error(nil, "0").description.hasPrefix("--to 0 is the start of the trace"))
        #expect(try error("-0s", nil).description.hasPrefix("--from -0s is the end of the trace"))
        #expect(try error("2199-01-01 00:00", nil).description.hasPrefix("--from 2199-01-01 00:00 is after the end"))
        #expect(try error("20s", nil).code == .outside)
        #expect(try error("20s", nil).description.contains("lasts from 0 to 12.500000 s"))
        #expect(try error(nil, "-13s").code == .outside)
        #expect(throws: TraceWindowError.self) {
            try WindowRequest(from: nil, to: nil).window(in: nil, path: "empty")
        }
    }
}

@Suite("The event records of a part of a trace") struct EventWindowTests {
    private func text(_ trace: CTFTrace, _ window: TraceWindow? = nil) throws -> [String] {
        var bytes: [UInt8] = []
        _ = try EventFormatter.write([trace], window: window) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Removes the time since the previous record from a line, because the first record of a window has none.
    private func cut(_ line: String) -> String { line.replacing(#/\(\+[^)]*\) /#, with: "", maxReplacements: 1) }

    private static let corpus = URL(filePath: Package.root + "/traces")

    /// The duration of a trace of one packet.
    private func length(metadata: String = CTFTraceFixture.metadata(), _ packet: [UInt8]) throws -> Int64 {
        try CTFTraceFixture(metadata: metadata, files: [("stream", packet)]).use { path in
            let whole = try #require(TraceMerge.extent(of: [CTFTrace(path: path)]))
            return whole.upperBound - whole.lowerBound
        }
    }

    @Test("A record that is cut off is not the trace's end")
    func cutRecord() throws {
        let packet = PacketBuilder.build {
            $0.begin = 1
            $0.item(1, at: 1_000)
            $0.item(2, at: 1_500)
            $0.item(3, at: 900_000)
            $0.contentSize = UInt64(PacketBuilder.headSize + 15 + 15 + 14) * 8
        }
        #expect(try length(packet) == 500)
    }

    @Test("A header may have an id of any value")
    func plainHeader() throws {
        let usual = #/struct event_header \{.*?\n\};/#.dotMatchesNewlines()
        let metadata = CTFTraceFixture.metadata()
            .replacing(usual, with: "struct event_header { uint8_t id; uint32_clock_t timestamp; };")
        let packet = PacketBuilder.build {
            $0.begin = 1
            for number in 1...9 { $0.item(UInt64(number), at: UInt64(number) * 100) }
        }
        #expect(try length(metadata: metadata, packet) == 800)
    }

    @Test("The head of a packet may be long")
    func longHead() throws {
        var declared = DeclaredTrace()
        declared.streams[0].packetContext? += [
            ("timestamp_begin", .time(64)), ("timestamp_end", .time(64)), ("comment", .array(.u(8), 300)),
        ]
        declared.streams[0].events = [.init(name: "e", fields: [("x", .u(8))])]
        let packets = (0..<4).map { number in
            let time = FieldValue.number(UInt64(1_000_000 * number))
            return DeclaredTrace.Packet(
                values: [
                    "timestamp_begin": time, "timestamp_end": time,
                    "comment": .list((0..<300).map { .number(UInt64($0 & 255)) }),
                ], records: [.init(header: [.number(0), time], fields: [.number(UInt64(number))])])
        }
        declared.files = [("s", packets)]
        try declared.fixture.use { path in
            let trace = try CTFTrace(path: path)
            let whole = try #require(TraceMerge.extent(of: [trace]))
            #expect(whole.upperBound - whole.lowerBound == 3_000_000)
            let window = TraceWindow(begin: whole.lowerBound + 1_000_000, end: whole.lowerBound + 2_000_000, of: whole)
            #expect(try text(trace, window).map(cut) == text(trace)[1...2].map(cut))
            #expect(try EventFormatter.write([trace], window: window) { _ in }[0].packets == 2)
        }
    }

    @Test("They are those of the whole list, cut by time", arguments: ["1.0/order-example", "1.3/news-service-before"])
    func cut(name: String) throws {
        let trace = try CTFTrace(path: Self.corpus.appending(path: "\(name)/trace").path)
        let whole = try #require(TraceMerge.extent(of: [trace]))
        let all = try text(trace)
        func time(_ line: String) throws -> Substring { try #require(line.split(separator: " ").first) }
        let length = whole.upperBound - whole.lowerBound
        var clock = TimeOfDay()
        for (from, to) in [(0, 10), (33, 34), (50, 90), (99, 100)] as [(Int64, Int64)] {
            let window = TraceWindow(
                begin: whole.lowerBound + length / 100 * from,
                end: to == 100 ? whole.upperBound : whole.lowerBound + length / 100 * to, of: whole)
            let (first, last) = ("[\(clock.text(window.begin))]", "[\(clock.text(window.end))]")
            // The displayed times may differ by a nanosecond from the exact bounds of the trace.
            let expected = try all.filter { line in
                let time = try time(line)
                return (from == 0 || first <= time) && (to == 100 || time <= last)
            }
            let found = try text(trace, window)
            #expect(found.map(cut) == expected.map(cut))
            #expect(found.dropFirst() == expected.dropFirst())
        }
    }

    @Test("They are those that babeltrace2 lists", .enabled(if: Babeltrace.path != nil))
    func babeltrace() throws {
        // Without empty strings, which babeltrace2 prints incorrectly.
        let path = Self.corpus.appending(path: "1.3/plain-news-service-before/trace").path
        let trace = try CTFTrace(path: path)
        let whole = try #require(TraceMerge.extent(of: [trace]))
        let length = whole.upperBound - whole.lowerBound
        for (from, to) in [(0, 1), (40, 42), (95, 100)] as [(Int64, Int64)] {
            let window = TraceWindow(
                begin: whole.lowerBound + length / 100 * from,
                end: to == 100 ? whole.upperBound : whole.lowerBound + length / 100 * to, of: whole)
            func seconds(_ time: Int64) -> String {
                "\(time / 1_000_000_000).\(String(1_000_000_000 + time % 1_000_000_000).dropFirst())"
            }
            let begin = from == 0 ? [] : ["--begin=\(seconds(window.begin))"]
            let end = to == 100 ? [] : ["--end=\(seconds(window.end))"]
            let oracle = try Babeltrace.run(begin + end + [path])
            #expect(try text(trace, window) == Babeltrace.lines(oracle.output))
        }
    }

    //   packet   │ 0 │ 1 ─ a record ··········· │ 2 │
    //   run-up                       ├───┤
    @Test("The packet in which its run-up begins is no missing one, and its losses are told, also without records then")
    func emptyOpening() throws {
        func packet(_ sequence: UInt64, _ times: [UInt64], end: UInt64, discarded: UInt64) -> [UInt8] {
            PacketBuilder.build { packet in
                packet.sequence = sequence
                packet.discarded = discarded
                packet.begin = times[0]
                packet.end = end
                for time in times { packet.item(1, at: time) }
            }
        }
        let millisecond: UInt64 = 1_000_000
        let packets =
            packet(0, [0, millisecond], end: millisecond, discarded: 0)
            + packet(1, [2 * millisecond], end: 30 * millisecond, discarded: 4)
            + packet(2, [31 * millisecond, 40 * millisecond], end: 40 * millisecond, discarded: 4)
        try CTFTraceFixture(files: [("s", packets)]).use { path in
            let trace = try CTFTrace(path: path)
            let whole = try #require(TraceMerge.extent(of: [trace]))
            let begin = whole.lowerBound + 30_000_000
            let window = TraceWindow(begin: begin, end: begin + 5_000_000, of: whole)
            let summary = try trace.forEachBatch(
                in: window, role: { _ in WindowRole(.passing) }, windowBegins: {}, { _, _ in })
            #expect(summary.events == 1)
            #expect(summary.notes.isEmpty && summary.lostPackets == 0)
            #expect(summary.discarded == 4)
        }
    }

    @Test("Packets outside of it are not read")
    func packets() throws {
        let fixture = BabeltraceOracleTests.ring
        try fixture.use { path in
            let trace = try CTFTrace(path: path)
            let whole = try #require(TraceMerge.extent(of: [trace]))
            let middle = whole.lowerBound + (whole.upperBound - whole.lowerBound) / 2
            let window = TraceWindow(begin: middle, end: middle + 2, of: whole)
            let summary = try EventFormatter.write([trace], window: window) { _ in }
            #expect(summary[0].packets < 12)
            #expect(summary[0].events > 0)
        }
    }
}
