import CTFReader
import Foundation
import TestSupport
import Testing

/// An arena of one segment in the format of arena.h, and a trace that refers to it.
struct ArenaFixture {
    static let head = 88
    static let unit = 4096

    struct Record {
        var kind: UInt32 = 1
        var discarded: UInt64 = 0
        var fileEnd = 0
        var packets: UInt32 = 0
        var order: UInt32 = 0
        var chunkBytes = 0
        var last = 0
    }

    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    var uuid = CTFTraceFixture.uuid
    var lost: UInt64 = 0
    /// The time of the newest event that was overwritten in memory.
    var overwritten: UInt64 = 0
    /// The begin of the flight recorder's window; 0: none.
    var windowBegin: UInt64 = 0
    /// The length of the window in the metadata, in nanoseconds.
    var window: Int64?
    private var nextUnit = 6

    private mutating func put<T: FixedWidthInteger>(_ value: T, at offset: Int) {
        withUnsafeBytes(of: value.littleEndian) { bytes.replaceSubrange(offset..<offset + $0.count, with: $0) }
    }

    /// A packet as the recorder writes it into the file. The time of each item equals its number.
    func packet(_ sequence: UInt64, _ items: [UInt64]) -> [UInt8] {
        let events = items.flatMap(Self.event)
        let bits = UInt64(Self.head + events.count) * 8
        return ByteBuilder.build {
            $0.integer(UInt32(0xC1FC_1FC1))
            $0.append(CTFTraceFixture.uuid)
            $0.integer(UInt32(0))
            $0.integer(UInt64(1))
            for number in [items.first ?? 0, items.last ?? 0, bits, bits, sequence, 0] { $0.integer(number) }
            $0.integer(UInt32(70))
            $0.integer(UInt32(items.count))
            $0.append(events)
        }
    }

    /// The event `item` of the fixture's metadata: id, time, item, queue.
    private static func event(_ item: UInt64) -> [UInt8] {
        ByteBuilder.build {
            $0.u8(1)
            $0.integer(UInt32(item))
            $0.append(withUnsafeBytes(of: item.littleEndian) { Array($0.prefix(6)) })
            $0.integer(UInt32(17))
        }
    }

    /// Two chunks of a stream, as a program with stray pointers leaves them.
    static func damaged(using generator: inout SplitMix) -> ArenaFixture {
        var arena = ArenaFixture()
        arena.add(stream: 1, order: 1, items: [1, 2, 3], owners: [(1, 9)])
        arena.add(stream: 1, order: 2, items: [4])
        arena.record(1, .init())
        for _ in 0..<Int.random(in: 1...60, using: &generator) {
            let places = [4096..<24576, 24576..<24576 + 200, 0..<64]
            let place = Int.random(in: places.randomElement(using: &generator)!, using: &generator)
            arena.bytes[place] = UInt8.random(in: 0...255, using: &generator)
        }
        return arena
    }

    /// Puts a small chunk into the arena.
    ///
    /// - Parameters:
    ///   - owners: the indices of the items from which another thread owns the stream.
    mutating func add(
        stream: Int, order: UInt32, items: [UInt64], begin: UInt64 = 0, copied: Int = 0, tid: UInt32 = 70,
        owners: [(item: Int, tid: UInt32)] = []
    ) {
        let place = nextUnit * Self.unit
        let entry = Self.unit + nextUnit * 16
        nextUnit += 1
        put(UInt32(stream + 1), at: entry)
        put(order, at: entry + 4)
        put(UInt32(Self.unit), at: entry + 8)
        bytes.replaceSubrange(place..<place + Self.head + items.count * 15, with: packet(0, items))
        put(UInt64(stream), at: place + 24)
        put(begin, at: place + 32)
        put(tid, at: place + 80)
        put(UInt32(owners.count), at: place + 84)
        for (number, owner) in owners.enumerated() {
            let end = place + Self.unit - 16 * (number + 1)
            put(UInt16(Self.head + owner.item * 15), at: end)
            put(owner.tid, at: end + 4)
            put(items[owner.item], at: end + 8)
        }
    }

    mutating func record(_ stream: Int, _ record: Record) {
        let place = 2 * Self.unit + stream * 64
        put(record.kind, at: place)
        put(UInt32(1), at: place + 4)
        put(record.discarded, at: place + 8)
        // The second of the two owners has no events.
        for (offset, isCommitted) in [(16, false), (40, true)] {
            put(isCommitted ? UInt64(record.fileEnd) : .max, at: place + offset)
            put(record.packets, at: place + offset + 8)
            put(record.order, at: place + offset + 12)
            put(UInt32(record.chunkBytes), at: place + offset + 16)
            put(UInt32(record.last), at: place + offset + 20)
        }
    }

    /// Runs `body` with the path of the trace and the memory of the arena.
    func use(files: [(String, [UInt8])] = [], _ body: (String, SharedMemory) throws -> Void) throws {
        var arena = self
        if arena.bytes.count >= 64, arena.bytes[0] == 0 {
            arena.bytes.replaceSubrange(0..<8, with: Array("QSARENA\0".utf8))
            arena.put(UInt32(5), at: 8)
            arena.bytes.replaceSubrange(16..<32, with: uuid)
            arena.put(UInt32(1), at: 32)
            arena.put(lost, at: 40)
            arena.put(overwritten, at: 48)
            arena.put(windowBegin, at: 56)
        }
        let memory = SharedMemory(arena.bytes)
        defer { memory.remove() }
        let metadata = CTFTraceFixture.metadata().replacingOccurrences(
            of: "uint32_t tid;", with: "uint32_t tid; uint32_t event_count;"
        ).replacingOccurrences(
            of: "schema_major = 1;", with: "schema_major = 1;\n\tstreams =     0;\n\tstream_bytes =               0;"
                + (window.map { "\n\twindow_ns = \($0);" } ?? ""))
        let reference = Array("shm \(memory.identifier)\n".utf8)
        try CTFTraceFixture(metadata: metadata, files: files + [(".arena", reference)]).use {
            try body($0, memory)
        }
    }

    static func items(in path: String) throws -> [UInt64] {
        var items: [UInt64] = []
        let summary = try CTFTrace(path: path).forEachEvent { items.append($0.unsigned(0)) }
        #expect(summary.notes.isEmpty, "\(summary.notes)")
        return items
    }
}
