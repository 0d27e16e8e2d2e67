import CTFReader
import Foundation
import TestSupport
import Testing
import TraceBuilder

@testable import DispatchModel

/// Trace directories with removed files, and complete directories with numbers without a file.
@Suite("Files that a trace directory lacks") struct MissingFilesTests {
    private let directory = TemporaryDirectory()

    private var path: String { directory.appending("trace") }

    /// Writes a trace with the files `definitions`, `kernel-0001`, `thread-0002` …, and removes some. `threads` is the
    /// number of files of threads. `streams` is the number of streams in the metadata, the first of which can belong to
    /// the `kernel`. `discarded` is the number of events that the definitions count as discarded.
    private func write(
        threads: UInt32 = 5, streams: Int? = nil, kernel: Bool = true, discarded: UInt64 = 0, without removed: [String],
        environment: String = ""
    ) throws {
        let events = (0...threads).map { tid in
            let event = DispatchEvent.threadStart(DispatchEvent.ThreadStart(tid: tid, name: "worker"))
            return TimedEvent(time: Timestamp(nanoseconds: 10 + Int64(tid)), tid: tid, event: event)
        }
        try? FileManager.default.removeItem(atPath: path)
        try TraceDirectory.write(
            events, to: path,
            environment: "backend = \"ring\"; \(streams.map { "streams =     \($0);" } ?? "") \(environment)",
            discarded: { $0 == 0 ? discarded : 0 }
        ) { $0 == 0 ? "definitions" : $0 == 1 && kernel ? "kernel-0001" : "thread-000\($0)" }
        for file in removed { try FileManager.default.removeItem(atPath: path + "/" + file) }
    }

    private func missing() throws -> MissingFiles { MissingFiles(of: try CTFTrace(path: path)) }

    // MARK: Streams

