import Glibc

/// The reason why a command failed: a sentence for standard error, and the exit code.
struct CommandFailure: Error {
    /// The exit codes of the process. Conventions of the shell and of `sysexits.h` apply where they exist.
    enum Code: Int32 {
        case unreadableTrace = 2
        case usage = 64
        case unavailable = 69
        case cannotCreate = 73
        case notExecutable = 126
        case programNotFound = 127
    }

    /// Names the file and the remedy.
    let sentence: String
    let exitCode: Code

    init(_ exitCode: Code, _ sentence: String) {
        self.sentence = sentence
        self.exitCode = exitCode
    }

    /// The failure for a directory, or a file in it, that cannot be written.
    ///
    /// - Parameters:
    ///   - path: the file or directory.
    ///   - code: `errno`.
    /// - Returns: the failure to throw.
    static func cannotWrite(_ path: String, _ code: Int32) -> CommandFailure {
        CommandFailure(
            .cannotCreate,
            "cannot write \(path): \(String(cString: strerror(code))). Name another directory with --output")
    }
}
