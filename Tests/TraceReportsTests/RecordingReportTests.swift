import DispatchAnalysis
import DispatchModel
import Foundation
import Testing
import TraceBuilder

@testable import AnalysisText
@testable import ReportText
@testable import TraceReports

/// Reports of a program that the interposer recorded.
@Suite struct RecordingReportTests {
    /// A program with workers, switches, messages, and two threads that wait for each other at the end.
    private func analysis(
        track: ProcessorTrack? = ProcessorTrack(origin: .perfEvents, detail: ""), hangs: Bool = true
    ) -> Analysis {
        var trace = TraceBuilder()
        if let track { trace.add(.processorTrack(.init(origin: track.origin, detail: track.detail)), at: 0) }
        let root = trace.globalQueue("com.apple.root.default-qos.overcommit")
        let first = trace.serialQueue("app.first", target: root)
        let second = trace.serialQueue("app.second", target: root)
        let operations = trace.concurrentQueue("NSOperationQueue 0x000055d0c3ea2dc0", target: root)
        trace.worker(7, of: root, made: 1, started: 10)
        trace.worker(8, of: root, made: 1, started: 11)
        trace.callout(on: operations, at: 12, begin: 13, end: 15, thread: 7)
        trace.callout(on: first, at: 15, begin: 20, end: hangs ? nil : 90, thread: 7)
        trace.callout(on: second, at: 15, begin: 21, end: hangs ? nil : 90, thread: 8)
        if track?.origin == .perfEvents {
            trace.off(7, from: 22, until: 24, preempted: true)
            trace.off(7, from: 32, until: 60)
        }
        if hangs {
            trace.lateSync(on: second, slept: 30, thread: 7, holder: 8, code: "App/Main.swift:7")
            trace.lateSync(on: first, slept: 31, thread: 8, holder: 7, code: "App/Main.swift:9")
        }
        for time in [40.0, 50.0] {
            trace.add(.dispatchLog(.init(tid: 7, message: "DEPRECATED USE in libdispatch client: \u{1B}[2J")), at: time)
        }
        trace.add(.threadExit(.init(tid: 9)), at: 100, thread: 9)
        return AnalysisSession().analyze(events: trace.events)
    }

    private func text(_ analysis: Analysis, width: Int = 100) -> String {
        TextReport(analysis, style: TextStyle(width: width)).render()
    }

    private func document(_ analysis: Analysis) throws -> [String: Any] {
        let text = try JSONReport(analysis).render()
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("The report lists the open waits of a program that hangs")
    func openWaits() throws {
        let report = text(analysis())
        #expect(report.contains("STILL WAITING"))
        let words = report.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            words.contains(
                "worker 7 for queue app.second, in App/Main.swift:7; held by worker 8, which is at App/Main.swift:9, "
                    + "for 70.0 µs, since 30.0 µs."), "\(report)")
        #expect(words.contains("worker 8 for queue app.first, in App/Main.swift:9; held by worker 7,"))
        #expect(!text(analysis(hangs: false)).contains("STILL WAITING"))
    }

