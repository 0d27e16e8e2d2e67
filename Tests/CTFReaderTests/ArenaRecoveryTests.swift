import CTFReader
import Foundation
import TestSupport
import Testing

/// Recovery after a kill of the recorder: a trace with incomplete streams and an arena with the remaining events.
@Suite("ArenaRecovery")
struct ArenaRecoveryTests {
    // MARK: Completing

    @Test("appends what the file has not, as packets that go on where it ends")
    func appends() throws {
        var arena = ArenaFixture()
        // The recorder had copied the first event, was copying the second, and continued in another chunk.
        let copied = arena.packet(0, [1])
        arena.add(stream: 1, order: 1, items: [1, 2], copied: ArenaFixture.head + 15)
        arena.add(stream: 1, order: 2, items: [3], begin: 3)
        arena.record(
            1,
            .init(fileEnd: copied.count, packets: 1, order: 1, chunkBytes: ArenaFixture.head + 15, last: copied.count))
        let torn = Array(arena.packet(1, [2]).prefix(40))
        try arena.use(files: [("thread-0001", copied + torn)]) { (path: String, memory: SharedMemory) throws in
            #expect(try ArenaRecovery.complete(path: path) == .recovered(bytes: 30))
            #expect(try ArenaFixture.items(in: path) == [1, 2, 3])
            #expect(!memory.exists)
            #expect(try ArenaRecovery.complete(path: path) == .complete)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path + "/thread-0001"))
            #expect(bytes.count == copied.count + 2 * (ArenaFixture.head + 15))
        }
    }

    @Test("makes the files that were not begun, and removes those that were made ahead")
    func files() throws {
        var arena = ArenaFixture()
        arena.add(stream: 7, order: 1, items: [4, 5])
        arena.record(7, .init())
        try arena.use(files: [("thread-0008", [])]) { (path: String, _: SharedMemory) throws in
            #expect(try ArenaRecovery.complete(path: path) == .recovered(bytes: 30))
            #expect(try ArenaFixture.items(in: path) == [4, 5])
            #expect(!FileManager.default.fileExists(atPath: path + "/thread-0008"))
        }
    }

    @Test("tells in the metadata how many streams have a file, and how large the files are")
    func streamCount() throws {
        var arena = ArenaFixture()
        arena.add(stream: 0, order: 1, items: [1])
        arena.record(0, .init(kind: 3))
        arena.add(stream: 1, order: 1, items: [2])
        arena.record(1, .init())
        // The thread of this stream wrote nothing.
        arena.add(stream: 2, order: 1, items: [])
        arena.record(2, .init())
        arena.add(stream: 7, order: 1, items: [4, 5])
        arena.record(7, .init())
        try arena.use { (path: String, _: SharedMemory) throws in
            #expect(try CTFTrace(path: path).environment["streams"] == .integer(0))
            _ = try ArenaRecovery.complete(path: path)
            let trace = try CTFTrace(path: path)
            #expect(trace.environment["streams"] == .integer(2))
            #expect(trace.environment["stream_bytes"] == .integer(Int64(trace.totalBytes)))
            #expect(trace.environment["schema_major"] == .integer(1), "the rest is as it was")
            #expect(trace.streamFiles.map(\.name) == ["definitions", "thread-0001", "thread-0007"])
        }
    }

    @Test("gives each of a stream's owners packets of its own")
    func owners() throws {
        var arena = ArenaFixture()
        arena.add(stream: 1, order: 1, items: [1, 2, 3], tid: 70, owners: [(2, 71)])
        arena.record(1, .init())
        try arena.use { (path: String, _: SharedMemory) throws in
            _ = try ArenaRecovery.complete(path: path)
            var threads: [UInt32] = []
            _ = try CTFTrace(path: path).forEachEvent { threads.append($0.packetTID) }
            #expect(threads == [70, 70, 71])
        }
    }

    @Test("tells of discarded events, of streams without a packet as well")
    func discarded() throws {
        var arena = ArenaFixture()
        arena.add(stream: 1, order: 1, items: [1])
        arena.record(1, .init(discarded: 5))
        arena.record(2, .init(discarded: 7))
        arena.add(stream: 0, order: 1, items: [9])
        arena.record(0, .init(kind: 3, discarded: 1))
        arena.lost = 2
        try arena.use { (path: String, _: SharedMemory) throws in
            _ = try ArenaRecovery.complete(path: path)
            let discarded = try CTFTrace(path: path).forEachEvent { _ in }.discarded
            #expect(discarded == 15)
        }
    }

