import ArgumentParser
import CTFReader

/// `queuescope events`: one line per event record.
struct EventsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Lists a trace's event records, one line each, as babeltrace2 does.")

    @Argument(help: "The trace directory.", completion: .directory)
    var trace: String

    @Flag(help: "Print clock values in cycles rather than times of day.")
    var clockCycles = false

    @Flag(inversion: .prefixedNo, help: "Print the time since the event record before.")
    var delta = true

    func run() throws {
        let trace = try CTFTrace(path: trace)
        let summary = try EventFormatter.write(
            trace, options: .init(clockCycles: clockCycles, delta: delta), to: StandardOutput.write)
        for note in summary.notes { StandardError.write("queuescope: \(note)\n") }
        if summary.discarded > 0 {
            StandardError.write("queuescope: the recorder discarded \(summary.discarded) event records.\n")
        }
    }
}
