import Glibc

/// Standard output, written without a buffer that could be lost.
///
/// When the reader goes away (`queuescope report … | head`) the process ends quietly.
enum StandardOutput {
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
    static func write(_ text: String) {
        var text = text
        // Where standard error is closed there is nobody to tell.
        text.withUTF8 { _ = FileDescriptorWriter.write(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
    }
}
