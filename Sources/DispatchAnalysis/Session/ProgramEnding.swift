import FoundationEssentials

/// How the recorded program ended.
///
/// `queuescope record` writes it into the trace directory when the program has ended. A trace that was recorded without
/// the command, or whose program still runs, has none.
public enum ProgramEnding: Equatable, Sendable {
    /// The program ended with an exit status from 0 to 255.
    case exited(status: Int)
    /// The program was ended by a signal with this number.
    case killed(signal: Int)

    /// The file in the trace directory. Readers of CTF ignore files whose names begin with a full stop.
    private static let file = ".ending"
    /// Longer files are not from this program.
    private static let longest = 64

    /// The ending of the program of a trace; nil when it is unknown.
    ///
    /// - Parameter path: the trace directory.
    public init?(trace path: String) {
        guard let data = FileManager.default.contents(atPath: "\(path)/\(Self.file)"), data.count <= Self.longest else {
            return nil
        }
        let words = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let number = Int(words[1]) else { return nil }
        switch words[0] {
        case "exited" where 0...255 ~= number: self = .exited(status: number)
        case "killed" where 1...64 ~= number: self = .killed(signal: number)
        default: return nil
        }
    }

    /// Writes the ending into a trace directory. Does nothing if the directory cannot be written.
    ///
    /// - Parameter path: the trace directory.
    public func write(toTrace path: String) {
        let text =
            switch self {
            case .exited(let status): "exited \(status)\n"
            case .killed(let signal): "killed \(signal)\n"
            }
        _ = FileManager.default.createFile(atPath: "\(path)/\(Self.file)", contents: Data(text.utf8))
    }

    /// Whether the program crashed: a signal that the kernel or `abort()` sends for an error of the program.
    public var isCrash: Bool {
        guard case .killed(let signal) = self else { return false }
        // SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV and SIGSYS.
        return [4, 5, 6, 7, 8, 11, 31].contains(signal)
    }
}
