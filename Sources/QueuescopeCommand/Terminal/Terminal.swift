import FoundationEssentials
import Glibc

/// What is known about the terminal.
enum Terminal {
    /// Columns of the terminal that standard output is; nil when it is none.
    static var width: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// False with a non-empty `NO_COLOR` (https://no-color.org), and on terminals that have no colours.
    static var wantsColor: Bool {
        let environment = ProcessInfo.processInfo.environment
        return (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    /// Text that a user gave, in quotes, cut to a length that an error message has room for.
    static func quoted(_ text: String) -> String {
        let shown = text.unicodeScalars.prefix(80).map { $0.properties.generalCategory == .control ? "�" : String($0) }
        return "\u{201C}\(shown.joined())\(text.unicodeScalars.count > 80 ? "…" : "")\u{201D}"
    }
}
