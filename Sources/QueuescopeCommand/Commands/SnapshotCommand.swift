import ArgumentParser
import DispatchAnalysis

/// `queuescope snapshot`: copies the events so far of a process that is being recorded.
struct SnapshotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot", abstract: "Copies the events so far of a recorded process into a new trace.",
        discussion: """
            The recording continues, and the copy is a complete trace. In flight mode it has the newest events, \
            otherwise all events. While the files are copied, a flight recorder overwrites nothing.

              queuescope start 4711 --mode flight
              queuescope snapshot 4711 -o 'incident-%t'
            """)

    @Argument(help: ArgumentHelp("The id of the process.", valueName: "pid"))
    var process: Int32

    @Option(
        name: .shortAndLong,
        help: """
            The trace directory to create (default: the program's name, date and time with .ctf). %n is the program's \
            name, %t the time (UTC), %p the process id, %h the name of the host, and %% a percent sign.
            """,
        completion: .directory)
    var output: TracePattern?

    @Option(help: ArgumentHelp("The line that the report of the copy begins with.", valueName: "text"))
    var reason: String?

    func validate() throws {
        if output?.text.isEmpty == true { throw ValidationError("Name the directory of the trace after --output.") }
    }

    func run() throws {
        let snapshot = ProcessSnapshot(process: process, output: output, reason: reason.flatMap { SnapshotReason($0) })
        let (directory, path) = try snapshot.take()
        StandardError.write("queuescope: \(ControlledTrace.sentence(directory))\n")
        NameStorageProcess.run(for: [path])
    }
}
