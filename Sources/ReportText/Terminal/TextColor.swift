/// The style of a piece of text. A terminal shows it as a colour or weight; plain text omits it.
public enum TextColor: Sendable, Hashable {
    case plain, title, strong, faint, error, warning, info, good, place

    /// Parameters of the escape sequence SGR of the terminal (ECMA-48, 8.3.117).
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

    /// The text between the escape sequence and a reset. `plain` text is not changed.
    public func applied(to text: String) -> String {
        guard self != .plain, !text.isEmpty else { return text }
        return "\u{1B}[" + codes.map(String.init).joined(separator: ";") + "m" + text + "\u{1B}[0m"
    }
}
