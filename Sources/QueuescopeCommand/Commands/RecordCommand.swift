import ArgumentParser
import Glibc

/// `queuescope record`: runs a program and records its queues.
struct RecordCommand: ParsableCommand {
    enum Switch: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Runs an unchanged program and records its queues.",
        usage: """
            queuescope record [<options>] -- <program> [<argument> ...]
            queuescope record [<options>] --pid <pid>
            """,
        discussion: """
            The program needs no preparation: a preloaded library records its calls of libdispatch. It keeps its \
            standard input, output and error, and queuescope forwards signals to it. The exit status of queuescope is \
            the exit status of the program, or 128 plus the signal number if a signal ended it. The trace is readable \
            however the program ends, also when it is killed.

            A program with a statically linked libdispatch (-static-stdlib) must be linked with the interposer \
            instead: see queuescope link-flags.

            With --pid, a running process is recorded instead, until the time of --for is over, until Ctrl-C, or until \
            the process ends. If the process was started without the recorder, one of its threads is stopped for about \
            a millisecond, and a new thread loads the recorder (x86-64, glibc 2.34 or later). This needs the right to \
            trace the process, as a debugger does.
            """)

    @Option(
        name: .shortAndLong,
        help: """
            The trace directory, which is created with its parents (default: the program's name, date and time with \
            .ctf). %n is the program's name, %t the time (UTC), %p the process id of this command, %h the name of the \
            host, and %% a percent sign.
            """,
        completion: .directory)
    var output: TracePattern?

    @Option(
        help: ArgumentHelp(
            """
            Remove the oldest finished traces whose names match --output: keep this number of traces, such as 10, or \
            this size, such as 5G. Needs %t or %p in --output.
            """,
            valueName: "amount"),
        transform: { try KeptTraces(argument: $0) })
    var keep: KeptTraces?

    @Option(
        help: ArgumentHelp(
            "Record this running process, which continues afterwards, instead of a program.", valueName: "pid"))
    var pid: Int32?

    @Flag(help: "Replace the trace that the directory has.")
    var force = false

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            """
            End the program and the programs that it started after this time, such as 10s, 500ms or 2m: with SIGTERM, \
            and with SIGKILL 10 s later. The exit status is then 0. With --pid only the recording ends.
            """,
            valueName: "time"))
    var duration: TimeLimit?

    @Option(
        help: """
            What happens to events when the trace has reached --limit: stream (new events are discarded and counted, \
            the default) or flight (the oldest events are overwritten, as in a flight recorder). With --memory and \
            without --limit, a flight recorder keeps the events in memory, and writes them to the disk for a snapshot \
            and at the end.
            """)
    var mode: RecordingMode = .stream

    @Option(
        help: """
            The largest size of each process's trace, such as 512M, without its 20 kB of metadata and the names of its \
            code (default: none, and 256M in flight mode). Not for --backend lttng.
            """,
        transform: { try ByteSize(argument: $0) })
    var limit: ByteSize?

    @Option(
        help: """
            The largest memory in each process for events that are not yet written, such as 16M (default: 64M, or a \
            sixteenth of the memory limit of its cgroup if that is less). Without --limit, the size of a flight \
            recording. Not for --backend lttng.
            """,
        transform: { try ByteSize(argument: $0) })
    var memory: ByteSize?

    @Option(
        help: ArgumentHelp(
            """
            The length of the past that a flight recorder keeps, such as 60s or 10m: a snapshot, and the trace at the \
            end, have no older events. The events stay in memory, as with --memory, whose default also applies. The \
            report states when the memory was too small for the window. Not with --limit.
            """,
            valueName: "time"))
    var window: TimeLimit?

    @Flag(help: "Also record the programs that the program starts, each into its own directory: <dir>-<pid>.")
    var followChildren = false

    @Option(help: "Record context switches, with which threads get and leave processors: on or off (default: on).")
    var processors: Switch?

    @Option(
        help: ArgumentHelp(
            """
            The most processor time of the recorder, as a share of the program's, such as 1%. To stay within it, the \
            recorder records one of several items (async, asyncAfter, and sync on a free queue) and tasks, and counts \
            in reports are estimates. Or a fixed rate, such as 1/64. Not for --backend lttng.
            """,
            valueName: "share"),
        transform: { try RecordingBudget(argument: $0) })
    var budget: RecordingBudget?

    @Option(
        help: """
            The destination of the events: ring or auto (files, the default), or lttng (an LTTng session created for \
            this run; also: \(RecordingBackend.variable)).
            """)
    var backend: RecordingBackend?

    @Option(help: "Record into this existing LTTng session and its directory. The session is not destroyed.")
    var session: String?

    @Option(
        help: "The library to preload (default: the library of this queuescope; also: \(PreloadObject.variable)).",
        completion: .file(extensions: ["so"]))
    var preload: String?

    @OptionGroup var watch: WatchArguments

    @Flag(help: "Do not preload the interposer. Only a program that links Queuescope is recorded.")
    var noInterposer = false

    @Argument(
        parsing: .postTerminator, help: "The program to run, and its arguments, after --.",
        completion: CompletionScript.program)
    var command: [String] = []

    static let windowRule =
        "--window is for a flight recorder in memory: add --mode flight, and use --memory instead of --limit."

    func validate() throws {
        if pid != nil {
            if !command.isEmpty { throw ValidationError("Name either a program after --, or a process after --pid.") }
            if !watch.conditions.isEmpty {
                throw ValidationError("--when is for a program that record starts; use queuescope watch for a process.")
            }
            if force || followChildren || backend != nil || session != nil || preload != nil || noInterposer {
                throw ValidationError(
                    "--pid cannot be combined with --force, --follow-children, --backend, --session, --preload and "
                        + "--no-interposer.")
            }
        } else if command.isEmpty {
            throw ValidationError("Name the program to record, after --.")
        }
        if output?.text.isEmpty == true { throw ValidationError("Name the directory of the trace after --output.") }
        if session != nil, let backend, backend != .lttng {
            throw ValidationError("--session is for --backend lttng.")
        }
        if force, output == nil {
            throw ValidationError("--force replaces the trace in the directory that --output names.")
        }
        if force, session != nil || backend == .lttng {
            throw ValidationError("--force is for traces without LTTng: destroy the session and remove its directory.")
        }
        if session != nil, output != nil {
            throw ValidationError("An LTTng session has its own directory: use either --session or --output.")
        }
        if session != nil || backend == .lttng, limit != nil || memory != nil {
            throw ValidationError(
                "--limit and --memory are for ring buffers. An LTTng session has its own sizes (lttng "
                    + "enable-channel).")
        }
        if session != nil || backend == .lttng, budget != nil {
            throw ValidationError("--budget is for traces without LTTng, whose sessions record all items.")
        }
        if noInterposer, budget != nil {
            throw ValidationError("--budget needs the interposer: without it, all items are recorded.")
        }
        if session != nil || backend == .lttng, mode == .flight {
            throw ValidationError(
                "--mode flight is for ring buffers. LTTng has snapshot sessions instead (lttng create --snapshot).")
        }
        if window != nil, mode != .flight || limit != nil { throw ValidationError(Self.windowRule) }
        if keep != nil, output?.distinguishesRecordings != true {
            throw ValidationError("--keep needs --output with %t or %p, so that each recording has its own directory.")
        }
        if keep != nil, backend == .lttng {
            throw ValidationError(
                "--keep is for traces without LTTng. LTTng has its own limits (lttng enable-channel).")
        }
        if !watch.conditions.isEmpty, pid == nil, mode != .flight {
            throw ValidationError("--when copies a flight recording: add --mode flight.")
        }
        if noInterposer, preload != nil { throw ValidationError("Use either --preload or --no-interposer.") }
    }

    func run() throws {
        if let pid {
            let start = StartRequest(
                output: output, keep: keep, mode: mode, limit: limit, memory: memory, window: window,
                recordsProcessors: processors.map { $0 == .on }, budget: budget, isAttached: true)
            return try AttachedRecording(process: pid, start: start, duration: duration).run()
        }
        let directory = output?.path(for: command[0]) ?? TraceDirectory.fresh(for: command[0])
        // The program and its arguments are the last words of the command line.
        let words = CommandLine.unsafeArgv + (Int(CommandLine.argc) - command.count)
        let rawWords = command.indices.compactMap { index in
            words[index].map { Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1)) }
        }
        var recording = Recording(
            program: command[0], arguments: Array(command.dropFirst()), directory: directory, mode: mode,
            limit: limit, memory: memory,
            preload: noInterposer
                ? nil : try InterposerChoice.preload(for: command[0], rawName: rawWords.first, explicit: preload),
            followsChildren: followChildren, recordsProcessors: processors.map { $0 == .on })
        recording.backend = session != nil ? .lttng : backend ?? RecordingBackend.named() ?? .ring
        recording.budget = budget
        recording.session = session
        recording.window = window
        recording.rawWords = rawWords
        recording.duration = duration
        recording.replacesTrace = force
        recording.kept = keep
        recording.pattern = output
        if !watch.conditions.isEmpty { recording.watch = WatchProcess(arguments: watch) }
        let outcome = try recording.run()
        if case .killed(let signal) = outcome.ending, !outcome.endedByLimit {
            StandardError.write("queuescope: \(command[0]) was ended by signal \(signal) (\(Self.name(signal))).\n")
        }
        for other in outcome.others { StandardError.write("queuescope: \(other.sentence(before: outcome.trace)).\n") }
        if !outcome.ranUnrecorded { StandardError.write("queuescope: \(Self.sentence(outcome, recording))\n") }
        NameStorageProcess.run(for: outcome.completeTraces)
        recording.signals.keepUntilExit()
        if !outcome.endedByLimit { throw ExitCode(outcome.ending.exitCode) }
    }

    private static func sentence(_ outcome: Recording.Outcome, _ recording: Recording) -> String {
        guard let trace = outcome.trace else {
            if let process = outcome.launched.first {
                return
                    "\(process.name) (process \(process.id)) still runs in the background and has used no queue yet. "
                    + "Once it does, it is recorded into \(recording.directory)."
            }
            guard let other = outcome.others.first else { return recording.reasonForNothing + "." }
            return "next: queuescope report \(Terminal.word(other.directory))"
        }
        switch trace.state {
        case .recorded:
            return
                "recorded \(trace.amount) into \(trace.directory). "
                + "Next: queuescope report \(Terminal.word(trace.directory))"
        case .live:
            return "\(trace.sentence()). The events so far: queuescope report \(Terminal.word(trace.directory))"
        case .session(let session):
            return
                "\(trace.sentence()). After it is stopped or rotated (lttng stop \(session)): "
                + "queuescope report \(Terminal.word(trace.directory))"
        case .unreadable: return trace.sentence() + "."
        }
    }

    private static func name(_ signal: Int32) -> String {
        strsignal(signal).map { String(cString: $0) } ?? "unknown"
    }
}
