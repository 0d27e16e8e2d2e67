import Glibc
import ReportText

/// Standard output, written without a buffer, so that no data is lost at exit.
///
/// When the reader closes the pipe (`queuescope report … | head`), the process ends silently.
enum StandardOutput {
    /// Opens /dev/null for standard streams that are closed, so that files opened later do not get their numbers. A
    /// write to such a stream then fails. Started programs find the streams closed again.
    static func reserveDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // `open` returns the lowest free number, which is this descriptor.
            _ = open("/dev/null", O_RDONLY | O_CLOEXEC)
        }
    }

    static func write(_ text: String) throws {
        var text = text
        try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
    }

    static func write(_ bytes: UnsafeRawBufferPointer) throws {
        guard let code = FileDescriptorWriter.write(bytes, to: STDOUT_FILENO) else { return }
        // SIGPIPE ends the process unless the parent process set it to be ignored.
        if code == EPIPE { exit(0) }
        throw CommandFailure(.cannotCreate, "cannot write to standard output: \(String(cString: strerror(code)))")
    }
}

/// Standard error: messages for the user, never part of the result.
enum StandardError {
    /// Writes lines and escapes control characters, because names in traces and of files can contain any bytes.
    static func write(_ lines: String) {
        draw(
            lines.split(separator: "\n", omittingEmptySubsequences: false)
                .map { DisplayText.escaped(String($0)) }.joined(separator: "\n"))
    }

    /// Writes text with escape sequences.
    static func draw(_ text: String) {
        var text = text
        // An error is ignored, because there is no other stream to report it.
        text.withUTF8 { _ = FileDescriptorWriter.write(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
    }
}
