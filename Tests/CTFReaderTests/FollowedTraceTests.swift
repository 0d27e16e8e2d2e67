import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CTFReader

@Suite("A trace that is followed while it is recorded")
struct FollowedTraceTests {
    private func items(_ followed: FollowedTrace) throws -> [UInt64] {
        var items: [UInt64] = []
        let summary = try followed.read().forEachEvent { items.append($0.unsigned(0)) }
        #expect(summary.notes.isEmpty, "\(summary.notes)")
        return items
    }

    @Test("has the events of the arena after those of the files, and changes neither")
    func arena() throws {
        var arena = ArenaFixture()
        let copied = arena.packet(0, [1])
        arena.add(stream: 1, order: 1, items: [1, 2], copied: ArenaFixture.head + 15)
        arena.add(stream: 1, order: 2, items: [3], begin: 3)
        arena.record(
            1,
            .init(fileEnd: copied.count, packets: 1, order: 1, chunkBytes: ArenaFixture.head + 15, last: copied.count))
        // A stream without a file.
        arena.add(stream: 7, order: 1, items: [4, 5], tid: 71)
        arena.record(7, .init())
        // The recorder has begun to copy more.
        let file = copied + Array(arena.packet(1, [2]).prefix(40))
        try arena.use(files: [("thread-0001", file)]) { (path: String, memory: SharedMemory) throws in
            let before = memory.bytes
            #expect(try items(FollowedTrace(path: path)) == [1, 2, 3, 4, 5])
            #expect(memory.bytes == before)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path + "/thread-0001")) == Data(file))
            #expect(!FileManager.default.fileExists(atPath: path + "/thread-0007"))
        }
    }

