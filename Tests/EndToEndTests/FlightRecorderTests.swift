import CTFReader
import Foundation
import TestSupport
import Testing

@Suite("A flight recorder")
struct FlightRecorderTests {
    private struct Report: Decodable {
        struct Trace: Decodable {
            let overwritten: Bool
            let discarded: Int
            let notes: [String]
        }
        struct Quality: Decodable {
            struct Check: Decodable {
                let id: String
                let violations: Int
                let detail: String
            }
            let checks: [Check]
            /// The checks with violations, so that a failed test names them.
            var failures: [String] { checks.filter { $0.violations > 0 }.map { "\($0.id): \($0.detail)" } }
        }
        struct Queue: Decodable {
            let label: String
            let items: Int
        }
        let trace: Trace
        let quality: Quality
        let queues: [Queue]
    }

    private let directory = TemporaryDirectory()
    private var trace: String { directory.appending("trace") }

    private func command(_ scenario: String, of program: String = "InterposerProbe", limit: Int) -> [String] {
        ["record", "--mode", "flight", "--limit", "\(limit)", "-o", trace, "--", Program.built(program).path, scenario]
    }

    /// Disk space of the trace, in bytes, without the names of its code.
    private func size() throws -> Int {
        let names = try FileManager.default.contentsOfDirectory(atPath: trace).filter { !$0.hasPrefix(".") }
        return try names.reduce(0) { sum, name in
            var status = stat()
            try #require(lstat("\(trace)/\(name)", &status) == 0)
            return sum + Int(status.st_blocks) * 512
        }
    }

