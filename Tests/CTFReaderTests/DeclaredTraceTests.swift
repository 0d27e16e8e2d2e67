import CTFReader
import Foundation
import TestSupport
import Testing

@Suite("Every construct, as babeltrace2 reads it", .enabled(if: Babeltrace.path != nil, "babeltrace2 is not installed"))
struct DeclaredTraceTests {
    /// The output of both readers for a trace.
    private func compare(_ trace: DeclaredTrace) throws -> ReadSummary {
        try trace.fixture.use { try compare($0) }
    }

    private func compare(_ path: String) throws -> ReadSummary {
        var lines = Data()
        let summary = try EventFormatter.write([try CTFTrace(path: path)]) { lines.append(contentsOf: $0) }[0]
        let expected = try Babeltrace.run([path])
        #expect(expected.status == 0)
        let (left, right) = (Babeltrace.lines(lines), Babeltrace.lines(expected.output))
        #expect(left.count == right.count)
        let difference = zip(left, right).first { $0 != $1 }
        #expect(difference == nil)
        try CTFTrace(path: path).expectSameBatches()
        return summary
    }

    @Test("a construct is read as babeltrace2 reads it", arguments: ConstructTrace.all)
    func construct(_ construct: ConstructTrace) throws {
        let summary = try compare(construct.make())
        #expect(summary.events > 1 || construct.description.hasPrefix("structures"))
        #expect(summary.notes.allSatisfy { $0.code == .lostPackets })
    }

    @Test("types and values made at random are read as babeltrace2 reads them", arguments: 1...40)
    func random(seed: UInt64) throws {
        var generator = RandomTrace(seed: seed)
        let summary = try compare(generator.trace())
        #expect(summary.notes.isEmpty)
    }

    @Test("what babeltrace2 makes of a trace with its own writer is read as babeltrace2 reads it")
    func rewritten() throws {
        var compared = 0
        for construct in ConstructTrace.all {
            let folder = TemporaryDirectory()
            try construct.make().fixture.use { path in
                // babeltrace2 2.0.4 aborts when it writes integers of 24, 40, 48 or 56 bits.
                let output = folder.appending("rewritten")
                let writer = ["convert", path, "--output-format=ctf", "--output=\(output)"]
                guard try Babeltrace.run(writer).status == 0 else { return }
                let files = FileManager.default.enumerator(atPath: output)?.compactMap { $0 as? String } ?? []
                for file in files where file.hasSuffix("metadata") {
                    let summary = try compare("\(output)/\(file.dropLast("/metadata".count))")
                    #expect(summary.events > 0, "\(construct)")
                    compared += 1
                }
            }
        }
        #expect(compared >= 30)
    }

    @Test("what is missing, and when, is what babeltrace2 warns of", arguments: [FieldShape.ByteOrder.le, .be])
    func losses(order: FieldShape.ByteOrder) throws {
        var trace = ConstructTrace.losses(order)
        // babeltrace2 prints times of day.
        trace.clocks = ["name = c; freq = 1000000000;"]
        try trace.fixture.use { path in
            let summary = try CTFTrace(path: path).forEachEvent { _ in }
            let found = summary.losses.map { loss in
                let times = [loss.beginNanoseconds ?? -1, loss.endNanoseconds ?? -1]
                return "\(loss.count) \(loss.kind == .events ? "event" : "packet") \(times) \(loss.file)"
            }
            let warning =
                /Tracer discarded (\d+) (event|packet)s? between \[[0-9:]+\.(\d+)\] and \[[0-9:]+\.(\d+)\].*"(\/.*)"/
            let errors = try #require(Program.babeltrace2).run([path]).errors
            let expected = errors.split(separator: "\n").compactMap { line in
                line.firstMatch(of: warning).map { match in
                    "\(match.1) \(match.2) \([Int(match.3) ?? -2, Int(match.4) ?? -2]) \(match.5)"
                }
            }
            #expect(found.sorted() == expected.sorted())
            #expect(found.count == 5)
            #expect(summary.discarded == 11)
            #expect(summary.lostPackets == 3)
        }
    }

