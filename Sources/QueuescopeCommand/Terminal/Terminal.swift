import FoundationEssentials
import Glibc

/// What is known about the terminal.
enum Terminal {
    /// Columns of the terminal that a descriptor is; nil when it is none, or does not say.
    static func width(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// False with a non-empty `NO_COLOR` (https://no-color.org), and on terminals that have no colours.
    static var wantsColor: Bool { (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty && !isDumb }

    /// Whether the terminal knows no escape sequences.
    static var isDumb: Bool { ProcessInfo.processInfo.environment["TERM"] == "dumb" }

    /// A path as a word of a command line to copy: in quotes where a shell needs them, and never like an option.
    static func word(_ path: String) -> String {
        let text = path.hasPrefix("-") ? "./" + path : path
        let isPlain = text.utf8.allSatisfy { byte in
            byte >= 0x80 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || "/._-+:@%,=".utf8.contains(byte)
        }
        return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// Text that a user gave, in quotes, cut to a length that an error message has room for.
    static func quoted(_ text: String) -> String {
        let shown = text.unicodeScalars.prefix(80).map { $0.properties.generalCategory == .control ? "�" : String($0) }
        return "'\(shown.joined())\(text.unicodeScalars.count > 80 ? "…" : "")'"
    }
}
