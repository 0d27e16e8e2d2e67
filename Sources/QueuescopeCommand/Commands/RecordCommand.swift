import ArgumentParser
import Glibc

/// `queuescope record`: runs a program and records what its queues do.
struct RecordCommand: ParsableCommand {
    enum Switch: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Runs a program, unchanged, and records what its queues do.",
        usage: "queuescope record [<options>] -- <program> [<argument> ...]",
        discussion: """
            The program needs no preparation: its calls of libdispatch are recorded by a library that is preloaded into it. \
            It keeps its standard input, output and error, gets the signals that queuescope gets, and its exit status \
            becomes that of queuescope: 128 and the signal's number when a signal ended it. Whatever ends the program, the \
            trace can be read.

            A program that has libdispatch linked into it (-static-stdlib) is linked with the interposer instead: see \
            queuescope link-flags.
            """)

    @Option(
        name: .shortAndLong,
        help: """
            The trace directory, made with those that it is in; by default the program's name, date and time with .ctf.
            """,
        completion: .directory)
    var output: String?

    @Option(
        help: """
            What becomes of events when the trace has the size of --limit: stream (new ones are discarded and counted, the \
            default) or flight (the oldest are overwritten: a flight recorder).
            """)
    var mode: RecordingMode = .stream

    @Option(
        help: """
            The largest size of each process's trace, such as 512M, its 20 kB of metadata aside (default: none, and 256M \
            in flight mode). Not of LTTng's.
            """)
    var limit: ByteSize?

    @Option(
        help: """
            The most memory of each process that events may take before they are written, such as 16M (default: 64M, or a \
            sixteenth of what its cgroup may have).
            """)
    var memory: ByteSize?

    @Flag(help: "Also record the programs that the program starts, each into a directory of its own: <dir>-<pid>.")
    var followChildren = false

    @Option(help: "Record when threads get and leave their processors: on or off (default: on).")
    var processors: Switch?

    @Option(
        help: """
            Where the events go: ring or auto (files, the default), or lttng (a session of LTTng, made for this run) \
            (also: \(RecordingBackend.variable)).
            """)
    var backend: RecordingBackend?

    @Option(help: "The LTTng session to record into, in its own directory; it stays. Instead of one made for this run.")
    var session: String?

    @Option(
        help: "The library to preload, instead of this queuescope's own (also: \(PreloadObject.variable)).",
        completion: .file(extensions: ["so"]))
    var preload: String?

    @Flag(help: "Preload nothing; record what a program that links Queuescope records of itself.")
    var noInterposer = false

    @Argument(parsing: .postTerminator, help: "The program to run, and its arguments, after --.")
    var command: [String] = []

    func validate() throws {
        if command.isEmpty { throw ValidationError("Name the program to record, after --.") }
        if output?.isEmpty == true { throw ValidationError("Name the directory of the trace after --output.") }
        if session != nil, let backend, backend != .lttng {
            throw ValidationError("--session is for --backend lttng.")
        }
        if session != nil, output != nil {
            throw ValidationError("A session of LTTng has a directory of its own: use either --session or --output.")
        }
        if session != nil || backend == .lttng, limit != nil || memory != nil {
            throw ValidationError(
                "--limit and --memory are of the ring buffers: LTTng's session has sizes of its own (lttng "
                    + "enable-channel).")
        }
        if session != nil || backend == .lttng, mode == .flight {
            throw ValidationError(
                "--mode flight is of the ring buffers: LTTng has snapshot sessions for it (lttng create --snapshot).")
        }
        if noInterposer, preload != nil { throw ValidationError("Use either --preload or --no-interposer.") }
    }

    func run() throws {
        let directory = output ?? TraceDirectory.fresh(for: command[0])
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
        recording.session = session
        recording.rawWords = rawWords
        let outcome = try recording.run()
        if case .killed(let signal) = outcome.ending {
            StandardError.write("queuescope: \(command[0]) was ended by signal \(signal) (\(Self.name(signal))).\n")
        }
        for other in outcome.others { StandardError.write("queuescope: \(other.sentence(before: outcome.trace)).\n") }
        if !outcome.ranUnrecorded { StandardError.write("queuescope: \(Self.sentence(outcome, recording))\n") }
        // The trace is complete, and the message is printed.
        recording.signals.release()
        throw ExitCode(outcome.ending.exitCode)
    }

    private static func sentence(_ outcome: Recording.Outcome, _ recording: Recording) -> String {
        guard let trace = outcome.trace else {
            if let process = outcome.launched.first {
                return
                    "\(process.name) (process \(process.id)) goes on in the background and has used no queue yet; when it "
                    + "does, it is recorded into \(recording.directory)."
            }
            guard let other = outcome.others.first else { return recording.reasonForNothing + "." }
            return "next: queuescope report \(Terminal.word(other.directory))"
        }
        switch trace.state {
        case .recorded:
            return
                "recorded \(trace.amount) into \(trace.directory). Next: queuescope report \(Terminal.word(trace.directory))"
        case .live:
            return "\(trace.sentence()). What there is so far: queuescope report \(Terminal.word(trace.directory))"
        case .session(let session):
            return
                "\(trace.sentence()). When it has been stopped or rotated (lttng stop \(session)): "
                + "queuescope report \(Terminal.word(trace.directory))"
        case .unreadable: return trace.sentence() + "."
        }
    }

    private static func name(_ signal: Int32) -> String {
        strsignal(signal).map { String(cString: $0) } ?? "unknown"
    }
}