    @Test("tells of discarded events where the definitions had none yet")
    func discardedBeforeDefinitions() throws {
        var arena = ArenaFixture()
        arena.add(stream: 1, order: 1, items: [1])
        arena.record(1, .init())
        arena.add(stream: 0, order: 1, items: [])
        arena.record(0, .init(kind: 3, discarded: 0))
        arena.lost = 2
        try arena.use { (path: String, _: SharedMemory) throws in
            _ = try ArenaRecovery.complete(path: path)
            #expect(try CTFTrace(path: path).forEachEvent { _ in }.discarded == 2)
        }
    }

    // MARK: A flight recorder in memory

    /// A stream of which a flush had copied two events into the file, and chunks were overwritten since then.
    static func overwritten() -> (arena: ArenaFixture, file: [UInt8]) {
        var arena = ArenaFixture()
        let copied = arena.packet(0, [1]) + arena.packet(1, [2])
        arena.add(stream: 1, order: 9, items: [7, 8], begin: 7)
        arena.record(1, .init(fileEnd: copied.count, packets: 3, order: 9, last: copied.count / 2))
        return (arena, copied)
    }

    @Test("hides the events of a file that are older than overwritten events")
    func hidesOlderEvents() throws {
        let (arena, copied) = Self.overwritten()
        try arena.use(files: [("thread-0001", copied)]) { (path: String, _: SharedMemory) throws in
            #expect(try ArenaRecovery.complete(path: path) == .recovered(bytes: 30))
            #expect(try ArenaFixture.items(in: path) == [7, 8])
            let trace = try CTFTrace(path: path)
            let summary = try trace.forEachEvent { _ in }
            #expect(summary.lostPackets == 0, "the events before are overwritten, not lost")
            #expect(TraceMerge.wholeSince([trace]) { _, _ in true } != [nil], "the trace is the end of a recording")
            #expect(trace.environment["stream_bytes"] == .integer(Int64(trace.totalBytes)))
        }
    }

    /// ```
    ///   stream 1   ├ 3 ────── 7 8      nothing was overwritten
    ///   stream 2   ░░░░░░░ 6           all chunks were overwritten
    ///                      ↑ whole from here
    /// ```
    static func withoutChunk() -> ArenaFixture {
        var arena = ArenaFixture()
        arena.overwritten = 6
        arena.add(stream: 1, order: 1, items: [3, 7, 8])
        arena.record(1, .init())
        arena.record(2, .init(packets: 1, order: 2))
        return arena
    }

    /// The items after the time from which on the trace is whole.
    static func wholeItems(of trace: CTFTrace) throws -> [UInt64] {
        let begin = try #require(TraceMerge.wholeSince([trace]) { _, _ in true }[0])
        var items: [UInt64] = []
        let summary = try trace.forEachEvent { if $0.nanoseconds >= begin { items.append($0.unsigned(0)) } }
        #expect(summary.notes.isEmpty && summary.lostPackets == 0, "\(summary.notes)")
        return items
    }

    @Test("takes all streams for overwritten up to the newest overwritten event, also of a stream without a chunk")
    func keepsTheTimeOfOverwrittenEvents() throws {
        try Self.withoutChunk().use { (path: String, _: SharedMemory) throws in
            #expect(try ArenaRecovery.complete(path: path) == .recovered(bytes: 45))
            let trace = try CTFTrace(path: path)
            #expect(try Self.wholeItems(of: trace) == [7, 8])
            #expect(try ArenaFixture.items(in: path) == [3, 7, 8])
            #expect(trace.streamFiles.map(\.name) == ["overwritten", "thread-0001"])
            #expect(trace.environment["streams"] == .integer(1))
            // A copy has the time as well, and does not count its file either.
            let copy = path + "-copy"
            defer { try? FileManager.default.removeItem(atPath: copy) }
            try TraceSnapshot.copy(path, to: copy)
            let copied = try CTFTrace(path: copy)
            #expect(try Self.wholeItems(of: copied) == [7, 8])
            #expect(copied.environment["streams"] == .integer(1))
        }
    }

