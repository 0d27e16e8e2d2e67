import ArgumentParser
import CTFReader
import DispatchModel

/// `queuescope events`: one line per event record.
struct EventsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Lists the event records of a trace, one per line, as babeltrace2 does.")

    @Argument(
        help: """
            The trace directory, or a directory with the traces of several processes or machines (default: the newest \
            trace in the current directory).
            """,
        completion: .trace)
    var trace: String?

    @Flag(help: "Print clock values in cycles instead of the time of day.")
    var clockCycles = false

    @Flag(inversion: .prefixedNo, help: "Print, or omit (--no-delta), the time since the previous event record.")
    var delta = true

    @Option(
        help: ArgumentHelp(
            "List only the records of this process: its id or name, optionally after the host name.",
            valueName: "pid|name|host:pid"))
    var process: String?

    @Flag(help: "Exit with 0 even if a part of the trace cannot be read. Without this option the status is 2 then.")
    var keepGoing = false

    @OptionGroup var window: WindowArguments

    func run() throws {
        let trace = try TraceDirectory.named(trace)
        TraceCompletion.complete(at: trace)
        let (all, hasUnreadable) = try Self.open(trace)
        let chosen = try process.map { try ProcessRecords(of: ProcessSelector($0), in: all, path: trace) }
        let traces = chosen?.traces ?? all
        let extent = chosen.map(\.extent) ?? TraceMerge.extent(of: traces)
        let part = try window.request.map { try $0.window(in: extent, path: trace) }
        let summaries = try ProgressBar.show("Listing \(trace)", mixes: true) { progress in
            try EventFormatter.write(
                traces, options: .init(clockCycles: clockCycles, delta: delta), window: part,
                including: { chosen?.contains($1, of: $0) ?? true }, progress: progress, to: StandardOutput.write)
        }
        for note in traces.flatMap({ MissingFiles(of: $0).notes }) { StandardError.write("queuescope: \(note)\n") }
        // Lost packets are reported as losses below.
        for note in summaries.flatMap(\.notes) where note.code != .lostPackets {
            StandardError.write("queuescope: \(note)\n")
        }
        for loss in summaries.flatMap(\.losses) { StandardError.write("queuescope: \(loss)\n") }
        let discarded = TraceMerge.discarded(summaries, of: traces)
        if discarded > 0 {
            StandardError.write("queuescope: the recorder discarded \(GroupedNumber.text(discarded)) event records.\n")
        }
        if !keepGoing, hasUnreadable || summaries.contains(where: { $0.damagedFiles > 0 }) {
            StandardError.write(
                "queuescope: a part of \(trace) cannot be read; --keep-going lists the rest with exit status 0.\n")
            throw ExitCode(CommandFailure.Code.unreadableTrace.rawValue)
        }
    }

    /// Opens all traces that can be read, and prints the errors of the others.
    private static func open(_ trace: String) throws -> (traces: [CTFTrace], hasUnreadable: Bool) {
        var (directories, errors) = try TraceSearch.traces(at: trace)
        // Without a trace, the reader reports the error.
        if directories.isEmpty, errors.isEmpty { directories = [trace] }
        var traces: [CTFTrace] = []
        for directory in directories {
            do throws(CTFError) {
                traces.append(try CTFTrace(path: directory))
            } catch {
                errors.append(error)
            }
        }
        if traces.isEmpty, let error = errors.first { throw error }
        for error in errors { StandardError.write("queuescope: left out: \(error).\n") }
        return (traces, !errors.isEmpty)
    }
}
