import ArgumentParser
import CTFReader
import FoundationEssentials
import Glibc

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

    func validate() throws {
        if output?.text.isEmpty == true { throw ValidationError("Name the directory of the trace after --output.") }
    }

    func run() throws {
        let program = ProcessFacts.name(of: process)
        let directory = output?.path(for: program, process: process) ?? TraceDirectory.fresh(for: program)
        let answer = try ControlledProcess(process).ask(ControlRequest(.flush))
        try TraceDirectory.check(directory)
        let path = URL(fileURLWithPath: directory).standardizedFileURL.path
        let lock = try TraceDirectory.prepare(path)
        defer { lock.release() }
        let source = ProcessFacts.visiblePath(of: answer["trace"] ?? "", in: process)
        do throws(TraceSnapshotError) {
            try TraceSnapshot.copy(source, to: path)
        } catch {
            throw CommandFailure(
                error.isOfTarget ? .cannotCreate : .unavailable,
                "cannot copy the trace of process \(process): \(error.file): \(String(cString: strerror(error.code)))")
        }
        StandardError.write("queuescope: \(ControlledTrace.sentence(directory))\n")
        NameStorageProcess.run(for: [path])
    }
}
