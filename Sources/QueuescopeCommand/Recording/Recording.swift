import CKernel
import CTFReader
import FoundationEssentials
import Glibc
import TraceReports

/// Records one run of a program.
struct Recording {
    let program: String
    let arguments: [String]
    /// The trace directory; it must not exist, or be empty. The directories that it is in are made.
    let directory: String
    /// What becomes of events when the trace has the size of the limit.
    var mode = RecordingMode.stream
    var limit: ByteSize?
    /// How much memory events may take that are not in the trace's files yet.
    var memory: ByteSize?
    /// What is preloaded into the program; nil records what the program records of itself.
    var preload: PreloadObject?
    /// Whether the programs that this one starts are recorded too.
    var followsChildren = false
    /// Whether the context switches are recorded; nil leaves it to the environment.
    var recordsProcessors: Bool?
    /// Where the events go.
    var backend = RecordingBackend.ring
    /// The session of LTTng to use; nil makes one.
    var session: String?
    /// The file descriptor that becomes the program's standard output; nil leaves it as it is.
    var standardOutput: Int32?
    /// Signals that are passed on to the program, and held back until their owner releases them.
    var signals = ForegroundSignals()
    /// The program and its arguments before they became strings, where they need not be UTF-8.
    var rawWords: [[CChar]]?

    struct Outcome {
        let ending: ChildProcess.Ending
        /// What was recorded; nil when nothing was.
        let trace: RecordedTrace?
        /// The other traces that were made: of programs before exec, and of child processes.
        var others: [RecordedTrace] = []
        /// Processes in the background that may yet record into the directory, where there is no trace.
        var launched: [LaunchedProcess] = []
        /// Whether there was nothing to record with, which has been said.
        var ranUnrecorded = false
    }

    /// Runs the program, and completes the trace if nobody records into it any more.
    ///
    /// How long that takes after the program's end does not depend on the size of the trace: counts come from the
    /// headers of its packets.
    ///
    /// - Returns: how the program ended and what was recorded.
    /// - Throws: ``CommandFailure`` when the program cannot be run, `CTFError` when LTTng's trace cannot be read.
    func run() throws -> Outcome {
        try TraceDirectory.check(directory)
        // The program may change its working directory before anything of it runs.
        let path = URL(fileURLWithPath: directory).standardizedFileURL.path
        if backend == .lttng { return try runWithLTTng(path) }
        let lock = try TraceDirectory.prepare(path)
        defer { lock.release() }
        if mode == .flight { try lock.checkHoles(for: directory) }
        ArenaRecovery.removeOrphans()
        let before = Set(RecordedTrace.directories(besides: path))
        // Opened here, so that the program does not start later.
        if wantsContextSwitches { _ = qs_perf_events_arm() }
        let child = ChildProcess(words: words, environment: environment(path), standardOutput: standardOutput)
        let ending = try child.run(passing: signals)
        let launched = waitForLaunched(path)
        let others = RecordedTrace.directories(besides: path).filter { !before.contains($0) }
        return Outcome(
            ending: ending, trace: RecordedTrace(path, named: directory),
            others: others.compactMap {
                RecordedTrace($0, named: Self.name(of: directory, path) + $0.dropFirst(path.count))
            },
            launched: launched)
    }

    /// What the user calls a directory, so that a suffix makes it that of another one beside it.
    static func name(of directory: String, _ path: String) -> String {
        let name = String(directory.reversed().drop { $0 == "/" }.reversed())
        return ["", ".", ".."].contains(name.split(separator: "/").last ?? "") ? path : name
    }

    /// Gives a service that the program has just started in the background a second to begin its trace.
    ///
    /// - Returns: the processes that have not begun one by then.
    private func waitForLaunched(_ path: String) -> [LaunchedProcess] {
        var launched: [LaunchedProcess] = []
        // In the middle of exec a process has no environment to read: it is not there only if several looks do not find
        // it.
        var misses = 0
        for _ in 0..<50 where misses < 4 {
            if FileManager.default.fileExists(atPath: path + "/metadata") { return [] }
            launched = LaunchedProcess.recording(into: path)
            misses = launched.isEmpty ? misses + 1 : 0
            usleep(misses > 0 ? 10_000 : 20_000)
        }
        return launched
    }