    @Test("the fields of every context are found by name, and the process and thread at once")
    func contexts() throws {
        try ConstructTrace.streams(.be).fixture.use { path in
            let trace = try CTFTrace(path: path)
            #expect(trace.streamClasses.map(\.id) == [3, 1, 9])
            #expect(trace.streamClasses[0].eventContext.map(\.name) == ["vpid", "perf_cpu_cycles"])
            let cycles = trace.eventClasses.indices.map { trace.contextField("perf_cpu_cycles", of: $0) }
            let texts = trace.eventClasses.indices.map { trace.contextField("c", of: $0) }
            let sizes = trace.eventClasses.indices.map { trace.contextField("content_size", of: $0) }
            #expect(trace.contextField("nothing", of: 0) == nil)
            var counts: [UInt32: Int] = [:]
            var seen: Set<String> = []
            let summary = try trace.forEachEvent { record in
                let index = record.classIndex
                counts[record.processID, default: 0] += 1
                let number = try #require(cycles[index].flatMap { record.value($0) }?.bits) >> 40
                #expect(number < 9)
                #expect(try #require(sizes[index].flatMap { record.value($0) }?.bits) > 0)
                if let text = texts[index].flatMap({ record.value($0) })?.text { seen.insert(text) }
            }
            #expect(counts == [40: 9, 41: 9, 42: 9])
            #expect(seen == ["ctx"])
            #expect(summary.events == 27)
        }
    }

    @Test(
        "a packet that states a content larger than the file is cut at the file's end",
        arguments: [1 << 40, UInt64.max])
    func contentBeyondFile(bits: UInt64) throws {
        var trace = ConstructTrace.payload(.le, [("x", .u(8))], [1], [2], [3])
        trace.streams[0].packetContext = [("content_size", .u(64))]
        trace.files[0].packets[0].values["content_size"] = .number(bits)
        let (lines, summary) = try trace.fixture.read()
        #expect(lines.count == 3)
        #expect(summary.notes.map(\.code) == [.truncatedPacket])
    }

    @Test("variants take their tags from every scope, and the processor stands in the packet's context")
    func outerTags() throws {
        let tag = FieldShape.enumeration(.init(size: 8), [("one", 0, 3), ("two", 4, 9)])
        let options: [(name: String, shape: FieldShape)] = [("one", .u(3)), ("two", .string)]
        var trace = DeclaredTrace(order: .be)
        trace.streams[0].packetContext? += [("pt", tag), ("cpu_id", .u(32))]
        trace.streams[0].eventHeader? += [("ht", tag)]
        trace.streams[0].eventContext = [("st", tag)]
        trace.streams[0].events = [
            .init(
                name: "e", context: [("et", tag)],
                fields: [
                    ("a", .variant("stream.packet.context.pt", options)), ("b", .variant("ht", options)),
                    ("c", .variant("stream.event.context.st", options)), ("d", .variant("event.context.et", options)),
                ])
        ]
        let record = DeclaredTrace.Record(
            header: [0, 5, 9], streamContext: [2], context: [4],
            fields: [.option("one", 7), .option("two", "b"), .option("one", 1), .option("two", "d")])
        trace.files = [("s", [.init(values: ["pt": 1, "cpu_id": 6], records: [record, record])])]
        try trace.fixture.use { path in
            var values: [[CTFValue]] = []
            _ = try CTFTrace(path: path).forEachEvent { record in
                values.append((0..<4).map { record.value($0) })
                #expect(record.processor == 6)
            }
            let expected: [CTFValue] = [
                .variant(name: "one", .unsigned(7, base: 10)), .variant(name: "two", .string("b")),
                .variant(name: "one", .unsigned(1, base: 10)), .variant(name: "two", .string("d")),
            ]
            #expect(values == [expected, expected])
        }
    }
}
