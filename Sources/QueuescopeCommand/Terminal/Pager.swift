import FoundationEssentials
import Glibc
import Symbolication

/// The user's program for texts that are longer than the terminal.
enum Pager {
    /// The command: `QUEUESCOPE_PAGER`, else `PAGER`, else less if it is installed; nil for no pager.
    ///
    /// An empty value or `cat` switches the pager off.
    static var command: String? {
        let environment = ProcessInfo.processInfo.environment
        if Terminal.isDumb { return nil }
        guard let chosen = environment["QUEUESCOPE_PAGER"] ?? environment["PAGER"] else {
            return ExecutableSearch.path(of: "less").map { _ in "less" }
        }
        return chosen.isEmpty || chosen == "cat" ? nil : chosen
    }

    /// The first version of less that shows links (OSC 8) with its option -R.
    private static let firstWithLinks = 566

    /// Whether a pager shows links. Other pagers than less are assumed not to.
    ///
    /// - Parameter command: a command for the shell.
    static func showsLinks(_ command: String) -> Bool {
        guard let program = command.split(separator: " ").first.map(String.init),
            URL(fileURLWithPath: program).lastPathComponent == "less",
            let path = ExecutableSearch.path(of: program), let run = ToolRun(path, ["--version"])
        else { return false }
        // `less 590 (GNU regular expressions)`, or `less 581.2 …`.
        let words = String(decoding: run.output.prefix(64), as: UTF8.self).split(separator: " ")
        return words.count > 1 && (Double(words[1]) ?? 0) >= Double(firstWithLinks)
    }

    /// Shows a text, and returns when the user leaves the pager.
    ///
    /// - Parameters:
    ///   - text: the text, with the escape sequences of colours.
    ///   - command: a command for the shell.
    /// - Returns: whether the pager could be started.
    static func show(_ text: String, with command: String) -> Bool {
        // As git does: less ends by itself if the text fits, keeps colours, and leaves the text on the screen.
        setenv("LESS", "FRX", 0)
        // The user may leave before the whole text is written. Ctrl-C is for the pager.
        let (pipe, interrupt) = (signal(SIGPIPE, SIG_IGN), signal(SIGINT, SIG_IGN))
        defer {
            _ = signal(SIGPIPE, pipe)
            _ = signal(SIGINT, interrupt)
        }
        guard let stream = popen(command, "w") else { return false }
        var text = text
        text.withUTF8 { _ = fwrite($0.baseAddress, 1, $0.count, stream) }
        let status = pclose(stream)
        // The shell's status for a command that does not exist or cannot run.
        return status >= 0 && ![126, 127].contains(status >> 8 & 0xFF)
    }
}
