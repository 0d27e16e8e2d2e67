import CKernel
import CTFReader
import DispatchAnalysis
import FoundationEssentials
import Glibc
import Symbolication

/// Records one run of a program.
struct Recording {
    let program: String
    let arguments: [String]
    /// The trace directory. It must not exist or must be empty. Missing parent directories are created.
    let directory: String
    /// The treatment of events when the trace has reached its limit.
    var mode = RecordingMode.stream
    var limit: ByteSize?
    /// The memory limit for events that are not yet written to the trace.
    var memory: ByteSize?
    /// The length of the past that a flight recorder in memory keeps.
    var window: TimeLimit?
    /// The library to preload; nil when the program contains the recorder.
    var preload: PreloadObject?
    /// Are the programs that the program starts recorded as well?
    var followsChildren = false
    /// Are context switches recorded? Nil leaves the decision to the environment.
    var recordsProcessors: Bool?
    /// The processor time of the recorder; nil leaves the decision to the environment.
    var budget: RecordingBudget?
    /// The destination of the events.
    var backend = RecordingBackend.ring
    /// The existing LTTng session to use; nil creates one.
    var session: String?
    /// The file descriptor that becomes the program's standard output; nil keeps the current one.
    var standardOutput: Int32?
    /// The program and its arguments as bytes, because they need not be UTF-8; nil uses the strings.
    var rawWords: [[CChar]]?
    /// Forwards signals to the program, and holds them back until its owner releases them.
    var signals = ForegroundSignals()

    /// The longest run: after this time the program is ended. Nil for no limit.
    var duration: TimeLimit?
    /// Is an earlier trace in the directory replaced?
    var replacesTrace = false
    /// The older traces that are kept; nil keeps all.
    var kept: KeptTraces?
    /// The pattern that the directories of the older traces match.
    var pattern: TracePattern?
    /// Takes snapshots while the program runs; nil without conditions.
    var watch: WatchProcess?

    struct Outcome {
        let ending: ChildProcess.Ending
        /// Was the program ended because its time was over?
        var endedByLimit = false
        /// The trace of the program; nil when nothing was recorded.
        let trace: RecordedTrace?
        /// Further traces: of programs before exec, and of child processes.
        var others: [RecordedTrace] = []
        /// Background processes that may still record into the directory, when it has no trace yet.
        var launched: [LaunchedProcess] = []
        /// Did the program run without recording? The reason was reported.
        var ranUnrecorded = false

        /// The directories of the traces that no process writes to.
        var completeTraces: [String] {
            ((trace.map { [$0] } ?? []) + others).compactMap { trace in
                if case .recorded = trace.state { trace.directory } else { nil }
            }
        }
    }

    /// Runs the program, and completes the trace unless a process still records into it.
    ///
    /// The time for this after the program's end does not depend on the size of the trace, because counts come from the
    /// packet headers.
    ///
    /// - Returns: how the program ended and what was recorded.
    /// - Throws: ``CommandFailure`` when the program cannot be run, `CTFError` when LTTng's trace cannot be read.
    func run() throws -> Outcome {
        if !replacesTrace { try TraceDirectory.check(directory) }
        // An absolute path, because the program may change its working directory before the recorder starts.
        let path = URL(fileURLWithPath: directory).standardizedFileURL.path
        if backend == .lttng { return try runWithLTTng(path) }
        let lock = try TraceDirectory.prepare(path)
        defer { lock.release() }
        if mode == .flight { try lock.checkHoles(for: directory) }
        if replacesTrace { try TraceDirectory.removeTrace(path, named: directory) }
        ArenaRecovery.removeOrphans()
        let before = Set(RecordedTrace.directories(besides: path))
        // Armed here, so that the start of the program is not delayed.
        if wantsContextSwitches { _ = qs_perf_events_arm() }
        let child = ChildProcess(words: words, environment: environment(path), standardOutput: standardOutput)
        let watching = watch?.start(for: path)
        let result = Result { try child.run(passing: signals, for: duration) }
        watching?.end()
        let run = try result.get()
        let launched = waitForLaunched(path)
        let others = RecordedTrace.directories(besides: path).filter { !before.contains($0) }
        let trace = RecordedTrace(path, named: directory)
        // A background process may have recorded the trace instead of the program.
        if let trace, trace.process == Int64(run.process) { run.ending.programEnding.write(toTrace: path) }
        return Outcome(
            ending: run.ending, endedByLimit: run.endedByLimit, trace: trace,
            others: others.compactMap {
                RecordedTrace($0, named: Self.name(of: directory, path) + $0.dropFirst(path.count))
            },
            launched: launched)
    }

    /// The user's name of a directory in a form to which a suffix can be appended.
    static func name(of directory: String, _ path: String) -> String {
        let name = String(directory.reversed().drop { $0 == "/" }.reversed())
        return ["", ".", ".."].contains(name.split(separator: "/").last ?? "") ? path : name
    }

