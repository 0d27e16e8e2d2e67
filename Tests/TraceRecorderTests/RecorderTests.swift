import CTFReader
import Foundation
import TestSupport
import Testing

@Suite("The recorder")
struct RecorderTests {
    @Test("keeps random events as a plain list would", arguments: [1, 2, 3, 4, 5])
    func randomEvents(seed: Int) throws {
        let directory = TemporaryDirectory()
        let result = try Program.probe.scenario("random", directory.appending("trace"), "\(seed)", "20000")
        let trace = try RecordedTrace(directory.appending("trace"))
        let expected = result.lines.map { $0.split(separator: " ", omittingEmptySubsequences: false).map(String.init) }
        let recorded = trace.lines(named: Set(expected.map { $0[0] })).map { [$0.name] + $0.values }
        #expect(recorded.count == 20000, "seed \(seed)")
        #expect(recorded == expected, "seed \(seed)")
        #expect(trace.summary.discarded == 0)
        #expect(trace.summary.notes.isEmpty)
    }

    @Test("writes into memory that no file system backs, and that nobody can truncate by a path")
    func mappings() throws {
        let directory = TemporaryDirectory()
        let result = try Program.probe.scenario("mappings", directory.appending("trace"))
        #expect(result.lines.count { $0.hasPrefix("segment ") } == 1, "the arena")
        #expect(result.lines.allSatisfy { $0.hasPrefix("segment ") || $0.hasPrefix("kernel ") }, "\(result.output)")
    }

    @Test("allocates nothing per event")
    func allocations() throws {
        let directory = TemporaryDirectory()
        let result = try Program.probe.scenario("allocations", directory.appending("trace"), "100000")
        let counts = counts(in: result.output)
        #expect(counts["control"] == 1, "the probe counts allocations")
        #expect(counts["events"] == 400_000)
        #expect(counts["allocations"] == 0)
    }

    @Test("counts what the limit makes it drop, and keeps the rest", arguments: ["0", "1"])
    func limit(processors: String) throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        let result = try Program.probe.run(
            ["producers", path, "8", "100000", "2000000"], environment: ["QUEUESCOPE_PROCESSORS": processors])
        let counts = counts(in: result.output)
        let attempted = try #require(counts["attempted"])
        let discarded = try #require(counts["discarded"])
        let trace = try RecordedTrace(path)
        let kept = trace.lines(named: ["item_begin"]).count
        #expect(discarded > 0, "the limit was reached")
        #expect(kept + discarded >= attempted)
        // Thread events (start, times, end), definitions and context switches may have been discarded as well.
        if processors == "0" { #expect(kept + discarded <= attempted + 100) }
        #expect(trace.streamCounts.declared == trace.streamCounts.found)
        #expect(trace.streamBytes.declared == trace.streamBytes.found)
        #expect(Int(trace.summary.discarded) == discarded, "the trace declares all of them")
    }