    @Test("A stream file that the metadata count is missed, also the last one and that of the context switches")
    func counted() throws {
        try write(streams: 5, without: ["thread-0003"])
        let note = try #require(try missing().notes.first)
        #expect(note.hasPrefix("\(path) lacks 1 of 5 stream files (thread-0003): events are missing, and"))
        #expect(note.hasSuffix("Copy the whole directory again from where it was recorded."))
        try write(streams: 5, without: ["thread-0005"])
        #expect(try missing().notes.map { $0.contains("1 of 5 stream files (1 after number 4)") } == [true])
        try write(streams: 5, without: ["kernel-0001", "thread-0002", "thread-0005"])
        #expect(
            try missing().notes.map {
                $0.contains("3 of 5 stream files (kernel-0001, thread-0002, 1 after number 4)")
            } == [true])
        #expect(try missing().count == 3)
    }

    @Test("A trace whose memory is lost is checked, and one whose memory may exist is not")
    func lostMemory() throws {
        let boot = try #require(ProcFile.text("/proc/sys/kernel/random/boot_id"))
        let namespace = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/ipc")
            .filter(\.isNumber)
        var segment = Int32.max
        func notes(_ origin: String, without removed: [String] = ["thread-0003"]) throws -> [Bool] {
            try write(without: removed)
            try "shm \(segment)\n\(origin)".write(toFile: path + "/.arena", atomically: false, encoding: .utf8)
            return try missing().notes.map { $0.contains("lacks 1 of 5 stream files (thread-0003)") }
        }
        // After a restart of the machine or on another machine, and after the memory was removed.
        #expect(try notes("boot 5f0c\nipc \(namespace)\n") == [true])
        #expect(try notes("boot \(boot)ipc \(namespace)\n") == [true])
        #expect(try notes("boot 5f0c\nipc \(namespace)\n", without: []).isEmpty)
        #expect(try notes("boot 5f0c\nipc \(namespace)\n", without: ["definitions"]) == [false])
        // In another container, and while the memory exists: the events can still be there.
        #expect(try notes("boot \(boot)ipc 1\n").isEmpty)
        #expect(try notes("").isEmpty)
        let memory = SharedMemory([])
        defer { memory.remove() }
        segment = memory.identifier
        #expect(try notes("boot \(boot)ipc \(namespace)\n").isEmpty)
    }

    @Test(
        "With the count, numbers without a file prove nothing: an earlier session's threads may do nothing in this one")
    func laterSession() throws {
        try write(streams: 3, kernel: false, without: ["thread-0001", "thread-0003"])
        #expect(try missing().notes.isEmpty)
        try write(streams: 3, kernel: false, without: ["thread-0001", "thread-0003", "thread-0004"])
        #expect(
            try missing().notes.map {
                $0.contains("1 of 3 stream files (of kernel-0001, thread-0003, thread-0004)")
            } == [true])
    }

    @Test("A count of more streams than there can be is none", arguments: [-1, 10_000, Int.max])
    func impossibleCount(streams: Int) throws {
        try write(streams: streams, without: [])
        #expect(try missing().count == 0)
    }

    @Test("Without the count, a number is missed in a first session, which begins with the context switches")
    func gaps() throws {
        for streams in [nil, 0] {
            try write(streams: streams, without: ["thread-0003", "thread-0004"])
            #expect(try missing().notes.map { $0.contains("2 of 5 stream files (thread-0003, thread-0004)") } == [true])
            // The loss of the last file cannot be detected.
            try write(streams: streams, without: ["thread-0005"])
            #expect(try missing().notes.isEmpty)
            try write(streams: streams, kernel: false, without: ["thread-0003"])
            #expect(try missing().notes.isEmpty, "a later session leaves out numbers")
        }
    }

    @Test("Streams whose events were all discarded have no file: the definitions tell of as many events at least")
    func discarded() throws {
        try write(discarded: 2, without: ["thread-0003", "thread-0004"])
        #expect(try missing().notes.isEmpty)
        try write(discarded: 1, without: ["thread-0003", "thread-0004"])
        #expect(try missing().count == 2)
    }

    @Test("Before schema 1.3 the streams of processors without a switch had no file")
    func processors() throws {
        try write(without: ["thread-0002"], environment: "schema_minor = 2;")
        #expect(try missing().notes.isEmpty)
        try write(without: ["thread-0004"], environment: "schema_minor = 2;")
        #expect(try missing().notes.count == 1)
    }

    @Test("A file without a byte is as good as none, and one of another name is there")
    func emptyAndRenamed() throws {
        try write(streams: 5, without: [])
        for name in ["definitions", "thread-0002"] {
            try FileManager.default.moveItem(atPath: path + "/" + name, toPath: path + "/renamed-" + name)
        }
        #expect(try missing().notes.isEmpty)
        try Data().write(to: URL(fileURLWithPath: path + "/thread-0003"))
        #expect(try missing().notes.map { $0.contains("(thread-0003, which is empty)") } == [true])
    }

    @Test("Many names are counted")
    func manyNames() throws {
        try write(threads: 9, without: (2...8).map { "thread-000\($0)" })
        #expect(
            try missing().notes.map {
                $0.contains("(thread-0002, thread-0003, thread-0004, thread-0005, thread-0006, 2 more)")
            } == [true])
    }

    @Test("What is still in memory is not missing")
    func pending() throws {
        try write(without: ["definitions", "thread-0003"])
        #expect(try missing().count == 2)
        for name in [".arena", ".arena-of-library"] {
            try Data().write(to: URL(fileURLWithPath: path + "/" + name))
            #expect(try missing().notes.isEmpty)
            try FileManager.default.removeItem(atPath: path + "/" + name)
        }
    }

    @Test("Of a trace that another recorder wrote nothing is known")
    func foreign() throws {
        let events = [(1, UInt32(70)), (2, 71)].map { time, tid in
            TimedEvent(
                time: Timestamp(nanoseconds: time), tid: tid, event: .threadExit(DispatchEvent.ThreadExit(tid: tid)))
        }
        try TraceDirectory.write(events, to: path) { $0 == 0 ? "kernel-0001" : "thread-0009" }
        #expect(try missing().notes.isEmpty)
    }

    @Test("Bytes that the files lack are missed, though a file that is cut off behind a packet looks whole")
    func cutFiles() throws {
        try write(streams: 5, without: [])
        let size = try CTFTrace(path: path).totalBytes
        try write(streams: 5, without: [], environment: "stream_bytes = \(size);")
        #expect(try missing().notes.isEmpty)
        try write(streams: 5, without: [], environment: "stream_bytes =     \(size + 1_234);")
        let note = try #require(try missing().notes.first)
        #expect(note.hasPrefix("The stream files of \(path) lack 1,234 of the "))
        #expect(try missing().count == 0, "no file is missing")
        let summary = try DispatchTrace(path: path).forEachEvent { _, _, _ in }
        #expect(summary.missing == [MissingEvents(.files, count: 1)])
        // The missing bytes of a missing file are not reported separately.
        try write(streams: 5, without: ["thread-0003"], environment: "stream_bytes = \(size);")
        #expect(try missing().notes.map { $0.contains("lacks 1 of 5 stream files") } == [true])
    }

    // MARK: Definitions

    @Test("Events without definitions are read, and a note says what is missing", arguments: [false, true])
    func definitions(isEmpty: Bool) throws {
        try write(streams: 5, without: isEmpty ? [] : ["definitions"])
        if isEmpty { try Data().write(to: URL(fileURLWithPath: path + "/definitions")) }
        let trace = try DispatchTrace(path: path)
        var count = 0
        let summary = try trace.forEachEvent { _, _, _ in count += 1 }
        #expect(count == 5)
        let note = try #require(summary.notes.first)
        #expect(note.hasPrefix("\(path)/definitions is \(isEmpty ? "empty" : "missing"): "))
        #expect((summary.notes.count, summary.files, summary.damagedFiles) == (1, 6, 1))
        #expect(summary.missing == [MissingEvents(.files, count: 1)])
    }

    @Test("A trace in which nothing was recorded lacks nothing")
    func nothingRecorded() throws {
        try write(without: ["definitions", "kernel-0001"] + (2...5).map { "thread-000\($0)" })
        #expect(try missing().notes.isEmpty)
        try write(streams: 5, without: ["definitions", "kernel-0001"] + (2...5).map { "thread-000\($0)" })
        #expect(try missing().count == 6)
    }

    @Test("A program that was killed as it started has context switches, and lacks nothing", arguments: [nil, 1])
    func killedAsItStarted(streams: Int?) throws {
        try write(streams: streams, without: ["definitions"] + (2...5).map { "thread-000\($0)" })
        #expect(try missing().notes.isEmpty)
        try write(streams: streams, without: ["definitions"] + (3...5).map { "thread-000\($0)" })
        #expect(try missing().notes.count == 1)
    }

    // MARK: Several traces

    @Test("Of several traces each tells of its own, and losses count at any time")
    func severalTraces() throws {
        try write(streams: 5, without: ["thread-0003"])
        let collection = try TraceCollection(path: directory.path)
        let alone = try collection.forEachEvent { _ in }
        #expect(alone.outcomes[0].notes.count == 1)
        #expect((alone.total.files, alone.total.damagedFiles) == (6, 1))
        #expect(alone.total.missing(since: 0) == [MissingEvents(.files, count: 1)])
        #expect(collection.soleTrace != nil, "it is read the short way all the same")
        #expect(alone.notes.isEmpty)
    }

    // MARK: LTTng

    /// An index with a number of entries of 56 bytes, in the format of LTTng 2.13.
    private func index(_ packets: Int) -> Data {
        var bytes: [UInt8] = []
        for word: UInt32 in [0xC1F1_DCC1, 1, 1, 56] { withUnsafeBytes(of: word.bigEndian) { bytes += $0 } }
        return Data(bytes + Array(repeating: 0, count: packets * 56))
    }

    @Test("An index of LTTng that has packets tells of its data stream file", arguments: [false, true])
    func lttng(isKernel: Bool) throws {
        var user = LTTngTrace(.userspace, host: "box", identity: 1)
        user.queue(1, "app", at: 10, pid: 7, tid: 70)
        try user.write(to: directory.appending("ust"))
        var kernel = LTTngTrace(.kernel, host: "box", identity: 2)
        kernel.wakeup(70, at: 40)
        try kernel.write(to: directory.appending("kernel"))
        let damaged = directory.appending(isKernel ? "kernel" : "ust")
        for (name, packets) in [("channel0_0", 1), ("channel0_7", 2), ("channel0_8", 0)] {
            try index(packets).write(to: URL(fileURLWithPath: "\(damaged)/index/\(name).idx"))
        }
        let summary = try TraceCollection(path: directory.path).forEachEvent { _ in }
        let notes = summary.notes + summary.total.notes
        #expect(notes.count == 1)
        #expect(
            notes[0].hasPrefix(
                "\(damaged)/channel0_7 is missing. According to index/channel0_7.idx, it contained the events of 2 "
                    + "packets."))
        guard !isKernel else { return }
        #expect(summary.total.missing(since: 0) == [MissingEvents(.files, count: 1)])
    }

    // MARK: The corpus

    /// The traces of the repository.
    static let corpus: [String] = {
        let root = Package.root + "/traces"
        let files = FileManager.default
        let versions = (try? files.contentsOfDirectory(atPath: root)) ?? []
        return versions.flatMap { version in
            ((try? files.contentsOfDirectory(atPath: "\(root)/\(version)")) ?? []).map {
                "\(root)/\(version)/\($0)/trace"
            }
        }
    }()

    @Test("No trace of the corpus lacks anything, nor has a copy")
    func corpusIsWhole() throws {
        #expect(Self.corpus.count >= 50)
        for path in Self.corpus {
            let trace = try DispatchTrace(path: path)
            #expect(trace.missingFiles.notes.isEmpty, "\(trace.missingFiles.notes)")
            let summary = try trace.forEachEvent { _, _, _ in }
            #expect(!summary.notes.contains { $0.contains("same packets") })
        }
    }

    @Test("Any file but the first and the last one is missed in a trace of the corpus")
    func corpusWithoutAFile() throws {
        let whole = try #require(Self.corpus.first { $0.contains("1.6/plain-readers-writer") })
        for name in ["definitions", "thread-0002", "thread-0003", "thread-0004"] {
            try? FileManager.default.removeItem(atPath: path)
            try FileManager.default.copyItem(atPath: whole, toPath: path)
            try FileManager.default.removeItem(atPath: path + "/" + name)
            let note = try #require(try missing().notes.first)
            #expect(note.contains(name))
        }
    }
}
