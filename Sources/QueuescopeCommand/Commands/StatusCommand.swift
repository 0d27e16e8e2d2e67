import ArgumentParser
import CTFReader
import ReportText

/// `queuescope status`: the state of one process.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows if a process is recorded, since when, and into which trace.")

    @Argument(help: ArgumentHelp("The id of the process.", valueName: "pid"))
    var process: Int32

    @Option(help: "The format: text, or json for programs.")
    var format: ControlFormat = .text

    func run() throws {
        let controlled = try ControlledProcess(process)
        let state = ControlledState(try controlled.ask(ControlRequest(.status)), pid: process)
        if format == .json { return try StandardOutput.write(try ControlledState.json(state)) }
        let lines: [(String, String?)] = [
            ("process", "\(state.program) (pid \(state.pid))"), ("state", state.state.rawValue),
            ("recorder", state.recorder), ("since", state.startTime.map { "\($0) UTC" }),
            ("destination", state.destination == "lttng" ? "LTTng" : nil), ("mode", state.mode),
            ("trace", state.trace), ("discarded", state.discarded.map { "\(GroupedNumber.text(Int($0))) events" }),
            ("default", state.defaultTrace), ("snapshot", state.snapshotWords),
        ]
        let width = 12
        let text = lines.compactMap { name, value in
            value.map {
                " \(name)\(String(repeating: " ", count: width - name.count))\(DisplayText.escaped($0))\n"
            }
        }.joined()
        try StandardOutput.write(text)
    }
}
