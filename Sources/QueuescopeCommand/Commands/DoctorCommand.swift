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
        let destination = ReportDestination(file: nil)
        let capabilities = MachineCapability.all(of: .current(program: program))
        var style = color.style(for: destination)
        // A line for each check is what scripts look for.
        if !destination.isTerminal { style.width = .max }
        try destination.write(Self.text(of: capabilities, style: style))
        if capabilities.contains(where: { $0.state == .blocked }) {
            throw ExitCode(CommandFailure.Code.unavailable.rawValue)
        }
    }

    private static func text(of capabilities: [MachineCapability], style: TextStyle) -> String {
        var page = TextPage(style)
        // Beside the path of a program there may be no room.
        let names = capabilities.map { DisplayText.width($0.name) }.filter { $0 <= page.width / 3 }
        let indent = 12 + (names.max() ?? 0)
        for capability in capabilities {
            var label = TextLine(" ")
            label.append(DisplayText.padded(capability.state.rawValue, to: 7), capability.state.color)
            label.append("  " + capability.name)
            if label.width + 2 > indent {
                page.add(label)
                label = TextLine()
            }
            page.addParagraph(capability.finding, label: label, indent: indent)
            guard !capability.remedy.isEmpty else { continue }
            label = TextLine(String(repeating: " ", count: indent) + "→ ")
            page.addParagraph(capability.remedy, label: label, indent: indent + 2)
        }
        return page.string()
    }
}