    private func runWithLTTng(_ path: String) throws -> Outcome {
        let lttng: LTTngSession
        if let session {
            lttng = try LTTngSession(named: session)
            return try run(into: lttng)
        }
        let lock = try TraceDirectory.prepare(path)
        defer { lock.release() }
        do {
            lttng = try LTTngSession(into: path)
        } catch let failure as CommandFailure {
            // To run the program is what was asked for first.
            StandardError.write(
                "queuescope: cannot record with LTTng: \(failure.sentence). The program runs unrecorded.\n")
            let child = ChildProcess(
                words: words, environment: [RecordingBackend.variable: nil], standardOutput: standardOutput)
            return Outcome(ending: try child.run(passing: signals), trace: nil, ranUnrecorded: true)
        }
        return try run(into: lttng)
    }

    private func run(into lttng: LTTngSession) throws -> Outcome {
        let child = ChildProcess(words: words, environment: environment(nil), standardOutput: standardOutput)
        let ending = Result { try child.run(passing: signals) }
        // What the program ended with counts, whatever becomes of the session.
        do {
            try lttng.end()
        } catch let failure as CommandFailure where (try? ending.get()) != nil {
            StandardError.write("queuescope: \(failure.sentence).\n")
        }
        let result = try ending.get()
        if lttng.goesOn {
            return Outcome(ending: result, trace: RecordedTrace(lttng.directory, name: program, session: lttng.name))
        }
        var totals = PacketTotals()
        for trace in (try? TraceSearch.traces(at: lttng.directory))?.paths ?? [] {
            if let trace = try? CTFTrace(path: trace) { totals.add(trace.packetTotals) }
        }
        let trace = RecordedTrace(lttng.directory, name: program, totals)
        return Outcome(ending: result, trace: totals.isEmpty ? nil : trace)
    }

    private var wantsContextSwitches: Bool {
        recordsProcessors ?? (ProcessInfo.processInfo.environment[Self.processorsVariable] != "0")
    }

    private static let processorsVariable = "QUEUESCOPE_PROCESSORS"

    private var words: [[CChar]] { rawWords ?? ([program] + arguments).map { Array($0.utf8CString) } }

    private func environment(_ path: String?) -> [String: [UInt8]?] {
        var variables: [String: String?] = [
            RecordingBackend.variable: backend.rawValue,
            "QUEUESCOPE_TRACE": path,
            "QUEUESCOPE_MODE": mode.rawValue,
            "QUEUESCOPE_LIMIT": limit.map { String($0.bytes) },
            "QUEUESCOPE_MEMORY": memory.map { String($0.bytes) },
            "QUEUESCOPE_FOLLOW": followsChildren ? "1" : "0",
            // The place for the number of the process that records first.
            "QUEUESCOPE_TRACE_PID": followsChildren ? "0000000000" : nil,
        ]
        if let recordsProcessors { variables[Self.processorsVariable] = recordsProcessors ? "1" : "0" }
        var environment = variables.mapValues { $0.map { Array($0.utf8) } }
        if let preload { environment["LD_PRELOAD"] = preload.variableValue }
        return environment
    }

    /// Why a program that ran left no trace, and what to do about it: one sentence.
    var reasonForNothing: String {
        if preload != nil {
            return "\(program) left no trace: it and the programs that it started did not load libdispatch, or could "
                + "not be recorded, which is said above, or the trace was removed meanwhile"
        }
        guard let path = ExecutableSearch.path(of: program), let content = FileManager.default.contents(atPath: path)
        else {
            return "\(program) recorded nothing"
        }
        if content.prefix(2).elementsEqual("#!".utf8) {
            return "\(program) is a script and recorded nothing: record the program that it starts"
        }
        if content.firstRange(of: Data("QUEUESCOPE_TRACE".utf8)) == nil {
            return "\(program) recorded nothing, because Queuescope is not in it: record it without --no-interposer"
        }
        return
            "\(program) has Queuescope in it but recorded nothing: see what it said above, and whether something starts it "
            + "with another environment"
    }
}
