import Dispatch
import Foundation
import Queuescope
import TestSupport
import Testing

extension QueuescopeTests {
    @Suite struct SessionTests {
        @Test("a session records between its start and its stop")
        func startAndStop() throws {
            let directory = TemporaryDirectory()
            let path = directory.appending("trace")
            #expect(!TraceSession.isRecording && TraceSession.directory == nil)
            #expect(TraceSession.stop() == nil)
            try TraceSession.start(directory: path)
            #expect(TraceSession.isRecording && TraceSession.directory == path)
            TraceSession.flush()
            let summary = try #require(TraceSession.stop())
            #expect(summary.directory == path && summary.discarded == 0)
            #expect(!TraceSession.isRecording)
        }

        @Test("a session that cannot start throws the reason and the remedy, and nothing is recorded")
        func errors() throws {
            let directory = TemporaryDirectory()
            let full = directory.appending("full")
            try FileManager.default.createDirectory(atPath: full + "/something", withIntermediateDirectories: true)
            let cases: [(String, TraceSessionError.Code, String)] = [
                (
                    full, .directoryExists,
                    "Cannot record into \(full): it exists and is no empty directory of its own "
                        + "(a file, a link, or something is in it); name a new one."
                ),
                (
                    directory.appending("no/parent"), .cannotCreate,
                    "Cannot record into \(directory.appending("no/parent")): No such file or directory; "
                        + "name a directory that this user may create, in one that exists."
                ),
                (String(repeating: "x", count: 5_000), .pathTooLong, ""),
                (
                    directory.appending("%x"), .unknownLetter,
                    "Cannot record into \(directory.appending("%x")): it has an unknown letter after a percent sign; "
                        + "use %n, %p, %t, %h, or %% for the sign."
                ),
            ]
            for (path, code, sentence) in cases {
                let error = #expect(throws: TraceSessionError.self) { try TraceSession.start(directory: path) }
                #expect(error?.code == code)
                if !sentence.isEmpty { #expect(error?.description == sentence) }
                #expect(!TraceSession.isRecording)
            }
        }

        @Test("each session has its own directory by the letters of the path, and the newest ones are kept")
        func pattern() throws {
            let directory = TemporaryDirectory()
            var paths: [String] = []
            for _ in 1...4 {
                try TraceSession.start(directory: directory.appending("run-%t"), options: .init(kept: .traces(2)))
                paths.append(try #require(TraceSession.stop()).directory)
            }
            let kept = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
            #expect(Set(paths).count == 4 && kept.map(directory.appending) == Array(paths.suffix(2)))
        }

        @Test(
            "a snapshot is a complete trace with the events so far, and the session continues",
            arguments: [false, true])
        func snapshot(isFlight: Bool) throws {
            let directory = TemporaryDirectory()
            let path = directory.appending("trace")
            try TraceSession.start(directory: path, options: .init(mode: isFlight ? .flight : .stream))
            let status = try #require(TraceSession.status)
            #expect(status.directory == path && status.mode == (isFlight ? .flight : .stream) && status.discarded == 0)
            #expect(try #require(status.started) > .zero)
            let queue = TracedQueue(label: "test.snapshot")
            for _ in 0..<10 { queue.sync {} }
            let first = try TraceSession.snapshot(directory: directory.appending("first"), reason: "a\nreason")
            for _ in 0..<10 { queue.sync {} }
            let second = try TraceSession.snapshot()
            let summary = try #require(TraceSession.stop())
            #expect(first == directory.appending("first") && second.hasPrefix(path + "-snapshot-2"))
            let counts = try [first, second, summary.directory].map {
                try RecordedEvents(reading: $0).named("item_begin").count
            }
            #expect(counts == [10, 20, 20])
            #expect(try String(contentsOfFile: first + "/.snapshot", encoding: .utf8) == "a reason\n")
            #expect(!FileManager.default.fileExists(atPath: second + "/.snapshot"))
        }

        @Test("a snapshot that cannot be taken throws the reason and the remedy, and leaves nothing")
        func snapshotErrors() throws {
            let directory = TemporaryDirectory()
            #expect(TraceSession.status == nil)
            let none = #expect(throws: SnapshotError.self) { try TraceSession.snapshot() }
            #expect(none?.code == .notRecording)
            try TraceSession.start(directory: directory.appending("trace"))
            defer { TraceSession.stop() }
            let cases: [(String, SnapshotError.Code)] = [
                (directory.appending("trace"), .directoryExists), (directory.appending("no/parent"), .cannotCreate),
                (directory.appending("%x"), .unknownLetter), (String(repeating: "x", count: 5_000), .pathTooLong),
            ]
            for (path, code) in cases {
                let error = #expect(throws: SnapshotError.self) { try TraceSession.snapshot(directory: path) }
                #expect(error?.code == code, "\(path)")
                #expect(error?.description.hasSuffix(".") == true)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["trace"])
        }

        @Test("a second session cannot start while one records")
        func twice() throws {
            let directory = TemporaryDirectory()
            try TraceSession.start(directory: directory.appending("first"))
            defer { TraceSession.stop() }
            let error = #expect(throws: TraceSessionError.self) {
                try TraceSession.start(directory: directory.appending("second"))
            }
            #expect(error?.code == .alreadyRecording)
            #expect(TraceSession.directory == directory.appending("first"))
        }

        @Test("a closure is recorded, and the session ends with it also when it throws")
        func scoped() async throws {
            enum Failure: Error { case expected }
            let directory = TemporaryDirectory()
            let first = try withTraceSession(directory: directory.appending("first")) { TraceSession.directory }
            #expect(first == directory.appending("first") && !TraceSession.isRecording)
            #expect(throws: Failure.expected) {
                try withTraceSession(directory: directory.appending("second")) { throw Failure.expected }
            }
            #expect(!TraceSession.isRecording)
            let third = try await withTraceSession(directory: directory.appending("third")) {
                await Task.yield()
                return TraceSession.directory
            }
            #expect(third == directory.appending("third") && !TraceSession.isRecording)
        }

        @Test("an amount that has no room in 64 bits is the largest amount")
        func amounts() {
            #expect(ByteCount.mebibytes(64).bytes == 64 << 20)
            #expect(ByteCount.gibibytes(.max).bytes == .max)
            #expect(ByteCount.kibibytes(1) < .mebibytes(1))
        }

        @Test("a limit discards and counts what does not fit")
        func limit() throws {
            let directory = TemporaryDirectory()
            try TraceSession.start(directory: directory.appending("trace"), options: .init(limit: .kibibytes(512)))
            let queue = TracedQueue(label: "test.limit")
            for _ in 0..<100_000 { queue.sync {} }
            let summary = try #require(TraceSession.stop())
            #expect(summary.discarded > 0)
        }

        @Test("a session that starts late records the queues, sources, locks and signposters that exist")
        func statedump() throws {
            let parent = TracedQueue(label: "test.late.parent")
            let child = parent.branch("child")
            let plain = DispatchQueue(label: "test.late.plain")
            let wrapped = TracedQueue(wrapping: plain)
            let lock = TracedLock(label: "test.late.lock", fairness: .fair)
            let source = TracedSource.makeUserDataAddSource(queue: child)
            source.activate()
            let signposter = Signposter(subsystem: "test.late", category: "late")
            let gone = TracedQueue(label: "test.late.gone")
            _ = consume gone
            let events = try RecordedEvents { child.sync { lock.withLock {} } }
            let states = events.named("queue_state")
            func state(_ label: String) -> RecordedEvent? { states.first { $0["label"] == label } }
            #expect(state("test.late.parent")?["width"] == "1")
            #expect(state("test.late.parent.child")?["target"] == state("test.late.parent")?["queue"])
            #expect(state("test.late.plain")?["flags"] == "32")
            #expect(state("test.late.gone") == nil)
            #expect(events.site(state("test.late.parent")?["code"] ?? "") != nil)
            #expect(events.named("lock_create").contains { $0["label"] == "test.late.lock" })
            #expect(
                events.named("source_create").contains { $0["queue"] == state("test.late.parent.child")?["queue"] })
            #expect(events.named("signpost_log").contains { $0["subsystem"] == "test.late" })
            source.cancel()
            withExtendedLifetime((parent, child, wrapped, lock, source, signposter)) {}
        }

        @Test("a source that was activated before the session has the activation's call site, but no stack")
        func activationBeforeSession() throws {
            let source = TracedSource.makeUserDataAddSource(queue: TracedQueue(label: "test.before.session"))
            source.setEventHandler {}
            source.activate()
            let events = try RecordedEvents { source.setEventHandler {} }
            source.cancel()
            let misuse = try #require(events.named("mutation_after_activation").first)
            #expect(misuse["activation_stack"] == "0")
            #expect(
                try #require(events.site(misuse["activation_code"])).hasPrefix("QueuescopeTests/SessionTests.swift:"))
        }
    }
}