    /// The window with the begin of ``withoutChunk()``, whose newest overwritten event has time 6.
    private func window(_ length: Int64?, from begin: UInt64) throws -> RecordingWindow? {
        var window: RecordingWindow?
        var arena = Self.withoutChunk()
        (arena.window, arena.windowBegin) = (length, begin)
        try arena.use { (path: String, _: SharedMemory) throws in
            _ = try ArenaRecovery.complete(path: path)
            let trace = try CTFTrace(path: path)
            #expect(try Self.wholeItems(of: trace) == [7, 8])
            window = RecordingWindow(of: trace)
        }
        return window
    }

    @Test("shows whether the memory had the whole window")
    func window() throws {
        #expect(try window(nil, from: 0) == nil)
        #expect(try window(2, from: 6) == RecordingWindow(nanoseconds: 2, isShortened: false))
        #expect(try window(2, from: 5) == RecordingWindow(nanoseconds: 2, isShortened: true))
        #expect(try window(100, from: 0) == RecordingWindow(nanoseconds: 100, isShortened: true))
    }

    @Test("replaces the time of an earlier flush")
    func replacesTime() throws {
        let arena = Self.withoutChunk()
        var earlier = arena.packet(0, [2])
        earlier.replaceSubrange(24..<32, with: withUnsafeBytes(of: UInt64(30_000).littleEndian, Array.init))
        try arena.use(files: [("overwritten", earlier)]) { (path: String, _: SharedMemory) throws in
            #expect(try ArenaRecovery.complete(path: path) == .recovered(bytes: 45))
            #expect(try Self.wholeItems(of: CTFTrace(path: path)) == [7, 8])
        }
    }

    @Test("begins several pieces of a trace with the earliest one")
    func pieces() throws {
        var arena = Self.withoutChunk()
        try arena.use { (first: String, _: SharedMemory) throws in
            _ = try ArenaRecovery.complete(path: first)
            arena.overwritten = 7
            try arena.use { (second: String, _: SharedMemory) throws in
                _ = try ArenaRecovery.complete(path: second)
                let pieces = try [CTFTrace(path: second), CTFTrace(path: first)]
                let begins = TraceMerge.wholeSince(pieces) { _, _ in true }
                #expect(begins[0] == begins[1])
                #expect(begins[0] == TraceMerge.wholeSince([pieces[1]]) { _, _ in true }[0])
            }
        }
    }

    @Test("makes no file for a stream whose events are all overwritten")
    func hasNoFileOfOverwrittenStream() throws {
        var arena = ArenaFixture()
        arena.record(2, .init(packets: 1, order: 2))
        arena.add(stream: 3, order: 4, items: [5])
        arena.record(3, .init(discarded: 4, packets: 1, order: 4))
        arena.add(stream: 0, order: 1, items: [9])
        arena.record(0, .init(kind: 3))
        try arena.use { (path: String, _: SharedMemory) throws in
            #expect(try ArenaRecovery.complete(path: path) == .recovered(bytes: 30))
            #expect(try ArenaFixture.items(in: path) == [5, 9])
            let trace = try CTFTrace(path: path)
            #expect(trace.streamFiles.map(\.name) == ["definitions", "thread-0003"])
            #expect(trace.environment["streams"] == .integer(1))
            #expect(try trace.forEachEvent { _ in }.discarded == 4)
        }
    }

    // MARK: Leaving alone

    @Test("leaves a trace alone that somebody records into")
    func live() throws {
        var arena = ArenaFixture()
        arena.add(stream: 1, order: 1, items: [1])
        arena.record(1, .init())
        try arena.use { (path: String, memory: SharedMemory) throws in
            let descriptor = open(path + "/.arena", O_RDWR | O_CLOEXEC)
            #expect(flock(descriptor, LOCK_EX) == 0)
            #expect(try ArenaRecovery.complete(path: path) == .live)
            #expect(memory.exists)
            #expect(try ArenaFixture.items(in: path).isEmpty)
            close(descriptor)
            #expect(try ArenaRecovery.complete(path: path) == .recovered(bytes: 15))
        }
    }

