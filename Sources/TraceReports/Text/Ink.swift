import DispatchAnalysis

/// What a piece of a report means; a terminal shows it as a colour, a file without any loss as plain text.
public enum Ink: Sendable, Hashable {
    case plain, title, strong, faint, error, warning, info, good, place

    /// The parameters of the terminal's escape sequence SGR (ECMA-48, 8.3.117).
    var codes: [UInt8] {
        let (bold, cyan): (UInt8, UInt8) = (1, 36)
        return switch self {
        case .plain: []
        case .title: [bold, cyan]
        case .strong: [bold]
        case .faint: [2]
        case .error: [bold, 31]
        case .warning: [bold, 33]
        case .info: [bold, 34]
        case .good: [bold, 32]
        case .place: [cyan]
        }
    }

    /// The text between the ink's escape sequence and a reset; unchanged for `plain`.
    public func applied(to text: String) -> String {
        guard self != .plain, !text.isEmpty else { return text }
        return "\u{1B}[" + codes.map(String.init).joined(separator: ";") + "m" + text + "\u{1B}[0m"
    }
}

extension Finding.Severity {
    /// How a severity stands out on a terminal.
    var ink: Ink {
        switch self {
        case .error: .error
        case .warning: .warning
        case .info: .info
        }
    }
}
