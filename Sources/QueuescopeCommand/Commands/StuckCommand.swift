import ArgumentParser
import ProcessInspection

/// `queuescope stuck`: diagnoses a running process that was not recorded, or its core file.
struct StuckCommand: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, html
    }

    static let configuration = CommandConfiguration(
        commandName: "stuck", abstract: "Diagnoses a process that hangs, or its core file, without a recording.",
        discussion: """
            Reads what each thread, task and queue of a process waits for, and which thread holds it, from the memory \
            of the process. Cycles come first. The process needs no preparation and continues: each thread is stopped \
            once, one at a time, for a fraction of a millisecond. Linux on x86-64 and arm64 (tested on x86-64).

              queuescope stuck $(pidof MyService)
              queuescope stuck --core core.4711

            The command needs the right to trace the process, as a debugger does: the same user, or root. A core file \
            needs the executable and the libraries of the process, because it does not contain their code. Name other \
            places than those of the process with --executable and --root. The exit status is 0 when the process was \
            read, whatever was found, and 69 when it cannot be read.
            """)

    @Argument(help: ArgumentHelp("The id of the process.", valueName: "pid"))
    var process: Int32?

    @Option(
        help: ArgumentHelp("Diagnose the process of this core file instead of a running one.", valueName: "file"),
        completion: .file())
    var core: String?

    @Option(
        help: ArgumentHelp(
            "The executable of the core file (default: the path that the process had).", valueName: "file"),
        completion: .file())
    var executable: String?

    @Option(
        help: ArgumentHelp(
            "The folder below which the executable and the libraries of the core file are (default: /).",
            valueName: "directory"),
        completion: .directory)
    var root: String?

    @Option(help: "The format: text, json for programs, or html for a page.")
    var format: Format = .text

    @Option(name: .shortAndLong, help: "Write to this file.", completion: .file())
    var output: String?

    @Flag(help: "Add the stack of each thread and each task.")
    var stacks = false

    @Flag(help: "Show every wait, every queue and all items that were read.")
    var all = false

    @Option(help: "Use colour: auto, always or never.")
    var color: ColorChoice = .auto

    @Flag(help: "Print the JSON Schema of the JSON diagnosis and exit.")
    var schema = false

    func validate() throws {
        guard !schema else { return }
        if process == nil, core == nil {
            throw ValidationError("Name a process by its id, or a core file with --core.")
        }
        if process != nil, core != nil { throw ValidationError("Name a process or a core file, not both.") }
        if core == nil, executable != nil || root != nil {
            throw ValidationError("--executable and --root belong to a core file: add --core.")
        }
    }

    func run() throws {
        let destination = ReportDestination(file: output)
        if schema { return try destination.write(StuckDocument.schema) }
        let diagnosis = try diagnosis()
        switch format {
        case .text:
            let style = color.style(for: destination, detail: all ? .everything : .standard)
            try destination.write(StuckText(diagnosis, style: style, showsStacks: stacks).render())
        case .json: try destination.write(try StuckDocument(diagnosis, showsStacks: stacks).text())
        case .html: try destination.write(StuckPage(diagnosis, showsStacks: stacks).render())
        }
    }

    private func diagnosis() throws -> ProcessDiagnosis {
        do throws(InspectionError) {
            guard let core else { return try ProcessDiagnosis(of: process ?? 0) }
            return try ProcessDiagnosis(ofCore: core, executable: executable, root: root)
        } catch {
            throw CommandFailure(.unavailable, error.sentence)
        }
    }
}