    @Test("changes nothing where the memory cannot be found, so that another reader completes the trace")
    func gone() throws {
        var arena = ArenaFixture()
        arena.add(stream: 1, order: 1, items: [1])
        arena.record(1, .init())
        try arena.use { (path: String, memory: SharedMemory) throws in
            // For a process in another container the id is of another segment, or of none.
            let reference = URL(fileURLWithPath: path + "/.arena")
            let name = "shm \(memory.identifier)\n"
            try Data((name + "ipc 1\n").utf8).write(to: reference)
            #expect(try ArenaRecovery.complete(path: path) == .arenaGone(.otherNamespace))
            #expect(try ArenaRecovery.complete(path: path) == .arenaGone(.otherNamespace))
            try Data(name.utf8).write(to: reference)
            #expect(try ArenaRecovery.complete(path: path) == .recovered(bytes: 15))
            #expect(try ArenaFixture.items(in: path) == [1])
        }
    }

    @Test(
        "has nothing to complete in a finished trace whose directory became read-only before the reference was removed")
    func finished() throws {
        try ArenaFixture().use { (path: String, memory: SharedMemory) throws in
            memory.remove()
            let metadata = URL(fileURLWithPath: path + "/metadata")
            let text = try String(contentsOf: metadata, encoding: .utf8)
            let (running, ended) = (text + "env { streams = 0; };\n", text + "env { streams = 1; };\n")
            try running.write(to: metadata, atomically: false, encoding: .utf8)
            #expect(try ArenaRecovery.complete(path: path) == .arenaGone(.unknown))
            try ended.write(to: metadata, atomically: false, encoding: .utf8)
            #expect(try ArenaRecovery.complete(path: path) == .complete)
        }
    }

    @Test("states why the memory cannot be found")
    func absence() throws {
        let boot = try #require(ProcFile.text("/proc/sys/kernel/random/boot_id"))
        let namespace = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/ipc")
            .filter(\.isNumber)
        try ArenaFixture().use { (path: String, memory: SharedMemory) throws in
            memory.remove()
            func outcome(_ origin: String) throws -> ArenaRecovery.Outcome {
                try Data("shm \(memory.identifier)\n\(origin)".utf8).write(to: URL(fileURLWithPath: path + "/.arena"))
                return try ArenaRecovery.complete(path: path)
            }
            #expect(try outcome("boot 5f0c\nipc \(namespace)\n") == .arenaGone(.otherBoot))
            #expect(try outcome("boot \(boot)ipc 1\n") == .arenaGone(.otherNamespace))
            #expect(try outcome("boot \(boot)ipc \(namespace)\n") == .arenaGone(.removed))
            #expect(try outcome("boot \(boot)") == .arenaGone(.unknown))
        }
    }

    @Test("removes memory that no trace names, and no other")
    func orphans() throws {
        try ArenaFixture().use { (path: String, memory: SharedMemory) throws in
            let orphan = SharedMemory(memory.bytes)
            let other = SharedMemory([UInt8](repeating: 1, count: 1 << 20))
            defer { [orphan, other].forEach { $0.remove() } }
            let all = [memory, orphan, other].map(\.identifier)
            func removed(olderThan age: Int) -> [Int32] { ArenaRecovery.removeOrphans(among: all, olderThan: age) }
            #expect(removed(olderThan: 60).isEmpty, "its recorder may just be starting")
            #expect(memory.whileAttached { orphan.whileAttached { removed(olderThan: -1).isEmpty } }, "in use")
            // The trace was moved: the fixture's head has no directory. Nothing but the trace names its arena.
            #expect(removed(olderThan: -1) == [memory, orphan].map(\.identifier))
            #expect(other.exists, "the memory of another program")
            #expect(try ArenaRecovery.complete(path: path) == .arenaGone(.unknown))
        }
    }

