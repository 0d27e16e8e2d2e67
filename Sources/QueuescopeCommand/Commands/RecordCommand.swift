import ArgumentParser
import Foundation

/// `queuescope record`: runs a program and records what its queues do.
struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Runs a program that links Queuescope and records what its queues do.",
        usage: "queuescope record [--output <dir>] [--limit <size>] -- <program> [<argument> ...]")

    @Option(
        name: .shortAndLong, help: "The trace directory; by default the program's name, date and time with .ctf.",
        completion: .directory)
    var output: String?

    @Option(help: "The largest size of the trace, such as 512M; what does not fit is discarded and counted.")
    var limit: ByteSize?

    @Argument(parsing: .postTerminator, help: "The program to run, and its arguments, after --.")
    var command: [String] = []

    func validate() throws {
        if command.isEmpty { throw ValidationError("Name the program to record, after --.") }
    }

    func run() throws {
        let directory = output ?? TraceDirectory.fresh(for: command[0])
        let recording = Recording(
            program: command[0], arguments: Array(command.dropFirst()), directory: directory, limit: limit)
        let outcome = try ProgressBar.show("Checking \(directory)") { try recording.run(progress: $0) }
        if case .killed(let signal) = outcome.ending {
            StandardError.write("queuescope: \(command[0]) was ended by signal \(signal) (\(Self.name(signal))).\n")
        }
        StandardError.write(Self.sentence(outcome, recording))
        throw ExitCode(outcome.ending.exitCode)
    }

    private static func sentence(_ outcome: Recording.Outcome, _ recording: Recording) -> String {
        guard let summary = outcome.summary else { return "queuescope: \(recording.reasonForNothing).\n" }
        var counts = "\(summary.events) events"
        if summary.discarded > 0 { counts += " (\(summary.discarded) more discarded: raise --limit)" }
        return
            "queuescope: recorded \(counts) into \(recording.directory). Next: queuescope report \(recording.directory)\n"
    }

    private static func name(_ signal: Int32) -> String {
        strsignal(signal).map { String(cString: $0) } ?? "unknown"
    }
}
