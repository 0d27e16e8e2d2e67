import Testing

@testable import CTFReader

/// A data stream file and its copy in the same directory.
@Suite("Copies of a data stream file")
struct RepeatedFilesTests {
    /// Packets of one stream with one item each. The time of an item equals the number of its packet.
    private func stream(_ packets: ClosedRange<UInt64>, instance: UInt64 = 1, items: UInt64 = 0) -> [[UInt8]] {
        packets.map { number in
            var packet = PacketBuilder(instance: instance, begin: number * 10, end: number * 10 + 9)
            packet.sequence = number
            packet.item(items + number, at: number * 10)
            return packet.bytes
        }
    }

    private func items(_ lines: [String]) -> [String] {
        lines.compactMap { $0.split(separator: " ").first { $0.hasPrefix("item=") }.map { String($0.dropFirst(5)) } }
    }

    @Test("A file and its copy are read once, and a note names the copy", arguments: ["s-copy", "a"])
    func copy(name: String) throws {
        let bytes = stream(0...2).flatMap { $0 }
        let fixture = CTFTraceFixture(files: [("s", bytes), (name, bytes), ("other", stream(0...0, instance: 2)[0])])
        let (lines, summary) = try fixture.read()
        #expect(items(lines) == ["0", "0", "1", "2"])
        #expect(summary.notes.map(\.code) == [.repeatedStream])
        // When two files are equal, the file with the longer name is assumed to be the copy.
        let (copy, original) = name == "a" ? ("s", "a") : ("s-copy", "s")
        #expect(summary.notes[0].file == copy)
        #expect(summary.notes[0].problem.contains("the same packets as \(original)"))
        #expect((summary.files, summary.damagedFiles) == (2, 0))
        #expect(summary.lostPackets == 0)
    }

    @Test("Of copies of different length the longest is read, whatever they are called", arguments: ["a", "z"])
    func shorterCopy(name: String) throws {
        let packets = stream(0...3)
        let whole = packets.flatMap { $0 }
        let cut = Array(whole.dropLast(packets[3].count + 5))
        let files = [("s", whole), (name, packets[0] + packets[1]), (name + "2", cut)]
        let (lines, summary) = try CTFTraceFixture(files: files).read()
        #expect(items(lines) == ["0", "1", "2", "3"])
        #expect(summary.notes.map(\.file) == [name, name + "2"])
        #expect(summary.notes.allSatisfy { $0.problem.contains("as s,") })
    }

    @Test("Files that go on with a stream, or have other packets of its, are no copies")
    func noCopies() throws {
        let (first, second) = (stream(0...1).flatMap { $0 }, stream(2...3).flatMap { $0 })
        #expect(items(try CTFTraceFixture(files: [("a", first), ("b", second)]).read().lines) == ["0", "1", "2", "3"])
        // The files have the same first packets and differ later.
        var other = PacketBuilder(instance: 1, begin: 10, end: 12)
        other.sequence = 1
        other.item(9, at: 11)
        let (lines, summary) = try CTFTraceFixture(files: [("a", first), ("b", stream(0...0)[0] + other.bytes)]).read()
        #expect(items(lines).count == 4)
        #expect(summary.notes.isEmpty)
    }

    @Test("Streams of different numbers with the same times are no copies")
    func otherStreams() throws {
        let files = [("a", stream(0...1).flatMap { $0 }), ("b", stream(0...1, instance: 2).flatMap { $0 })]
        let (lines, summary) = try CTFTraceFixture(files: files).read()
        #expect(items(lines) == ["0", "0", "1", "1"])
        #expect(summary.notes.isEmpty)
    }

    @Test("A part of the trace, batches and several traces together leave the copy out, too")
    func otherPasses() throws {
        let bytes = stream(0...3).flatMap { $0 }
        try CTFTraceFixture(files: [("s", bytes), ("s-copy", bytes)]).use { path in
            let trace = try CTFTrace(path: path)
            var count = 0
            let batches = try trace.forEachBatch(readsAhead: true) { count += $0.count }
            #expect(count == 4)
            let merged = try TraceMerge.forEachEvent(of: [trace]) { _, _ in count += 1 }
            #expect(count == 8)
            let whole = try #require(TraceMerge.extent(of: [trace]))
            let window = TraceWindow(begin: whole.lowerBound + 15, end: whole.upperBound, of: whole)
            let part = try trace.forEachBatch(
                in: window, role: { _ in WindowRole(.passing) }, windowBegins: { count = 0 }
            ) { count += $1.count }
            #expect(count == 2)
            for summary in merged + [batches, part] { #expect(summary.notes.map(\.code) == [.repeatedStream]) }
        }
    }
}
