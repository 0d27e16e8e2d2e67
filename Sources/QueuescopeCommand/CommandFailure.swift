import Glibc

/// Why a command could not do its work: a sentence for standard error, and the exit code.
struct CommandFailure: Error {
    /// The process's exit codes; what the shell's conventions and `sysexits.h` say where they say something.
    enum Code: Int32 {
        case unreadableTrace = 2
        case usage = 64
        case unavailable = 69
        case cannotCreate = 73
        case notExecutable = 126
        case programNotFound = 127
    }

    /// Names the file, the place and what to do.
    let sentence: String
    let exitCode: Code

    init(_ exitCode: Code, _ sentence: String) {
        self.sentence = sentence
        self.exitCode = exitCode
    }

    /// A directory, or something in it, that cannot be written.
    ///
    /// - Parameters:
    ///   - path: what cannot be written.
    ///   - code: `errno`.
    /// - Returns: the failure to throw.
    static func cannotWrite(_ path: String, _ code: Int32) -> CommandFailure {
        CommandFailure(
            .cannotCreate,
            "cannot write \(path): \(String(cString: strerror(code))). Name another directory with --output")
    }
}