    //   main      waits for a semaphore ░░░░░░░░░░░░░░░ end
    //   thread 2  signals it once
    @Test("The verdict states the longest wait at the end, also when no detector found a problem")
    func verdict() throws {
        var trace = TraceBuilder()
        let semaphore = trace.semaphore(value: 0)
        trace.signal(semaphore, thread: 2, at: 5, code: "App/Main.swift:3")
        trace.wait(for: semaphore, thread: 1, at: 10, until: 11)
        trace.wait(for: semaphore, thread: 1, at: 100_000, code: "App/Main.swift:12")
        trace.add(.threadExit(.init(tid: 9)), at: 7_000_000, thread: 9)
        let analysis = AnalysisSession(options: AnalysisOptions(detectors: [])).analyze(events: trace.events)
        let report = text(analysis, width: 160)
        #expect(
            report.contains(
                " Still waiting at the end: thread 1 for 6.90 s in semaphore wait at App/Main.swift:12; "
                    + "last signalled at App/Main.swift:3."), "\(report)")
        #expect(!report.contains("No problem found"))
        #expect(report.contains("STILL WAITING"))
        let rows = try #require(try document(analysis)["open_waits"] as? [[String: Any]])
        let row = try #require(rows.first)
        #expect(rows.count == 1 && row["waiter"] as? String == "thread" && row["in_verdict"] as? Bool == true)
        #expect(row["duration_ns"] as? Int == 6_900_000_000)
        let releaser = try #require(row["ended_by"] as? [String: Any])
        #expect(releaser["kind"] as? String == "last_signal")
    }

    /// The words of the verdict's line `time`, and the lines after it.
    private func account(_ trace: TraceBuilder) -> String {
        let analysis = AnalysisSession(
            options: AnalysisOptions(model: ModelOptions(criticalPath: .wholeRun), detectors: [])
        ).analyze(events: trace.events)
        return text(analysis, width: 160).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    //   main   ─ polls ░░░░░░░░░░░░░░░ end
    @Test("The verdict says that a program was idle that waited for events")
    func idleLoop() {
        var trace = TraceBuilder()
        let loop = trace.loop("server", at: 0, thread: 1)
        trace.iterate(loop, begin: 30, end: 40, thread: 1)
        trace.end(at: 3e6)
        let words = account(trace)
        #expect(
            words.contains("Of 3.00 s, the program was idle for 3.00 s: it waited for events from outside."),
            "\(words)")
    }

    //   main task  ├ awaits the next element of a sequence ░░░░ end
    @Test("The verdict says that a program may have been idle that awaits the next element of a sequence")
    func idleSequence() {
        var trace = TraceBuilder()
        trace.taskTrack()
        _ = trace.function("UnixSignalsSequence.AsyncIterator.next()", address: 0x1000)
        let next = trace.stack([0x1000])
        let main = trace.task(.main, at: 1)
        trace.begin(main, thread: 1, at: 2)
        trace.suspend(main, for: .continuation, thread: 1, at: 100, stack: next)
        trace.end(at: 4e6)
        let words = account(trace)
        #expect(
            words.contains("Of 4.00 s, the program may have been idle for 4.00 s: the main task waited 4.00 s on"),
            "\(words)")
    }

    //   main   runs │ waits for a semaphore ░░░░░░░░░░░░░ end
    @Test("The verdict begins with the account of the run")
    func account() throws {
        var trace = TraceBuilder()
        trace.add(.threadStart(.init(tid: 1, name: "app")), at: 0, thread: 1)
        let semaphore = trace.semaphore(value: 0)
        trace.signal(semaphore, thread: 2, at: 5, code: "App/Main.swift:3")
        trace.wait(for: semaphore, thread: 1, at: 10, until: 11)
        trace.wait(for: semaphore, thread: 1, at: 100_000, code: "App/Main.swift:12")
        trace.end(at: 7_000_000)
        let analysis = AnalysisSession(
            options: AnalysisOptions(model: ModelOptions(criticalPath: .wholeRun), detectors: [])
        ).analyze(events: trace.events)
        let report = text(analysis, width: 160)
        let words = report.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("Of 7.00 s, the main thread waited 6.90 s for semaphore"), "\(report)")
        #expect(words.contains("in App/Main.swift:12; last signalled at App/Main.swift:3."))
        // The same wait is not repeated.
        #expect(!report.contains("Still waiting at the end"))
        #expect(words.contains("CRITICAL PATH"))
        #expect(words.contains("semaphore wait in Main.swift:12"), "\(report)")
        #expect(words.contains("Named causes explain"))
        let paths = try #require(try document(analysis)["critical_paths"] as? [[String: Any]])
        let path = try #require(paths.first)
        #expect(path["end_ns"] as? Int == 7_000_000_000)
        #expect((path["explained_ns"] as? Int ?? 0) >= 6_900_000_000)
    }

    //   main   runs │ reads from a socket ░░░░░░░░░░░ end
    @Test("The account and the open waits have the kind of the descriptor from which a thread reads")
    func descriptor() throws {
        var trace = TraceBuilder()
        trace.mapImages()
        trace.add(.threadStart(.init(tid: 1, name: "app")), at: 0, thread: 1)
        trace.async(on: trace.globalQueue(), at: 10, begin: 20, end: 30, thread: 2)
        trace.off(1, from: 100_000)
        trace.ask(1, at: 110_000, call: "recvfrom", on: .tcpSocket, frames: [0x7100, 0x1200])
        trace.end(at: 7_000_000)
        let analysis = AnalysisSession(
            options: AnalysisOptions(model: ModelOptions(criticalPath: .wholeRun), detectors: [])
        ).analyze(events: trace.events)
        let words = text(analysis, width: 160).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("Of 7.00 s, the main thread waited 6.90 s to read from a TCP socket"), "\(words)")
        #expect(words.contains("TCP socket access"))
        let rows = try #require(try document(analysis)["open_waits"] as? [[String: Any]])
        #expect(rows.map { $0["descriptor"] as? String } == ["tcp_socket"])
    }

    @Test("The purpose of a call on a descriptor follows from its name")
    func purposes() {
        let calls: [(String, DescriptorKind, String?)] = [
            ("read", .pipe, "to read from a pipe"), ("sendto", .udpSocket, "to write to a UDP socket"),
            ("accept4", .unixSocket, "for a connection to a Unix socket"), ("flock", .regularFile, "to lock a file"),
            ("read", .eventfd, "to read from an eventfd"),
            ("ioctl", .terminal, "in the system call ioctl on a terminal"),
            ("read", .unknown, nil),
        ]
        for (call, descriptor, purpose) in calls {
            #expect(DescriptorText.purpose(of: call, on: descriptor) == purpose)
        }
        #expect(DescriptorText.place(of: .inotify) == " on an inotify" && DescriptorText.place(of: .unknown).isEmpty)
    }

    @Test("Without a wait at the end, the verdict has the longest steps of the path")
    func longestSteps() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.work")
        trace.async(on: queue, at: 0, begin: 100, end: 900, thread: 2)
        let analysis = AnalysisSession(
            options: AnalysisOptions(model: ModelOptions(criticalPath: .wholeRun), detectors: [])
        ).analyze(events: trace.events)
        let words = text(analysis, width: 160).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            words.contains("Of 900 µs: 89% running work of app.work, 11% wait for worker: work of app.work."),
            "\(words)")
    }

    // thread 2   ├── work on app.first ──┤
    // thread 3                     ├── work on app.second ──┤
    @Test("Steps with one name on several queues are one step of the verdict")
    func sharedSteps() {
        var trace = TraceBuilder()
        let (first, second) = (trace.serialQueue("app.first"), trace.serialQueue("app.second"))
        trace.async(on: first, at: 0, begin: 100, end: 500, thread: 2, code: "App/Work.swift:1")
        trace.async(on: second, at: 450, begin: 460, end: 900, thread: 3, from: 2, code: "App/Work.swift:1")
        let analysis = AnalysisSession(
            options: AnalysisOptions(model: ModelOptions(criticalPath: .wholeRun), detectors: [])
        ).analyze(events: trace.events)
        let words = text(analysis, width: 160).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            words.contains("Of 900 µs: 88% running Work.swift:1, 12% wait for worker: Work.swift:1."), "\(words)")
    }

    @Test("When nothing is found, the verdict names the lock with the longest total wait")
    func mostWait() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.work")
        trace.async(on: queue, at: 0, begin: 100, end: 101, thread: 2)
        let lock = trace.lock("app.lock", fair: false)
        trace.hold(lock, thread: 2, granted: 2000, released: 2400)
        trace.hold(lock, thread: 3, requested: 2001, granted: 2401, released: 2410)
        let analysis = AnalysisSession(options: AnalysisOptions(detectors: [])).analyze(events: trace.events)
        let report = text(analysis, width: 160)
        #expect(
            report.contains(" most wait   400 µs in total, for lock app.lock, in 1 wait of up to 400 µs."), "\(report)")
    }

    @Test("Messages of libdispatch are shown once with their count, and cannot control the terminal")
    func messages() {
        let report = text(analysis())
        #expect(report.contains("LIBDISPATCH MESSAGES"))
        #expect(report.contains(" 2 ×    DEPRECATED USE in libdispatch client: \\u{1B}[2J"))
        #expect(!report.contains("\u{1B}"))
        var trace = TraceBuilder()
        trace.callout(on: trace.serialQueue("q"), at: 0, begin: 1, end: 2, thread: 2)
        #expect(!text(AnalysisSession().analyze(events: trace.events)).contains("LIBDISPATCH"))
    }

    @Test("Threads have the root queue that they serve, and the report counts the workers of each root queue")
    func workers() {
        let report = text(analysis())
        #expect(report.contains("worker 7 · default overcommit"))
        #expect(report.contains("workers by root queue: default overcommit created 2, 2 at most at a time."))
    }

    @Test("An operation queue has the name that the program uses")
    func operationQueues() throws {
        #expect(text(analysis(), width: 140).contains("OperationQueue 0x55d0c3ea2dc0 ∥"))
        let queues = try #require(try document(analysis())["queues"] as? [[String: Any]])
        #expect(queues.contains { $0["label"] as? String == "NSOperationQueue 0x000055d0c3ea2dc0" })
    }

    @Test(
        "One line has the source of the context switches, or the reason why there are none",
        arguments: [
            (ProcessorTrack(origin: .perfEvents, detail: ""), "context switches of every thread, from perf events\n"),
            (
                ProcessorTrack(origin: .schedstat, detail: "perf_event_open is refused"),
                "totals per thread only, from the kernel's schedstat: perf_event_open is refused\n"
            ),
            (ProcessorTrack(origin: .none, detail: "switched off"), "none recorded: switched off\n"),
        ])
    func processorTrack(track: ProcessorTrack, line: String) {
        #expect(text(analysis(track: track)).contains(" switches  " + line))
    }

    @Test("A trace without data about processors gives a report without it")
    func noProcessorTrack() throws {
        let report = text(analysis(track: nil), width: 160)
        #expect(!report.contains("switches") && !report.contains("off CPU"))
        let document = try document(analysis(track: nil))
        #expect(document["processor_track"] == nil)
        let queues = try #require(document["queues"] as? [[String: Any]])
        #expect(queues.allSatisfy { $0["switches"] == nil && $0["off_cpu_ns"] == nil })
    }

    @Test("Switches and times off the processor are shown per queue and per thread")
    func switches() throws {
        let report = text(analysis(), width: 160)
        #expect(report.contains("switches off CPU"))
        let row = try #require(report.split(separator: "\n").first { $0.contains("├ app.first") })
        #expect(row.hasSuffix("        2    30µs"))
        let thread = try #require(report.split(separator: "\n").first { $0.hasPrefix(" worker 7 ·") })
        #expect(thread.split(separator: " ").suffix(3).prefix(2) == ["2", "1"])
    }

    @Test("The JSON report has all of these facts, and satisfies its schema")
    func json() throws {
        let schemaText = try JSONSerialization.jsonObject(with: Data(JSONReport.schema.utf8)) as? [String: Any]
        let schema = JSONSchema(try #require(schemaText))
        var report = try document(analysis())
        // Events in memory have no path.
        var trace = try #require(report["trace"] as? [String: Any])
        trace["path"] = "/tmp/app.ctf"
        report["trace"] = trace
        #expect(schema.violations(report) == [])
        let track = try #require(report["processor_track"] as? [String: Any])
        #expect(track["origin"] as? String == "perf_events")
        #expect(track["detail"] as? String == "")
        #expect(track["lost"] as? Int == 0)
        let workers = try #require((report["workers"] as? [[String: Any]])?.first)
        #expect(workers["made"] as? Int == 2 && workers["most"] as? Int == 2)
        let message = try #require((report["messages"] as? [[String: Any]])?.first)
        #expect(message["count"] as? Int == 2 && message["time_ns"] as? Int == 40_000)
        let waits = try #require(report["open_waits"] as? [[String: Any]])
        #expect(waits.map { $0["tid"] as? Int } == [7, 8] && waits.map { $0["holder_tid"] as? Int } == [8, 7])
        #expect(waits.first?["name"] as? String == "app.second")
        let queues = try #require(report["queues"] as? [[String: Any]])
        let first = try #require(queues.first { $0["label"] as? String == "app.first" })
        #expect(first["switches"] as? Int == 2 && first["preemptions"] as? Int == 1)
        #expect(first["off_cpu_ns"] as? Int == 30_000 && first["preempted_ns"] as? Int == 2_000)
        let threads = try #require(report["threads"] as? [[String: Any]])
        let worker = try #require(threads.first { $0["tid"] as? Int == 7 })
        #expect(worker["switches"] as? Int == 2 && worker["preemptions"] as? Int == 1)
        #expect(worker["root"] as? String == "com.apple.root.default-qos.overcommit")
    }
}