    /// Length of the files of the trace, with their holes, in bytes.
    private func length() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: trace).reduce(0) { sum, name in
            try sum + (FileManager.default.attributesOfItem(atPath: "\(trace)/\(name)")[.size] as? Int ?? 0)
        }
    }

    private func report(_ note: Comment? = nil) throws -> Report {
        let report = try readReport(note)
        #expect(report.trace.overwritten, note)
        return report
    }

    private func readReport(_ note: Comment? = nil, of path: String? = nil) throws -> Report {
        let result = try Program.queuescope.run(["report", path ?? trace, "--format", "json", "--all"])
        try #require(result.status == 0, "\(note ?? ""): \(result.errors)")
        return try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    }

    private func checkBabeltrace() throws {
        guard let babeltrace2 = Program.babeltrace2 else { return }
        let result = try babeltrace2.run([trace])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(try Program.queuescope.run(["events", trace]).output == result.output)
    }

    /// Starts a program that works until it is killed. Returns its process id when the trace has reached the limit, or
    /// has been overwritten.
    private func startEndlessWork(limit: Int, untilOverwritten: Bool = false) throws -> (
        record: Process, program: pid_t
    ) {
        let output = directory.appending("out")
        let record = try Program.queuescope.start(
            command("endless-work", limit: limit), output: output, errors: directory.appending("err"))
        while record.isRunning {
            let line = FileManager.default.contents(atPath: output).map { String(decoding: $0, as: UTF8.self) } ?? ""
            // Overwritten packets become holes. At first there is no trace.
            let isFull = try? untilOverwritten ? length() >= size() + limit : size() >= limit
            if isFull == true, let pid = pid_t(line.dropFirst("pid ".count).dropLast()) { return (record, pid) }
            usleep(1_000)
        }
        throw CocoaError(.fileReadUnknown)
    }

    @Test("keeps the end of a recording within its limit, and babeltrace2 reads the trace")
    func keepsTheEnd() throws {
        let limit = 2 << 20
        let result = try Program.queuescope.run(command("much-work", limit: limit))
        #expect(result.status == 0, "\(result.errors)")
        // At least three packets of 64 KiB of each thread are kept. A busy machine has more worker threads.
        let streams = try FileManager.default.contentsOfDirectory(atPath: trace).count
        #expect(try size() < max(limit, streams * 3 * 64 << 10) * 5 / 4)
        let report = try report()
        #expect(report.quality.failures == [])
        let queues = report.queues
        #expect(queues.first { $0.label == "probe.last" }?.items == 100)
        let busy = queues.lazy.filter { $0.label == "probe.busy" }.reduce(0) { $0 + $1.items }
        #expect((10_000..<200_000).contains(busy), "the program submits 200,200 items")
        try checkBabeltrace()
    }

    @Test("keeps the end of a program that is killed, 20 times at random moments")
    func killed() throws {
        let limit = 2 << 20
        for round in 1...20 {
            let (record, program) = try startEndlessWork(limit: limit, untilOverwritten: true)
            let delay = UInt32.random(in: 0...20_000)
            usleep(delay)  // the random moment
            kill(program, SIGKILL)
            record.waitUntilExit()
            let note: Comment = "round \(round), killed after \(delay) µs"
            // After the program's death, `record` writes the events that were in memory, up to 64 MiB above the limit.
            #expect(try size() < limit * 2 + 64 << 20, note)
            let report = try report(note)
            #expect(report.quality.failures == [], note)
            #expect(report.queues.contains { $0.label == "probe.busy" }, note)
            if round % 10 == 0 { try checkBabeltrace() }
            try FileManager.default.removeItem(atPath: trace)
        }
    }

    @Test("can be read while it records, and the overwriting never corrupts what is read", .timeLimit(.minutes(10)))
    func live() throws {
        let (record, program) = try startEndlessWork(limit: 32 << 20)
        defer {
            kill(program, SIGKILL)
            record.waitUntilExit()
        }
        // Before the recorder overwrites for the first time, a report is not about overwriting. On a busy machine that
        // takes a while, because nothing is removed while a report reads the trace.
        var rounds = 0
        while rounds < 10 {
            // Checks may fail: threads are copied one after the other, and the program writes as much as the limit in
            // that time.
            let report = try readReport("round \(rounds)")
            #expect(!report.trace.notes.contains { $0.contains("Expected a packet") }, "round \(rounds)")
            #expect(report.queues.contains { $0.label == "probe.busy" }, "round \(rounds)")
            if report.trace.overwritten { rounds += 1 }
        }
    }

    @Test("keeps its limit when definitions take many times the limit, and still names what lives long")
    func overwritesDefinitions() throws {
        let limit = 1 << 20
        let result = try Program.queuescope.run(command("300000", of: "ShortLivedObjects", limit: limit))
        #expect(result.status == 0, "\(result.errors)")
        // The program defines 15 MB in about a second, and the recorder looks at the size every 100 ms.
        #expect(try size() < length() / 2)
        let report = try report()
        #expect(report.trace.discarded == 0)
        #expect(report.quality.failures == [])
        #expect(report.queues.contains { $0.label == "lives.long" && $0.items >= 100 })
        #expect(report.queues.contains { $0.label == "lives.short.299999" })
        let events = try Program.queuescope.run(["events", trace]).output
        #expect(!events.contains("lives.short.0\""), "the first definitions are removed")
        #expect(events.contains("lives.long"), "the definition of a living queue is repeated")
        #expect(events.contains("ShortLivedObjects.Keeper"), "the definition of a living actor is repeated")
        // Only the number of events: in a long file babeltrace2 shows an earlier text for a few empty strings.
        guard let babeltrace2 = Program.babeltrace2 else { return }
        let other = try babeltrace2.run([trace])
        #expect(other.status == 0 && other.errors.isEmpty, "\(other.errors)")
        #expect(other.output.utf8.count { $0 == UInt8(ascii: "\n") } == events.utf8.count { $0 == UInt8(ascii: "\n") })
    }

    @Test("also limits the second recorder of a program that links Queuescope")
    func secondRecorder() throws {
        let progress = directory.appending("progress")
        let record = try Program.queuescope.start(
            [
                "record", "--mode", "flight", "--limit", "1M", "--memory", "4M", "-o", trace, "--",
                Program.built("KillTarget").path, progress, "1",
            ], output: directory.appending("out"), errors: directory.appending("err"))
        /// Number of signposts of the program's thread so far; each takes more than 10 bytes.
        func signposts() -> UInt64 {
            guard let slot = FileManager.default.contents(atPath: progress)?.prefix(16), slot.count == 16 else {
                return 0
            }
            return slot.suffix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << (8 * $1.offset) }
        }
        while record.isRunning, signposts() < 5_000_000 { usleep(10_000) }
        record.terminate()
        record.waitUntilExit()
        #expect(signposts() >= 5_000_000)
        #expect(try size() < 20 << 20)
        _ = try report()
    }

    // MARK: In memory

    private func commandInMemory(_ scenario: String, memory: String = "4M", window: String? = nil) -> [String] {
        ["record", "--mode", "flight", "--memory", memory] + (window.map { ["--window", $0] } ?? [])
            + ["-o", trace, "--", Program.built("InterposerProbe").path, scenario]
    }

    /// Starts a program that works until it is killed, with a ring in memory. Returns its process id.
    private func startEndlessWorkInMemory(
        memory: String = "4M", window: String? = nil
    ) throws -> (record: Process, program: pid_t) {
        let output = directory.appending("out")
        let record = try Program.queuescope.start(
            commandInMemory("endless-work", memory: memory, window: window), output: output,
            errors: directory.appending("err"))
        while record.isRunning {
            let line = FileManager.default.contents(atPath: output).map { String(decoding: $0, as: UTF8.self) } ?? ""
            if let pid = pid_t(line.dropFirst("pid ".count).dropLast()) { return (record, pid) }
            usleep(1_000)
        }
        throw CocoaError(.fileReadUnknown)
    }

    /// Length of the files with events, in bytes.
    private func eventLength() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: trace).filter {
            $0.hasPrefix("thread-") || $0.hasPrefix("kernel-")
        }.reduce(0) { sum, name in
            try sum + (FileManager.default.attributesOfItem(atPath: "\(trace)/\(name)")[.size] as? Int ?? 0)
        }
    }

    private func snapshot(of program: pid_t, _ number: Int) throws -> Report {
        let path = directory.appending("snapshot-\(number)")
        let result = try Program.queuescope.run(["snapshot", "\(program)", "-o", path])
        try #require(result.status == 0, "\(result.errors)")
        return try readReport("snapshot \(number)", of: path)
    }

    @Test("keeps the end of a recording in memory, and writes it at the end")
    func keepsTheEndInMemory() throws {
        let result = try Program.queuescope.run(commandInMemory("much-work"))
        #expect(result.status == 0, "\(result.errors)")
        #expect(try length() < 5 << 20, "files without a hole: nothing was written before")
        let report = try report()
        #expect(report.quality.failures == [])
        #expect(report.queues.first { $0.label == "probe.last" }?.items == 100)
        try checkBabeltrace()
    }

    @Test("writes events for a snapshot only, and is completed after a kill", .timeLimit(.minutes(10)))
    func snapshotsOfMemory() throws {
        let (record, program) = try startEndlessWorkInMemory()
        defer {
            kill(program, SIGKILL)
            record.waitUntilExit()
        }
        #expect(try eventLength() == 0)
        // Until the ring is full, a snapshot is not about overwriting. The last one follows another one.
        var number = 0, overwritten = 0
        while overwritten < 2 {
            number += 1
            // Checks may fail: the program can overwrite the whole memory while the events are written.
            let report = try snapshot(of: program, number)
            #expect(!report.trace.notes.contains { $0.contains("missing") }, "snapshot \(number)")
            #expect(report.queues.contains { $0.label == "probe.busy" }, "snapshot \(number)")
            if report.trace.overwritten { overwritten += 1 }
        }
        let before = try eventLength()
        #expect(before > 0)
        _ = try Program.queuescope.run(["report", directory.appending("snapshot-\(number)")])
        #expect(try eventLength() == before, "the program has recorded since then, and no event was written")
        kill(program, SIGKILL)
        record.waitUntilExit()
        let report = try report()
        #expect(!report.trace.notes.contains { $0.contains("missing") })
        #expect(report.queues.contains { $0.label == "probe.busy" })
        #expect(report.quality.failures == [])
        try checkBabeltrace()
    }

    @Test("keeps the end of a program in memory that is killed, 10 times at random moments", .timeLimit(.minutes(10)))
    func killedInMemory() throws {
        for round in 1...10 {
            let (record, program) = try startEndlessWorkInMemory()
            // A snapshot makes files, which later events are overwritten after.
            _ = try Program.queuescope.run(["snapshot", "\(program)", "-o", directory.appending("before-\(round)")])
            let delay = UInt32.random(in: 100_000...400_000)
            usleep(delay)  // the random moment
            kill(program, SIGKILL)
            record.waitUntilExit()
            // The machine may be too busy to fill 4 MiB in this time.
            let note: Comment = "round \(round), killed after \(delay) µs"
            let report = try readReport(note)
            #expect(report.quality.failures == [], note)
            try FileManager.default.removeItem(atPath: trace)
        }
    }

    // MARK: A window

    /// The ends of the packets with events of all threads, in seconds of the trace's clock.
    private func packetEnds(in path: String) throws -> [Double] {
        let metadata = try String(contentsOfFile: "\(path)/metadata", encoding: .utf8)
        let frequency = try #require(metadata.firstMatch(of: /freq = ([0-9]+)/).flatMap { Double($0.output.1) })
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasPrefix("thread-") }
        return names.flatMap { name in
            let file = FileManager.default.contents(atPath: "\(path)/\(name)") ?? Data()
            return file.withUnsafeBytes { bytes in
                var (ends, place): ([Double], Int) = ([], 0)
                func number(_ offset: Int) -> UInt64 {
                    bytes.loadUnaligned(fromByteOffset: place + offset, as: UInt64.self)
                }
                while place + 88 <= bytes.count {
                    if number(48) > 88 * 8 { ends.append(Double(number(40)) / frequency) }
                    place += max(Int(number(56) / 8), 88)
                }
                return ends
            }
        }
    }

    @Test("has no packet in a snapshot that ended before its window")
    func window() throws {
        let (record, program) = try startEndlessWorkInMemory(memory: "64M", window: "200ms")
        defer {
            kill(program, SIGKILL)
            record.waitUntilExit()
        }
        // Each snapshot adds packets to the files, and the next one removes the old packets again.
        for number in 1...4 {
            let report = try snapshot(of: program, number)
            let ends = try packetEnds(in: directory.appending("snapshot-\(number)"))
            let (first, last) = (try #require(ends.min()), try #require(ends.max()))
            #expect(last - first <= 0.2 * 1.01, "snapshot \(number): the clock of the metadata is not exact")
            #expect(!report.trace.notes.contains { $0.contains("missing") }, "snapshot \(number)")
            let hasWindow = report.trace.notes.contains { $0.contains("window of 200 ms") }
            #expect(report.trace.overwritten == hasWindow, "\(report.trace.notes)")
        }
    }

    @Test("states that the memory was too small for the window")
    func shortWindow() throws {
        let result = try Program.queuescope.run(commandInMemory("much-work", window: "1h"))
        #expect(result.status == 0, "\(result.errors)")
        let report = try report()
        #expect(report.trace.notes.contains { $0.hasPrefix("The memory was too small for the window of 3600 s: the ") })
        #expect(report.quality.failures == [])
        try checkBabeltrace()
    }

    @Test(
        "has a window in memory only",
        arguments: [["--window", "60s"], ["--window", "60s", "--mode", "flight", "--limit", "1M"]])
    func windowNeedsMemory(options: [String]) throws {
        let result = try Program.queuescope.run(["record"] + options + ["--", "true"])
        #expect(result.status == 64)
        #expect(result.errors.contains("--window is for a flight recorder in memory"), "\(result.errors)")
    }

    @Test("is refused for LTTng, with a reference to LTTng's snapshots")
    func isNotForLTTng() throws {
        let result = try Program.queuescope.run(["record", "--mode", "flight", "--backend", "lttng", "--", "true"])
        #expect(result.status == 64)
        #expect(result.errors.contains("lttng create --snapshot"))
    }
}
