import CTFReader
import Foundation
import TestSupport
import Testing

@Suite("A copy of a trace that is being recorded")
struct TraceSnapshotTests {
    /// Packets of a stream. The time of each item equals its number.
    private static func stream(_ instance: UInt8, _ packets: [UInt64]...) -> [UInt8] {
        packets.enumerated().flatMap { number, items in
            var packet = ArenaFixture().packet(UInt64(number), items)
            packet[24] = instance
            return packet
        }
    }

    /// ```
    ///   definitions       │         │ 8 │
    ///   thread-0001   │ 1 2 3 │ 4 5 6 │ 9 │
    ///   thread-0002       │         │ 7 │
    ///                          ↑ end
    /// ```
    private static let files = [
        ("definitions", stream(0, [8])), ("thread-0001", stream(1, [1, 2, 3], [4, 5, 6], [9])),
        ("thread-0002", stream(2, [7])),
    ]

    private func copy(
        _ files: [(String, [UInt8])] = Self.files, until end: UInt64?, _ body: (CTFTrace, [UInt64]) throws -> Void
    ) throws {
        try ArenaFixture().use(files: files) { (path: String, _: SharedMemory) throws in
            let copy = path + "-copy"
            defer { try? FileManager.default.removeItem(atPath: copy) }
            try TraceSnapshot.copy(path, to: copy, until: end)
            try body(CTFTrace(path: copy), ArenaFixture.items(in: copy))
        }
    }

    @Test("ends at the same time in all streams, and has all definitions")
    func end() throws {
        try copy(until: 5) { trace, items in
            #expect(items == [1, 2, 3, 4, 5, 8])
            #expect(trace.packetTotals.events == 6)
            #expect(trace.streamFiles.map(\.name) == ["definitions", "thread-0001"])
            #expect(trace.environment["streams"] == .integer(1))
            #expect(trace.environment["stream_bytes"] == .integer(Int64(trace.totalBytes)))
        }
    }

    @Test("is whole without an end, and with an end after the last event", arguments: [nil, 9, .max])
    func whole(end: UInt64?) throws {
        try copy(until: end) { trace, items in
            #expect(items == [1, 2, 3, 4, 5, 6, 7, 8, 9])
            #expect(trace.environment["streams"] == .integer(2))
        }
    }

    @Test("ends between two packets")
    func betweenPackets() throws {
        try copy(until: 3) { _, items in #expect(items == [1, 2, 3, 8]) }
    }

    @Test("gives each event once when it is read together with a later copy", arguments: [false, true])
    func pieces(isReversed: Bool) throws {
        try copy(until: 5) { first, _ in
            try copy(until: nil) { second, _ in
                var items: [UInt64] = []
                let summaries = try TraceMerge.forEachEvent(of: isReversed ? [second, first] : [first, second]) {
                    items.append($1.unsigned(0))
                }
                #expect(items == [1, 2, 3, 4, 5, 6, 7, 8, 9])
                #expect(summaries.allSatisfy { $0.notes.isEmpty && $0.lostPackets == 0 })
            }
        }
    }

    @Test("has the newest events when all events before the end are overwritten")
    func overwritten() throws {
        var time = ArenaFixture().packet(1, [])
        time.replaceSubrange(24..<32, with: withUnsafeBytes(of: UInt64(30_000).littleEndian, Array.init))
        for place in [32, 40] { time[place] = 5 }
        try copy(Self.files + [("overwritten", time)], until: 5) { _, items in #expect(items.contains(9)) }
        try copy(Self.files + [("overwritten", time)], until: 6) { _, items in #expect(!items.contains(7)) }
    }
}
