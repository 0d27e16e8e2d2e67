/// The manual page, in the `man` macros of roff.
struct ManualPage {
    let command: CommandDescription
    let version: String

    var roff: String {
        var lines = [
            ".TH \(command.commandName.uppercased()) 1 \"\" \"\(command.commandName) \(version)\" \"User Commands\"",
            ".SH NAME", "\(Self.text(command.commandName)) \\- \(Self.text(command.abstract ?? ""))",
            ".SH SYNOPSIS", ".B \(Self.text(command.commandName))", ".I command",
            "[\\fIoption\\fR ...] [\\fIargument\\fR ...]",
            ".SH DESCRIPTION",
        ]
        lines += Self.paragraphs(command.discussion)
        lines.append(".SH COMMANDS")
        for subcommand in command.subcommands ?? [] where subcommand.shouldDisplay && subcommand.commandName != "help" {
            lines.append(".SS \(Self.text("\(command.commandName) \(subcommand.commandName)"))")
            lines.append(Self.text(subcommand.abstract ?? ""))
            if let discussion = subcommand.discussion { lines += [".PP"] + Self.paragraphs(discussion) }
            for argument in subcommand.arguments ?? [] where argument.shouldDisplay && !argument.isEverywhere {
                lines += [".TP", argument.heading, Self.text(argument.explanation)]
            }
        }
        lines += Self.list("ENVIRONMENT", ManualFacts.environment.map { ($0.name, $0.meaning) })
        lines += Self.list("FILES", ManualFacts.files.map { ($0.name, $0.meaning) })
        lines += Self.list("EXIT STATUS", ManualFacts.exitStatus.map { ($0.status, $0.meaning) })
        lines += [".PP", "If the program runs, record exits with the status of the program."]
        lines += [".SH SEE ALSO", Self.text(ManualFacts.seeAlso)]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func list(_ title: String, _ entries: [(String, String)]) -> [String] {
        [".SH \(title)"] + entries.flatMap { [".TP", "\\fB\(text($0.0))\\fR", text($0.1)] }
    }

    /// Filled paragraphs. Indented text is an example and keeps its lines.
    private static func paragraphs(_ text: String?) -> [String] {
        var lines: [String] = []
        var isExample = false
        for line in (text ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("  ") != isExample, !line.isEmpty {
                isExample.toggle()
                lines.append(isExample ? ".PP\n.RS 4\n.nf" : ".fi\n.RE\n.PP")
            }
            if line.isEmpty {
                if !isExample { lines.append(".PP") }
            } else {
                lines.append(Self.text(isExample ? String(line.drop { $0 == " " }) : String(line)))
            }
        }
        if isExample { lines.append(".fi\n.RE") }
        return lines
    }

    /// The text with roff's special characters escaped.
    fileprivate static func text(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }
}

extension CommandDescription.Argument {
    /// Is this an option that the parser adds to every command?
    fileprivate var isEverywhere: Bool {
        names?.contains { $0.kind == .long && ($0.name == "help" || $0.name == "version") } ?? false
    }

    /// The names of the argument and of its value.
    fileprivate var heading: String {
        let value = kind == .flag ? "" : "\\fI\(ManualPage.text(valueName ?? "value"))\\fR"
        let names = (names ?? []).map { "\\fB\(ManualPage.text($0.text))\\fR" }.joined(separator: ", ")
        return kind == .positional ? value : value.isEmpty ? names : "\(names) \(value)"
    }

    fileprivate var explanation: String {
        (abstract ?? "") + (defaultValue.map { " (default: \($0))" } ?? "")
    }
}
