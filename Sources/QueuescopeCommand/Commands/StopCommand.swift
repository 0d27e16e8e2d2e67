import ArgumentParser

/// `queuescope stop`: stops the recording of a running process.
struct StopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Stops the recording of a running process, which continues.",
        discussion: "The trace is complete when the command returns.")

    @Argument(help: ArgumentHelp("The id of the process.", valueName: "pid"))
    var process: Int32

    func run() throws {
        let answer = try ControlledProcess(process).ask(ControlRequest(.stop))
        let trace = ProcessFacts.visiblePath(of: answer["trace"] ?? "", in: process)
        StandardError.write("queuescope: \(ControlledTrace.sentence(trace))\n")
        NameStorageProcess.run(for: [trace])
    }
}

/// The trace that a process recorded on request.
enum ControlledTrace {
    /// The result as a sentence, like the one of `record`.
    ///
    /// - Parameter path: the trace, by a path of this process.
    static func sentence(_ path: String) -> String {
        guard let trace = RecordedTrace(path, named: path) else {
            return "the trace \(path) is not visible here: read it in the container of the process."
        }
        guard case .recorded = trace.state else { return "\(trace.sentence())." }
        return "recorded \(trace.amount) into \(path). Next: queuescope report \(Terminal.word(path))"
    }
}
