import FoundationEssentials
import Glibc

/// Properties of the terminal, and texts for it.
enum Terminal {
    /// The columns of the terminal behind a descriptor; nil when it is not a terminal or has no known size.
    static func width(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// The lines of the terminal behind a descriptor; nil when it is not a terminal or has no known size.
    static func height(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return nil }
        return Int(size.ws_row)
    }

    /// False with a non-empty `NO_COLOR` (https://no-color.org), and on a terminal without colours.
    static var wantsColor: Bool { (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty && !isDumb }

    /// Does the terminal lack escape sequences?
    static var isDumb: Bool { ProcessInfo.processInfo.environment["TERM"] == "dumb" }

    /// Is it the console of Linux, which has colours but no links?
    static var isConsole: Bool { ProcessInfo.processInfo.environment["TERM"] == "linux" }

    /// A path as a word of a command line: quoted when the shell needs it, and never like an option.
    static func word(_ path: String) -> String {
        let text = path.hasPrefix("-") ? "./" + path : path
        let isPlain = text.utf8.allSatisfy { byte in
            byte >= 0x80 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || "/._-+:@%,=".utf8.contains(byte)
        }
        return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// A user's text in quotes, cut to 80 characters for an error message.
    static func quoted(_ text: String) -> String {
        let shown = text.unicodeScalars.prefix(80).map { $0.properties.generalCategory == .control ? "�" : String($0) }
        return "'\(shown.joined())\(text.unicodeScalars.count > 80 ? "…" : "")'"
    }
}
