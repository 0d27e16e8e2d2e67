import ArgumentParser
import ReportText

/// `queuescope doctor`: checks what can be recorded and shown on this machine.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Checks what can be recorded on this machine, and how to enable the rest.",
        discussion: """
            Prints one line for each check, with a remedy below it: ok; limited (recording works, but with fewer data \
            or at a higher cost); missing (a tool that recording does not need); blocked (nothing can be recorded). \
            The exit status is 69 when a check is blocked, otherwise 0.
            """)

    @Argument(help: "A program to check: can it be recorded without changes?", completion: .file())
    var program: String?

    @Option(help: "Use colour: auto, always or never.")
    var color: ColorChoice = .auto

    func run() throws {
        let destination = ReportDestination(file: nil)
        let capabilities = MachineCapability.all(of: .current(program: program))
        var style = color.style(for: destination)
        // Scripts expect one line for each check.
        if !destination.isTerminal { style.width = .max }
        try destination.write(Self.text(of: capabilities, style: style))
        if capabilities.contains(where: { $0.state == .blocked }) {
            throw ExitCode(CommandFailure.Code.unavailable.rawValue)
        }
    }

    private static func text(of capabilities: [MachineCapability], style: TextStyle) -> String {
        var page = TextPage(style)
        // A long name, such as the path of a program, has its own line.
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
