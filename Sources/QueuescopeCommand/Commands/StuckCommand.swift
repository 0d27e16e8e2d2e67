import ArgumentParser
import ProcessInspection
import TraceReports

/// `queuescope stuck`: diagnoses a running process that was not recorded.
struct StuckCommand: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    static let configuration = CommandConfiguration(
        commandName: "stuck", abstract: "Diagnoses a running process that hangs, without a recording.",
        discussion: """
            Reads what each thread, task and queue of a process waits for, and which thread holds it, from the memory of \
            the process. Cycles come first. The process needs no preparation and continues: each thread is stopped once, \
            one at a time, for a fraction of a millisecond. Linux on x86-64 and arm64 (tested on x86-64).

              queuescope stuck $(pidof MyService)

            The command needs the right to trace the process, as a debugger does: the same user, or root. The exit \
            status is 0 when the process was read, whatever was found, and 69 when it cannot be read.
            """)

    @Argument(help: ArgumentHelp("The id of the process.", valueName: "pid"))
    var process: Int32

    @Option(help: "The format: text, or json for programs.")
    var format: Format = .text

    @Flag(help: "Add the stack of each thread and each task.")
    var stacks = false

    @Flag(help: "Show every wait, every queue and all items that were read.")
    var all = false

    @Option(help: "Use colour: auto, always or never.")
    var color: ColorChoice = .auto

    func run() throws {
        let destination = ReportDestination(file: nil)
        let diagnosis: ProcessDiagnosis
        do {
            diagnosis = try ProcessDiagnosis(of: process)
        } catch {
            throw CommandFailure(.unavailable, error.sentence)
        }
        switch format {
        case .text:
            let style = color.style(for: destination, detail: all ? .everything : .standard)
            try destination.write(StuckText(diagnosis, style: style, showsStacks: stacks).render())
        case .json: try destination.write(try StuckDocument(diagnosis, showsStacks: stacks).text())
        }
    }
}