    @Test("loses nothing without a limit, from many producers at once")
    func manyProducers() throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        let result = try Program.probe.scenario("producers", path, "16", "50000", "0")
        #expect(counts(in: result.output)["discarded"] == 0)
        let trace = try RecordedTrace(path)
        #expect(trace.streamCounts.declared == trace.streamCounts.found)
        #expect(trace.streamBytes.declared == trace.streamBytes.found)
        // All events of each thread are in the trace, in the order of recording.
        var next: [UInt64: UInt64] = [:]
        for line in trace.lines(named: ["item_begin"]) {
            let item = try #require(UInt64(line.values[0]))
            #expect(item & 0xFFFF_FFFF == next[item >> 32, default: 0])
            next[item >> 32] = (item & 0xFFFF_FFFF) + 1
        }
        #expect(next.count == 16 && next.values.allSatisfy { $0 == 50000 })
    }

    @Test("wakes up about once a second while nothing happens", .enabled(if: Program.recordsSwitches))
    func quiet() throws {
        let directory = TemporaryDirectory()
        let counts = counts(in: try Program.probe.scenario("quiet", directory.appending("trace"), "5").output)
        // One a second, and 6 pauses that double, because the measurement itself wakes the thread. With a constant
        // pause there would be 20 a second.
        #expect(try #require(counts["wakeups"]) * 1000 <= 4 * #require(counts["milliseconds"]), "\(counts)")
        #expect(counts["quiet"] == 1 && counts["active"] == 1, "the next event wakes the recorder")
    }

    @Test("wakes up about once a second while nothing happens, without context switches")
    func quietWithoutSwitches() throws {
        let directory = TemporaryDirectory()
        let result = try Program.probe.run(
            ["quiet", directory.appending("trace"), "5"], environment: ["QUEUESCOPE_PROCESSORS": "0"])
        let counts = counts(in: result.output)
        #expect(try #require(counts["wakeups"]) <= #require(counts["milliseconds"]) / 1000 + 4, "\(counts)")
    }

    @Test("wakes up about once a second in each of its threads while nothing happens after the end of the main thread")
    func quietAfterMainThread() throws {
        let directory = TemporaryDirectory()
        let result = try Program.probe.run(
            ["main-thread-quiet", directory.appending("trace"), "5"], environment: ["QUEUESCOPE_PROCESSORS": "0"])
        let counts = counts(in: result.output)
        #expect(try #require(counts["wakeups"]) * 1000 <= 5 * #require(counts["milliseconds"]), "\(counts)")
    }

    @Test("records the events of a thread that left an event by siglongjmp")
    func leftEvent() throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        let discarded = try #require(counts(in: Program.probe.scenario("left-event", path).output)["discarded"])
        let trace = try RecordedTrace(path)
        #expect(trace.lines(named: ["item_begin"]).count == 300 - discarded)
        #expect(discarded == 2 * 8, "the first events after an event that was left")
        #expect(trace.lines(named: ["thread_start"]).count == 1)
        #expect(trace.summary.notes.isEmpty && Int(trace.summary.discarded) == discarded)
    }

    @Test("waits briefly for threads that are stopped in an event or a definition: at a definition, a fork and the end")
    func stalledThreads() throws {
        let directory = TemporaryDirectory()
        let counts = counts(in: try Program.probe.scenario("stalled-threads", directory.appending("trace")).output)
        // A wait of 10 ms has at most 200 naps; a second has 10,000.
        #expect(counts.count == 3 && counts.values.allSatisfy { $0 < 1000 }, "\(counts)")
    }

    @Test("frees the partly filled chunks of idle threads when memory is scarce", arguments: [[], ["watched"]])
    func idleThreads(options: [String]) throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        // 8 MiB are 120 large chunks, fewer than threads.
        let result = try Program.probe.run(["idle-threads", path, "300", "8388608"] + options)
        let counts = counts(in: result.output)
        #expect(try #require(counts["free"]) >= 4)
        let trace = try RecordedTrace(path)
        let kept = trace.lines(named: ["item_begin"]).count
        #expect(try kept + Int(trace.summary.discarded) >= #require(counts["attempted"]), "no event is lost uncounted")
        #expect(trace.summary.notes.isEmpty)
        let starts = trace.lines(named: ["thread_start"]).map { $0.values[0] }
        #expect(starts.count == Set(starts).count, "a thread that records again does not start again")
    }

    @Test("frees the chunks of ended threads one at a time, so that new threads take over the other streams")
    func endedThreads() throws {
        let directory = TemporaryDirectory()
        let counts = counts(in: try Program.probe.scenario("reclaim", directory.appending("trace")).output)
        #expect(counts["partly"] == 1, "\(counts)")
    }

    @Test(
        "discards nothing as a flight recorder in memory, and is whole from the newest event on that it overwrote",
        arguments: [[], ["starved"]])
    func ring(options: [String]) throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        // 25 MB of events in 4 MiB.
        let result = try Program.probe.run(["ring", path, "8", "200000", "4194304"] + options)
        #expect(counts(in: result.output) == ["attempted": 1_600_100, "discarded": 0], "\(result.errors)")
        let begin = try #require(TraceMerge.wholeSince([CTFTrace(path: path)]) { _, _ in true }[0])
        let trace = try RecordedTrace(path)
        #expect(trace.summary.notes.isEmpty && trace.summary.lostPackets == 0, "\(trace.summary.notes)")
        #expect(trace.summary.discarded == 0)
        // The events of each thread have no gap after the begin.
        var last: [UInt64: UInt64] = [:]
        for line in trace.lines(named: ["item_begin"]) where line.time > begin {
            let item = try #require(UInt64(line.values[0]))
            if let previous = last[item >> 32] { #expect(item == previous + 1) }
            last[item >> 32] = item
        }
        #expect(last[9] == 9 << 32 | 99, "the newest event is there")
    }

    @Test("survives signal handlers that record in the middle of an event")
    func signals() throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        let result = try Program.probe.scenario("signals", path, "200000")
        let counts = counts(in: result.output)
        let trace = try RecordedTrace(path)
        #expect(trace.lines(named: ["item_end"]).count + Int(trace.summary.discarded) >= 100, "handlers ran")
        let kept = trace.lines(named: ["item_begin", "item_end"]).count
        #expect(kept + Int(trace.summary.discarded) == counts["attempted"])
        #expect(Int(trace.summary.discarded) == counts["discarded"])
    }

    @Test("starts no session while a thread is stopped in a definition of the last one, and loses no later definition")
    func stalledDefinition() throws {
        let directory = TemporaryDirectory()
        let result = try Program.probe.scenario("stalled-definition", directory.path)
        #expect(counts(in: result.output) == ["early": 1, "late": 0])
        let trace = try RecordedTrace(directory.appending("second"))
        #expect(trace.lines(named: ["code_symbol"]).count == 10)
        #expect(trace.summary.discarded == 0)
    }

    @Test("keeps the child of a fork out of the trace, and finishes the trace without a stop")
    func fork() throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        let result = try Program.probe.scenario("fork", path)
        #expect(result.output == "child 0\n")
        let trace = try RecordedTrace(path)
        #expect(trace.lines(named: ["item_begin"]).map { $0.values[0] } == (0..<200).map { "\($0)" })
        #expect(trace.lines(named: ["item_end"]).isEmpty)
    }

    @Test("never waits for a lock that its own thread holds: forks, with handlers that write definitions")
    func forkUnderSignals() throws {
        let directory = TemporaryDirectory()
        let result = try Program.probe.scenario("fork-signals", directory.appending("trace"), "300")
        #expect(result.output == "forks 300\n")
    }

    @Test("never waits for a lock that its own thread holds: exit in a handler, ten times")
    func exitInHandler() throws {
        for _ in 1...10 {
            let directory = TemporaryDirectory()
            _ = try Program.probe.scenario("exit-signal", directory.path)
        }
    }

    @Test("keeps the events in memory where the process may not write large files, instead of ending it")
    func fileSizeLimit() throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        let shell = try #require(Program.installed("sh"))
        let result = try shell.run([
            "-c", "ulimit -f 512; exec \"$0\" producers \"$1\" 2 200000 0", Program.probe.path, path,
        ])
        #expect(result.status == 0, "\(result)")
        let counts = counts(in: result.output)
        let discarded = try #require(counts["discarded"])
        // The command writes the rest of the memory into the files.
        #expect(try Program.queuescope.run(["check", path]).status == 0)
        let trace = try RecordedTrace(path)
        #expect(trace.lines(named: ["item_begin"]).count + discarded >= (try #require(counts["attempted"])))
        #expect(Int(trace.summary.discarded) == discarded)
    }

    @Test("makes a directory that others could write to its owner's")
    func sharedDirectory() throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o777])
        _ = try Program.probe.scenario("golden", path)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    @Test("reuses the streams of threads that ended")
    func threadReuse() throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        _ = try Program.probe.scenario("churn", path, "500", "1")
        let files = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasPrefix("thread-") }
        #expect(files.count <= 2, "threads that run one after the other share a stream")
        let trace = try RecordedTrace(path)
        #expect(trace.lines(named: ["item_begin"]).count == 5000)
        #expect(trace.lines(named: ["thread_start"]).count == 500)
        #expect(trace.lines(named: ["thread_exit"]).count == 500)
        // The packets have the thread id.
        for line in trace.lines(named: ["thread_exit"]) { #expect(line.values == ["\(line.tid)"]) }
    }

    @Test("takes no new stream for the events of late destructors")
    func lateDestructors() throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        _ = try Program.probe.scenario("late-destructors", path, "200")
        let files = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasPrefix("thread-") }
        #expect(files.count <= 2, "threads that run one after the other share a stream")
        let trace = try RecordedTrace(path)
        #expect(trace.lines(named: ["item_begin"]).count == 200)
        #expect(trace.lines(named: ["item_end"]).count >= 400, "from the first destructors")
        #expect(trace.summary.discarded > 0, "from the last ones")
    }

    @Test("keeps the order of time in the streams that threads take over while others end")
    func threadsAtOnce() throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        _ = try Program.probe.scenario("churn", path, "6000", "48")
        let trace = try RecordedTrace(path)
        #expect(trace.lines(named: ["thread_exit"]).count == 6000)
        #expect(trace.summary.notes.map(\.description) == [])
    }

    @Test("has told what it discarded when no file may be written any more where its last packet is")
    func changeOfLimit() throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        let counts = counts(in: try Program.probe.scenario("change-limit", path).output)
        _ = try ArenaRecovery.complete(path: path)
        let trace = try RecordedTrace(path)
        let kept = trace.lines(named: ["item_begin"]).count
        #expect(try kept + Int(trace.summary.discarded) >= #require(counts["attempted"]))
    }

    @Test("goes on when the process changes its user, in a directory of the former one", .enabled(if: geteuid() == 0))
    func changeOfUser() throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        #expect(try Program.probe.scenario("change-user", path).output == "discarded 0\n")
        let trace = try RecordedTrace(path)
        #expect(trace.lines(named: ["item_begin"]).count == 801)
        #expect(trace.summary.notes.isEmpty)
    }

    @Test("goes on when the process changes its root directory", .enabled(if: geteuid() == 0))
    func changeOfRoot() throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        try FileManager.default.createDirectory(
            atPath: directory.appending("root"), withIntermediateDirectories: false)
        #expect(
            try Program.probe.scenario("change-root", path, directory.appending("root")).output == "discarded 0\n")
        #expect(try RecordedTrace(path).lines(named: ["item_begin"]).count == 801)
        #expect(!FileManager.default.fileExists(atPath: path + "/.arena"))
    }

    @Test("takes no more memory, mappings, descriptors or files with every session")
    func rotation() throws {
        let directory = TemporaryDirectory()
        let result = try Program.probe.scenario("rotation", directory.path, "300")
        let states = result.lines.map { counts(in: String($0)) }
        try #require(states.count == 2)
        #expect(states[0]["mappings"] == states[1]["mappings"])
        #expect(states[0]["descriptors"] == states[1]["descriptors"])
        func files(_ session: Int) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: directory.appending("session-\(session)"))
        }
        #expect(try files(299).count == files(29).count)
        #expect(try files(299).count { $0.hasPrefix("kernel-") } <= 1, "a session returns its kernel stream")
        let growth = try #require(states[1]["kilobytes"]) - (try #require(states[0]["kilobytes"]))
        #expect(growth < 512, "kilobytes after 270 more sessions")
    }

    @Test("creates no files for the threads of earlier sessions")
    func fewerThreads() throws {
        let directory = TemporaryDirectory()
        _ = try Program.probe.scenario("fewer-threads", directory.path)
        func files(_ session: String) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: directory.appending(session))
                .count { $0.hasPrefix("thread-") }
        }
        // The main thread may take over the stream of a thread that has ended.
        #expect(try files("first") >= 8)
        #expect(try files("second") == 1)
    }

    @Test("leaves no reference to its memory where no lock can show that the trace is being recorded")
    func withoutLock() throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        let counts = counts(in: try Program.probe.scenario("without-lock", path).output)
        #expect(counts == ["reference": 0, "discarded": 0], "a reader would complete the trace")
        #expect(try RecordedTrace(path).lines(named: ["item_begin"]).count == 100)
    }

    @Test("makes no system call for the record of a stream in a thread whose filter kills")
    func sandboxedRecords() throws {
        let directory = TemporaryDirectory()
        let result = try Program.probe.scenario("sandboxed-records", directory.appending("trace"))
        #expect(result.output == "first 1 last 0\n")
    }

    @Test("records one session after the other in one process, each complete")
    func sessions() throws {
        let directory = TemporaryDirectory()
        _ = try Program.probe.scenario("sessions", directory.path, "10")
        for index in 0..<10 {
            let trace = try RecordedTrace(directory.appending("session-\(index)"))
            #expect(trace.lines(named: ["item_begin"]).count == 1000)
            #expect(Set(trace.lines(named: ["item_begin"]).map { $0.values[1] }) == ["\(index)"])
            #expect(trace.lines(named: ["code_symbol"]).count == 1, "definitions are written again")
            #expect(!trace.lines(named: ["image"]).isEmpty)
            #expect(trace.streamCounts.declared == trace.streamCounts.found)
            #expect(trace.streamBytes.declared == trace.streamBytes.found)
        }
    }

    @Test("keeps strings byte for byte, cuts those that would not fit, and ends them at a NUL")
    func strings() throws {
        let directory = TemporaryDirectory()
        _ = try Program.probe.scenario("strings", directory.appending("trace"))
        let trace = try RecordedTrace(directory.appending("trace"))
        let messages = trace.lines(named: ["signpost_event"]).map { $0.values[3] }
        #expect(messages[0].isEmpty)
        #expect(messages[1].utf8.count == 10 * 1024)
        #expect(messages[2].utf8.count == 16 * 1024)
        #expect(messages[3] == "before")
        #expect(messages[4] == "</script>\"\n\u{202E}\u{FFFD}", "invalid UTF-8 is repaired by the reader")
        #expect(messages.count == 1005)
    }

    @Test(
        "writes a trace that babeltrace2 reads without complaint", .enabled(if: Program.babeltrace2 != nil),
        arguments: [
            ["golden"], ["random", "9", "5000"], ["churn", "100", "1"], ["churn", "6000", "48"], ["strings"],
        ])
    func babeltrace(scenario: [String]) throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        let result = try Program.probe.run([scenario[0], path] + scenario.dropFirst())
        try #require(result.status == 0)
        let listing = try #require(Program.babeltrace2).run([path])
        #expect(listing.status == 0)
        #expect(listing.errors.isEmpty, "\(listing.errors)")
        #expect(listing.lines.count == (try RecordedTrace(path).lines.count))
    }

    @Test("never records into a directory that holds something, nor through a symbolic link")
    func existingDirectory() throws {
        let directory = TemporaryDirectory()
        try Data("x".utf8).write(to: URL(filePath: directory.appending("precious")))
        let result = try Program.probe.run(["golden", directory.path])
        #expect(result.status == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["precious"])

        let target = TemporaryDirectory()
        try FileManager.default.createSymbolicLink(
            atPath: directory.appending("link"), withDestinationPath: target.path)
        #expect(try Program.probe.run(["golden", directory.appending("link")]).status == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path).isEmpty)
    }

    @Test("makes the directory and its files readable by their owner only")
    func permissions() throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        _ = try Program.probe.scenario("golden", path)
        func mode(_ path: String) throws -> Int {
            try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        }
        #expect(try mode(path) == 0o700)
        for file in try FileManager.default.contentsOfDirectory(atPath: path) {
            #expect(try mode(path + "/" + file) == 0o600, "\(file)")
        }
    }
}
