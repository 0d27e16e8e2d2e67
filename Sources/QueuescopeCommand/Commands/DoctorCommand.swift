import ArgumentParser
import TraceReports

/// `queuescope doctor`: what this machine can record and show.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Checks what can be recorded here, and says how to get the rest.",
        discussion: """
            One line for each check: ok; limited: recording works, but tells less or costs more; missing: a tool that recording \
            does not need; blocked: nothing can be recorded. What to do about it follows. The exit status is 69 when something \
            is blocked, otherwise 0.
            """)

    @Argument(help: "A program: whether it can be recorded as it is.", completion: .file())
    var program: String?

    @Option(help: "When to use colour: auto, always or never.")
    var color: ColorChoice = .auto

    func run() throws {
        let inColor = color.isOn(for: ReportDestination(file: nil))
        let capabilities = MachineCapability.all(of: .current(program: program))
        let width = capabilities.map { $0.name.count }.max() ?? 0
        var text = ""
        for capability in capabilities {
            let name = DisplayText.padded(capability.name, to: width)
            text += " \(capability.mark(inColor: inColor))  \(name)  \(capability.finding)\n"
            if !capability.remedy.isEmpty {
                text += String(repeating: " ", count: width + 12) + "→ \(capability.remedy)\n"
            }
        }
        try StandardOutput.write(text)
        if capabilities.contains(where: { $0.state == .blocked }) {
            throw ExitCode(CommandFailure.Code.unavailable.rawValue)
        }
    }
}
