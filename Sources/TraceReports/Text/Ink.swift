import Rainbow

/// What a piece of a report means; a terminal shows it as a colour, a file without any loss as plain text.
enum Ink: Sendable, Hashable {
    case plain, title, strong, faint, error, warning, info, good, place

    /// The SGR parameters. Taken from Rainbow as constants: its string functions depend on a process-wide switch, and a
    /// report's colours are decided per report.
    var codes: [UInt8] {
        switch self {
        case .plain: []
        case .title: [Style.bold.rawValue, NamedColor.cyan.rawValue]
        case .strong: [Style.bold.rawValue]
        case .faint: [Style.dim.rawValue]
        case .error: [Style.bold.rawValue, NamedColor.red.rawValue]
        case .warning: [Style.bold.rawValue, NamedColor.yellow.rawValue]
        case .info: [Style.bold.rawValue, NamedColor.blue.rawValue]
        case .good: [Style.bold.rawValue, NamedColor.green.rawValue]
        case .place: [NamedColor.cyan.rawValue]
        }
    }

    /// The text between the ink's escape sequence and a reset; unchanged for `plain`.
    func applied(to text: String) -> String {
        guard self != .plain, !text.isEmpty else { return text }
        return "\u{1B}[" + codes.map(String.init).joined(separator: ";") + "m" + text + "\u{1B}[0m"
    }
}