    /// Waits up to a second for a background service of the program to begin its trace.
    ///
    /// - Returns: the processes that have not begun a trace by then.
    private func waitForLaunched(_ path: String) -> [LaunchedProcess] {
        var launched: [LaunchedProcess] = []
        // During exec the environment of a process cannot be read, so a process counts as missing only after several
        // failed attempts.
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
            // Running the program has priority over recording it.
            StandardError.write(
                "queuescope: cannot record with LTTng: \(failure.sentence). The program runs without recording.\n")
            let child = ChildProcess(
                words: words, environment: [RecordingBackend.variable: nil], standardOutput: standardOutput)
            let run = try child.run(passing: signals, for: duration)
            return Outcome(ending: run.ending, endedByLimit: run.endedByLimit, trace: nil, ranUnrecorded: true)
        }
        return try run(into: lttng)
    }

    private func run(into lttng: LTTngSession) throws -> Outcome {
        let child = ChildProcess(words: words, environment: environment(nil), standardOutput: standardOutput)
        let outcome = Result { try child.run(passing: signals, for: duration) }
        // The program's exit status is passed on even if ending the session fails.
        do {
            try lttng.end()
        } catch let failure as CommandFailure where (try? outcome.get()) != nil {
            StandardError.write("queuescope: \(failure.sentence).\n")
        }
        let run = try outcome.get()
        if lttng.goesOn {
            return Outcome(
                ending: run.ending, endedByLimit: run.endedByLimit,
                trace: RecordedTrace(lttng.directory, name: program, session: lttng.name))
        }
        var totals = PacketTotals()
        for trace in (try? TraceSearch.traces(at: lttng.directory))?.paths ?? [] {
            if let trace = try? CTFTrace(path: trace) { totals.add(trace.packetTotals) }
        }
        let trace = RecordedTrace(lttng.directory, name: program, totals)
        return Outcome(ending: run.ending, endedByLimit: run.endedByLimit, trace: totals.isEmpty ? nil : trace)
    }

    private var wantsContextSwitches: Bool {
        recordsProcessors ?? (ProcessInfo.processInfo.environment[Self.processorsVariable] != "0")
    }

    private static let processorsVariable = "QUEUESCOPE_PROCESSORS"

    private var words: [[CChar]] { rawWords ?? ([program] + arguments).map { Array($0.utf8CString) } }

    private func environment(_ path: String?) -> [String: [UInt8]?] {
        var variables: [String: String?] = [
            RecordingBackend.variable: backend.rawValue,
            "QUEUESCOPE_TRACE": path.map(TracePattern.literal),
            "QUEUESCOPE_KEEP": kept.map { "\($0.variable) \(pattern?.recordings(of: program) ?? "")" },
            "QUEUESCOPE_MODE": mode.rawValue,
            "QUEUESCOPE_LIMIT": limit.map { String($0.bytes) },
            "QUEUESCOPE_MEMORY": memory.map { String($0.bytes) },
            "QUEUESCOPE_WINDOW": window.map { "\($0.nanoseconds / 1_000_000)ms" },
            "QUEUESCOPE_FOLLOW": followsChildren ? "1" : "0",
            // Space for the id of the first process that records.
            "QUEUESCOPE_TRACE_PID": followsChildren ? "0000000000" : nil,
            // Also a program that links the recorder gets a control socket.
            "QUEUESCOPE_CONTROL": backend == .lttng ? nil : "1",
        ]
        if let recordsProcessors { variables[Self.processorsVariable] = recordsProcessors ? "1" : "0" }
        if let budget { variables[RecordingBudget.variable] = budget.text }
        var environment = variables.mapValues { $0.map { Array($0.utf8) } }
        if let preload { environment["LD_PRELOAD"] = preload.variableValue }
        return environment
    }

    /// The reason why a program left no trace, and the remedy: one sentence.
    var reasonForNothing: String {
        if preload != nil {
            return "\(program) left no trace: it and the programs that it started did not load libdispatch, or could "
                + "not be recorded (see above), or the trace was removed during the run"
        }
        guard let path = ExecutableSearch.path(of: program), let content = FileManager.default.contents(atPath: path)
        else {
            return "\(program) recorded nothing"
        }
        if content.prefix(2).elementsEqual("#!".utf8) {
            return "\(program) is a script and recorded nothing: record the program that it starts"
        }
        if content.firstRange(of: Data("QUEUESCOPE_TRACE".utf8)) == nil {
            return "\(program) recorded nothing, because it does not link Queuescope: record it without --no-interposer"
        }
        return
            "\(program) links Queuescope but recorded nothing: read its messages above, and check if it is started "
            + "with another environment"
    }
}

extension ChildProcess.Ending {
    /// The same for the trace.
    var programEnding: ProgramEnding {
        switch self {
        case .exited(let code): .exited(status: Int(code))
        case .killed(let signal): .killed(signal: Int(signal))
        }
    }
}