    @Test("keeps the memory that the trace in its head names")
    func named() throws {
        try ArenaFixture().use { (path: String, memory: SharedMemory) throws in
            var bytes = memory.bytes
            let length = UInt64(path.utf8.count).littleEndian
            bytes.replaceSubrange(64..<72, with: withUnsafeBytes(of: length) { Array($0) })
            bytes.replaceSubrange(72..<72 + path.utf8.count, with: Array(path.utf8))
            let named = SharedMemory(bytes)
            defer { named.remove() }
            let reference = URL(fileURLWithPath: path + "/.arena")
            try Data("shm \(named.identifier)\n".utf8).write(to: reference)
            #expect(ArenaRecovery.removeOrphans(among: [named.identifier], olderThan: -1).isEmpty)
            try FileManager.default.removeItem(at: reference)
            #expect(ArenaRecovery.removeOrphans(among: [named.identifier], olderThan: -1) == [named.identifier])
        }
    }

    @Test("reads only the part of the memory that the recorder has used, so that the rest gets none")
    func unused() throws {
        var arena = ArenaFixture()
        arena.add(stream: 1, order: 1, items: [1])
        arena.record(1, .init())
        let used = arena.bytes.count
        arena.bytes += [UInt8](repeating: 0xFF, count: 2 * used)
        try arena.use { (path: String, _: SharedMemory) throws in
            // The tables of the other segments name chunks and streams.
            #expect(try ArenaRecovery.complete(path: path) == .recovered(bytes: 15))
            #expect(try ArenaFixture.items(in: path) == [1])
        }
    }

    @Test("names the remedy for the memory of an older version")
    func older() throws {
        try ArenaFixture().use { (path: String, _: SharedMemory) throws in
            let name = "/dev/shm/queuescope-0123456789abcdef0123456789abcdef\nboot 5f0c\nmounts 1\n"
            try Data(name.utf8).write(to: URL(fileURLWithPath: path + "/.arena"))
            let error = try #require(throws: CTFError.self) { try ArenaRecovery.complete(path: path) }
            #expect(error.code == .unsupportedVersion)
        }
    }

    @Test("refuses memory of another trace, and files that name anything else", arguments: ["/etc/passwd", "x", "/"])
    func foreign(name: String) throws {
        var arena = ArenaFixture()
        arena.uuid[3] ^= 1
        try arena.use { (path: String, memory: SharedMemory) throws in
            let error = try #require(throws: CTFError.self) { try ArenaRecovery.complete(path: path) }
            #expect(error.code == .wrongUUID)
            #expect(memory.exists)
            try Data(name.utf8).write(to: URL(fileURLWithPath: path + "/.arena"))
            _ = #expect(throws: CTFError.self) { try ArenaRecovery.complete(path: path) }
        }
    }

    @Test("writes into no file that has another name")
    func linkedFile() throws {
        var arena = ArenaFixture()
        arena.add(stream: 1, order: 1, items: [1])
        arena.record(1, .init())
        try arena.use(files: [("thread-0001", [])]) { (path: String, memory: SharedMemory) throws in
            let other = path + "-link"
            #expect(link(path + "/thread-0001", other) == 0)
            defer { unlink(other) }
            _ = #expect(throws: CTFError.self) { try ArenaRecovery.complete(path: path) }
            #expect(FileManager.default.contents(atPath: other)?.isEmpty == true)
        }
    }

    @Test("writes into no file of a user who does not own the trace", .enabled(if: geteuid() == 0))
    func fileOfAnotherUser() throws {
        var arena = ArenaFixture()
        arena.add(stream: 1, order: 1, items: [1])
        arena.record(1, .init())
        try arena.use(files: [("thread-0001", [])]) { (path: String, _: SharedMemory) throws in
            #expect(chown(path + "/thread-0001", 65534, 65534) == 0)
            _ = #expect(throws: CTFError.self) { try ArenaRecovery.complete(path: path) }
            #expect(FileManager.default.contents(atPath: path + "/thread-0001")?.isEmpty == true)
        }
    }

    @Test("never fails on what a program with stray pointers leaves", arguments: 1...8)
    func hostile(seed: UInt64) throws {
        var generator = SplitMix(state: seed)
        for _ in 0..<40 {
            var arena = ArenaFixture.damaged(using: &generator)
            if Bool.random(using: &generator) {
                arena.bytes.removeLast(Int.random(in: 0..<arena.bytes.count, using: &generator))
            }
            try arena.use { (path: String, _: SharedMemory) throws in
                _ = try? ArenaRecovery.complete(path: path)
                _ = try CTFTrace(path: path).forEachEvent { _ in }
            }
        }
    }
}
