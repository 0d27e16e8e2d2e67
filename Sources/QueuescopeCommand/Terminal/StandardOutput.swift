import Glibc
import TraceReports

/// Standard output, written without a buffer that could be lost.
///
/// When the reader goes away (`queuescope report … | head`) the process ends quietly.
enum StandardOutput {
    /// Keeps the numbers of standard streams that are closed from the files that are opened later: a write to such a
    /// stream has to fail, and must not get into a file of ours. Programs that are started find them closed again.
    static func reserveDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is this one.
            _ = open("/dev/null", O_RDONLY | O_CLOEXEC)
        }
    }

    static func write(_ text: String) throws {
        var text = text
        try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
    }

    static func write(_ bytes: UnsafeRawBufferPointer) throws {
        guard let code = FileDescriptorWriter.write(bytes, to: STDOUT_FILENO) else { return }
        // SIGPIPE ends the process by itself, unless whoever started it made it ignore the signal.
        if code == EPIPE { exit(0) }
        throw CommandFailure(.cannotCreate, "cannot write to standard output: \(String(cString: strerror(code)))")
    }
}

/// Standard error: sentences for the person, never part of the result.
enum StandardError {
    /// Writes lines, in which names from a trace or of files may be anything.
    static func write(_ lines: String) {
        draw(
            lines.split(separator: "\n", omittingEmptySubsequences: false)
                .map { DisplayText.escaped(String($0)) }.joined(separator: "\n"))
    }

    /// Writes what a terminal acts on.
    static func draw(_ text: String) {
        var text = text
        // Where standard error is closed there is nobody to tell.
        text.withUTF8 { _ = FileDescriptorWriter.write(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
    }
}