    @Test("has no events of the files that are older than overwritten events, and changes no file")
    func hidesOlderEvents() throws {
        let (arena, copied) = ArenaRecoveryTests.overwritten()
        try arena.use(files: [("thread-0001", copied)]) { (path: String, _: SharedMemory) throws in
            let followed = FollowedTrace(path: path)
            for _ in 0..<2 { #expect(try items(followed) == [7, 8]) }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path + "/thread-0001")) == Data(copied))
        }
    }

    @Test("is whole from the newest overwritten event on, also when a stream has no chunk, and changes no file")
    func overwrittenTime() throws {
        try ArenaRecoveryTests.withoutChunk().use { (path: String, _: SharedMemory) throws in
            let followed = FollowedTrace(path: path)
            for _ in 0..<2 { #expect(try ArenaRecoveryTests.wholeItems(of: followed.read()) == [7, 8]) }
            #expect(!FileManager.default.fileExists(atPath: path + "/overwritten"))
        }
    }

    @Test("has no stream whose file the recorder removes during the reading")
    func removedFile() throws {
        var arena = ArenaFixture()
        arena.add(stream: 1, order: 1, items: [1])
        arena.record(1, .init())
        try arena.use { (path: String, _: SharedMemory) throws in
            let file = path + "/thread-0009"
            let isOver = Atomic(false)
            let recorder = Thread {
                while !isOver.load(ordering: .relaxed) {
                    close(open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
                    unlink(file)
                }
            }
            recorder.start()
            defer {
                isOver.store(true, ordering: .relaxed)
                while !recorder.isFinished { usleep(1_000) }
            }
            for _ in 0..<2_000 {
                #expect(try items(FollowedTrace(path: path)) == [1])
                _ = try TraceDirectory.streamFiles(in: path)
            }
        }
        let directory = TemporaryDirectory()
        symlink("absent", directory.appending("thread-0001"))
        #expect(throws: CTFError.self) { try TraceDirectory.streamFiles(in: directory.path) }
    }

    @Test("leaves out a chunk that follows one that it has not found")
    func missingChunk() throws {
        var arena = ArenaFixture()
        arena.add(stream: 1, order: 1, items: [1])
        arena.add(stream: 1, order: 2, items: [2])
        arena.add(stream: 1, order: 4, items: [4])
        arena.record(1, .init())
        try arena.use { (path: String, _: SharedMemory) throws in
            #expect(try items(FollowedTrace(path: path)) == [1, 2])
        }
    }

    @Test("is being recorded while a process holds the lock of the file that names the arena")
    func state() throws {
        var arena = ArenaFixture()
        arena.add(stream: 1, order: 1, items: [1])
        arena.record(1, .init())
        try arena.use { (path: String, _: SharedMemory) throws in
            let descriptor = open(path + "/.arena", O_RDWR | O_CLOEXEC)
            #expect(flock(descriptor, LOCK_EX) == 0)
            let followed = FollowedTrace(path: path)
            for _ in 0..<3 {
                #expect(try items(followed) == [1])
                #expect(followed.state == .recording)
            }
            flock(descriptor, LOCK_UN)
            close(descriptor)
            #expect(try items(followed) == [1])
            #expect(followed.state == .ended)
            // The next reader completes the trace.
            #expect(try ArenaRecovery.complete(path: path) == .recovered(bytes: 15))
            #expect(try items(followed) == [1])
        }
    }

    @Test("never fails on what a program with stray pointers leaves", arguments: 1...4)
    func hostile(seed: UInt64) throws {
        var generator = SplitMix(state: seed)
        for _ in 0..<40 {
            let arena = ArenaFixture.damaged(using: &generator)
            try arena.use { (path: String, _: SharedMemory) throws in
                let followed = FollowedTrace(path: path)
                for _ in 0..<2 { _ = try followed.read().forEachEvent { _ in } }
            }
        }
    }

    // MARK: Windows of a growing trace

    /// A copy of a trace of the recorder whose stream files grow packet by packet.
    private final class GrowingTrace {
        let directory = TemporaryDirectory()
        private let original: String
        private let names: [String]

        init(_ original: String) throws {
            self.original = original
            names = try FileManager.default.contentsOfDirectory(atPath: original).filter { $0 != "metadata" }
            try FileManager.default.copyItem(
                atPath: original + "/metadata", toPath: directory.appending("metadata"))
        }

        /// Appends the packets that end in this share of each file.
        func grow(to share: Double) throws {
            for name in names {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(original)/\(name)"))
                var end = 0
                while end + 88 <= bytes.count {
                    let bits = bytes[(end + 56)..<(end + 64)].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                    guard Double(end + Int(bits / 8)) <= share * Double(bytes.count) else { break }
                    end += Int(bits / 8)
                }
                try bytes.prefix(end).write(to: URL(fileURLWithPath: directory.appending(name)))
            }
        }
    }

    /// Every role, so that each kind of result is remembered.
    private static func role(_ event: CTFEventClass) -> WindowRole {
        let item = event.fields.firstIndex { $0.name == "item" } ?? -1
        return switch event.name.split(separator: ":").last ?? "" {
        case "queue_create", "queue_state", "thread_start": WindowRole(.state)
        case "code_symbol", "image", "stack": WindowRole(.name)
        case "item_begin": WindowRole(.opening, item: item)
        case "item_end", "sync_return": WindowRole(.closing)
        case "item_enqueue": WindowRole(.passing, item: item, submits: true)
        case "sync_enter", "sync_wait": WindowRole(.opening, item: item, submits: true)
        case "worker_park", "worker_unpark": WindowRole(.latest)
        case "semaphore_wait_begin", "lock_wait": WindowRole(.waiting)
        default: WindowRole(.passing)
        }
    }

    private func events(of trace: CTFTrace, in window: TraceWindow) throws -> [String] {
        let roles = trace.eventClasses.map(Self.role)
        var events: [String] = []
        _ = try TraceMerge.forEachEvent(
            in: window, of: [trace], role: { roles[$1] }, windowBegins: { events.append("window") }
        ) { _, record in
            events.append("\(record.classIndex) \(record.clockValue) \(record.packetTID)")
        }
        return events
    }

    @Test(
        "delivers the same windows as a trace that is read anew",
        arguments: ["1.7/news-service-before", "1.6/chat-gateway", "1.3/plain-news-service-before"])
    func windows(name: String) throws {
        let growing = try GrowingTrace("\(Package.root)/traces/\(name)/trace")
        let path = growing.directory.path
        let followed = FollowedTrace(path: path)
        var compared = 0
        for share in stride(from: 0.1, through: 1, by: 0.1) {
            try growing.grow(to: share)
            let fresh = try CTFTrace(path: path)
            let trace = try followed.read()
            guard let whole = TraceMerge.extent(of: [fresh]), whole.lowerBound < whole.upperBound else { continue }
            #expect(TraceMerge.extent(of: [trace]) == whole)
            let length = (whole.upperBound - whole.lowerBound) / 5
            let window = TraceWindow(begin: whole.upperBound - length, end: whole.upperBound, of: whole)
            let expected = try events(of: fresh, in: window)
            #expect(try events(of: trace, in: window) == expected, "\(share)")
            compared += expected.count
        }
        #expect(compared > 100)
    }
}
