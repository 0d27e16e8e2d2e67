import Foundation
import TestSupport
import Testing

@Suite("The processor track")
struct ProcessorTrackTests {
    @Test(
        "has every switch that the kernel counts, of threads made before and after the start, and after a quiet time",
        .enabled(if: Program.recordsSwitches), arguments: ["threads-first", "threads-last", "threads-quiet"])
    func comparesWithKernel(order: String) throws {
        let recording = try completeRecording("switches", order, "5000")
        let trace = recording.trace
        #expect(trace.summary.notes.isEmpty)
        let threads = switchCounts(in: recording.result)
        #expect(threads.count == 3)
        for (tid, counted) in threads {
            let section = sectionLines(of: tid, in: trace)
            let outs = section.filter { $0.name == "switch_out" }
            #expect(outs.count { $0.values[1] == "0" } == counted.voluntary, "thread \(tid), \(order)")
            #expect(outs.count { $0.values[1] == "1" } == counted.involuntary, "thread \(tid), \(order)")
            #expect(
                section.count { $0.name == "switch_in" } == outs.count, "the section begins and ends on a processor")
        }
        #expect(threads.values.map(\.voluntary).max() ?? 0 > 100, "the threads waited for each other")
    }

    @Test(
        "tells each thread's switches in turn, and none of its events while it has no processor",
        .enabled(if: Program.recordsSwitches), arguments: ["threads-first", "threads-last"])
    func alternates(order: String) throws {
        let recording = try completeRecording("switches", order, "5000")
        let trace = recording.trace
        for tid in switchCounts(in: recording.result).keys {
            var isRunning = true
            var isWaiting = false
            for line in sectionLines(of: tid, in: trace) {
                switch line.name {
                case "switch_in":
                    #expect(!isRunning)
                    isRunning = true
                case "switch_out":
                    #expect(isRunning)
                    isRunning = false
                    if line.values[1] == "0" { #expect(isWaiting, "it blocks where it says that it waits") }
                default:
                    #expect(isRunning, "\(line.name)")
                    if line.name == "lock_wait" { isWaiting = true }
                    if line.name == "lock_acquire" { isWaiting = false }
                }
            }
        }
    }

    @Test(
        "knows that a thread is off its processor that blocked before the recorder noticed it",
        .enabled(if: Program.recordsSwitches))
    func firstAbsence() throws {
        let recording = try completeRecording("first-absence")
        let tids = counts(in: recording.result.output)
        let sleeper = sectionLines(of: UInt32(try #require(tids["sleeper"])), in: recording.trace)
            .filter { $0.name.hasPrefix("switch_") }
        let out = try #require(sleeper.first)
        let back = try #require(sleeper.dropFirst().first)
        #expect(out.name == "switch_out" && out.values[1] == "0" && back.name == "switch_in")
        // The thread sleeps for 3 s. The recorder finds it within milliseconds, or later on a busy machine.
        #expect(back.time - out.time > 150_000_000)
        let runner = sectionLines(of: UInt32(try #require(tids["runner"])), in: recording.trace)
        #expect(!runner.isEmpty)
        #expect(!runner.contains { $0.name == "switch_out" && $0.values[1] == "0" }, "it never waits for anything")
    }

    @Test("follows a thread that its maker names after the first event", .enabled(if: Program.recordsSwitches))
    func lateName() throws {
        let trace = try completeRecording("first-absence").trace
        let renamed = try #require(
            trace.lines(named: ["thread_start"]).first { $0.values.contains { $0.contains("named later") } })
        // A thread reports its last name itself when it ends.
        let end = try #require(trace.lines(named: ["item_end"]).first { "\($0.tid)" == renamed.values[0] })
        #expect(renamed.time < end.time)
    }

    @Test("does not begin with the wait of the starting thread for the recorder", .enabled(if: Program.recordsSwitches))
    func begin() throws {
        let recording = try completeRecording("first-absence")
        let made = counts(in: recording.result.output).values.map { "\($0)" }
        let switches = recording.trace.lines(named: ["switch_in", "switch_out"])
        let starter = switches.filter { !made.contains($0.values[0]) }
        #expect(!starter.isEmpty, "it waits for the other threads")
        // The begin of an absence that began before the thread's ring was opened has no processor.
        #expect(!starter.contains { $0.values.last == "0" })
    }

    @Test("is of this process's threads only, without the recorder's own", .enabled(if: Program.recordsSwitches))
    func children() throws {
        let directory = TemporaryDirectory()
        let result = try Program.probe.scenario("switches-of-fork", directory.appending("trace"), "2000")
        #expect(result.lines.contains("child 0"))
        let trace = try RecordedTrace(directory.appending("trace"))
        let tids = Set(trace.lines(named: ["switch_in", "switch_out"]).map { $0.values[0] })
        // The thread that prints the counts, and the main thread.
        let main = Set(trace.lines(named: ["thread_times"]).filter { $0.tid == 0 }.map { $0.values[0] })
        #expect(main.count == 1)
        #expect(tids == main.union(switchCounts(in: result).keys.map { "\($0)" }))
        #expect(trace.lines(named: ["switch_in", "switch_out"]).allSatisfy { $0.tid == 0 })
    }

    @Test(
        "goes on, and touches no file of the program, when the program closes every descriptor",
        .enabled(if: Program.recordsSwitches))
    func closedDescriptors() throws {
        let recording = try completeRecording("switches-after-close", "2000")
        for (tid, counted) in switchCounts(in: recording.result) {
            let outs = sectionLines(of: tid, in: recording.trace).count { $0.name == "switch_out" }
            #expect(outs == counted.voluntary + counted.involuntary)
        }
    }

    @Test("is in the trace of a program that was killed", .enabled(if: Program.recordsSwitches))
    func killed() throws {
        let directory = TemporaryDirectory()
        let result = try Program.probe.run(["switches-until-killed", directory.appending("trace")])
        #expect(result.status == 128 + 9)
        #expect(try !RecordedTrace(directory.appending("trace")).lines(named: ["switch_out"]).isEmpty)
    }

    @Test("counts the switches that the ring had no room for", .enabled(if: Program.recordsSwitches))
    func lost() throws {
        let directory = TemporaryDirectory()
        // The recorder thread is stopped during this time.
        let rounds = 100_000
        let result = try Program.probe.scenario("switches-lost", directory.appending("trace"), "\(rounds)")
        let trace = try RecordedTrace(directory.appending("trace"))
        // A separate event reports the loss. The events of the program are complete.
        #expect(!trace.lines(named: ["switches_lost"]).isEmpty)
        #expect(trace.summary.discarded == 0)
        let counted = switchCounts(in: result).values.reduce(0) { $0 + $1.voluntary + $1.involuntary }
        // The kernel reports the number of lost records with the next record, so the last loss has no number.
        #expect(trace.lines(named: ["switch_in", "switch_out"]).count < 2 * counted, "the ring overflowed")
    }

    @Test("pauses the threads with the most switches when its budget is spent", .enabled(if: Program.recordsSwitches))
    func pauses() throws {
        // The cost of a switch is set so high that the budget is exhausted immediately.
        let recording = try Recording(["switches-dear", "20000"])
        let paused = Set(recording.trace.lines(named: ["switches_pause_begin"]).map { $0.values[0] })
        let quiet = try #require(counts(in: recording.result.output)["quiet"])
        #expect(!paused.isEmpty && !paused.contains("\(quiet)"), "paused \(paused), quiet \(quiet)")
    }

    @Test(
        "may cost 1.5 % of the processors that the process may use, and at least 3 % of one",
        arguments: [(0, 0, 30), (1, 0, 30), (2, 0, 30), (8, 0, 120), (8, 4000, 60), (8, 500, 30)])
    func budget(allowed: Int, quota: Int, milliseconds: Int) throws {
        let result = try Program.probe.scenario("switch-budget", "\(allowed)", "\(quota)")
        let counts = counts(in: result.output)
        #expect(counts["records"] == milliseconds * 1_000_000 / 800 + 1)
        // The threads that are not paused get a quarter of the allowance at once, and the pause pays for it too.
        #expect(counts["reserve"] == milliseconds * 1_000_000 / 4 / 800 && counts["pause"] == 1250)
        // The budget is full again.
        #expect(counts["again"] == 1)
    }

    @Test("falls back to the kernel's totals where perf_event_open is refused, and says why")
    func refused() throws {
        let directory = TemporaryDirectory()
        let result = try Program.probe.scenario("switches-forbidden", directory.appending("trace"), "500")
        let trace = try RecordedTrace(directory.appending("trace"))
        let track = try #require(trace.lines(named: ["processor_track"]).first)
        #expect(track.values == ["2", "perf_event_open is refused: Operation not permitted"])
        #expect(trace.lines(named: ["switch_in", "switch_out"]).isEmpty)
        // Under a system call filter, threads do not read their times. Only the times at the stop are recorded.
        #expect(trace.lines(named: ["thread_times"]).count == 1)
        #expect(switchCounts(in: result).count == 3)
    }

    @Test(
        "asks blocked threads where they are, until a filter would end the process for that",
        .enabled(if: Program.recordsSwitches))
    func questionsForbidden() throws {
        let recording = try Recording(["questions-forbidden"])
        let asked = recording.trace.lines(named: ["blocked_call"])
        #expect(!asked.isEmpty && asked.allSatisfy { $0.values[1].contains("nanosleep") }, "\(asked.map(\.values))")
    }

    @Test("distinguishes the kinds of the descriptors of blocked calls")
    func descriptorKinds() throws {
        let directory = TemporaryDirectory()
        let kinds = counts(in: try Program.probe.scenario("descriptors", directory.path).output)
        #expect(kinds.count == 14 && kinds.allSatisfy { $0.value == 1 }, "\(kinds)")
    }

    @Test("has the totals of each thread when it ends, and of the rest when the session stops")
    func totals() throws {
        let directory = TemporaryDirectory()
        let result = try Program.probe.scenario("switches", directory.appending("trace"), "threads-last", "500")
        let trace = try RecordedTrace(directory.appending("trace"))
        let times = trace.lines(named: ["thread_times"])
        #expect(times.filter { $0.tid == 0 }.count == 1, "the main thread's")
        for (tid, counted) in switchCounts(in: result) {
            let own = try #require(times.first { $0.values[0] == "\(tid)" })
            #expect(own.tid == tid, "written by the thread itself")
            let slices = try #require(Int(own.values[3]))
            // The kernel counts the thread's time slices; the thread counts its context switches in the section.
            #expect(slices > counted.voluntary + counted.involuntary)
            #expect(try #require(UInt64(own.values[1])) > 0)
        }
    }

    @Test("is off when QUEUESCOPE_PROCESSORS is 0")
    func off() throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        let result = try Program.probe.run(
            ["switches", path, "threads-last", "100"], environment: ["QUEUESCOPE_PROCESSORS": "0"])
        #expect(result.status == 0)
        let trace = try RecordedTrace(path)
        let text = "turned off by record --processors off or QUEUESCOPE_PROCESSORS=0"
        #expect(trace.lines(named: ["processor_track"]).map(\.values) == [["0", text]])
        #expect(trace.lines(named: ["switch_in", "switch_out", "thread_times"]).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).allSatisfy { !$0.hasPrefix("kernel-") })
    }

    @Test("is read by babeltrace2 without complaint", .enabled(if: Program.babeltrace2 != nil))
    func babeltrace() throws {
        // babeltrace2 warns of discarded events.
        let recording = try completeRecording("switches", "threads-last", "2000")
        let trace = recording.trace
        let listing = try #require(Program.babeltrace2).run([recording.path])
        #expect(listing.status == 0)
        #expect(listing.errors.isEmpty, "\(listing.errors)")
        #expect(listing.lines.count == trace.lines.count)
    }

    @Test("scans thousands of threads in little processor time")
    func manyThreads() throws {
        let directory = TemporaryDirectory()
        let result = try Program.probe.scenario("many-threads", directory.appending("trace"), "4000")
        let milliseconds = try #require(counts(in: result.output)["milliseconds"])
        #expect(milliseconds < 200, "of 2 s, in which every new thread requests a scan")
    }

    /// The output of a scenario, and its trace.
    private struct Recording {
        let directory = TemporaryDirectory()
        let result: Program.Result
        let trace: RecordedTrace

        var path: String { directory.appending("trace") }
        var isComplete: Bool { trace.summary.discarded == 0 && trace.lines(named: ["switches_lost"]).isEmpty }

        init(_ arguments: [String]) throws {
            let scenario = [arguments[0], directory.appending("trace")] + arguments.dropFirst()
            result = try Program.probe.run(scenario)
            try #require(result.status == 0, "RecorderProbe \(scenario): \(result.status) \(result.errors)")
            trace = try RecordedTrace(directory.appending("trace"))
        }
    }

    /// Records a scenario until no switches are lost. When other programs occupy both processors, the recorder thread
    /// runs too rarely and a ring overflows, which is correct behavior.
    private func completeRecording(_ arguments: String...) throws -> Recording {
        var recording = try Recording(arguments)
        // Wait until the other programs have finished.
        for attempt in 1..<12 where !recording.isComplete {
            usleep(UInt32(attempt) * 400_000)
            recording = try Recording(arguments)
        }
        try #require(recording.isComplete, "RecorderProbe \(arguments) lost events twelve times")
        return recording
    }

    /// The number of context switches of each thread in its section, as the thread read it from the kernel.
    private func switchCounts(in result: Program.Result) -> [UInt32: (voluntary: Int, involuntary: Int)] {
        var threads: [UInt32: (voluntary: Int, involuntary: Int)] = [:]
        for line in result.lines {
            let counts = counts(in: String(line))
            guard let tid = counts["thread"], let voluntary = counts["voluntary"] else { continue }
            threads[UInt32(tid)] = (voluntary, counts["involuntary"] ?? 0)
        }
        return threads
    }

    /// A thread's events and switches between the last `item_begin` and the last `item_end`, where it read the counts.
    private func sectionLines(of tid: UInt32, in trace: RecordedTrace) -> ArraySlice<RecordedTrace.Line> {
        let lines = trace.lines.filter {
            $0.tid == tid || (["switch_in", "switch_out"].contains($0.name) && $0.values[0] == "\(tid)")
        }
        guard let begin = lines.lastIndex(where: { $0.name == "item_begin" }),
            let end = lines.lastIndex(where: { $0.name == "item_end" }), begin < end
        else { return [] }
        return lines[begin...end]
    }
}

extension Program {
    /// Whether an unprivileged program can record its context switches on this machine.
    static let recordsSwitches: Bool = {
        let directory = TemporaryDirectory()
        guard (try? probe.run(["switches", directory.appending("trace"), "threads-last", "1"])) != nil else {
            return false
        }
        let track = try? RecordedTrace(directory.appending("trace")).lines(named: ["processor_track"]).first
        return track?.values[0] == "1"
    }()
}
