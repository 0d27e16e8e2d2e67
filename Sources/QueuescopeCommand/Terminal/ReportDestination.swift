import Foundation

/// Where a report goes: a file, or standard output.
struct ReportDestination {
    /// Nil for standard output.
    let file: String?

    init(file: String?) { self.file = file == "-" ? nil : file }

    /// Whether a person reads it as it is written.
    var isTerminal: Bool { file == nil && isatty(STDOUT_FILENO) == 1 }

    /// Columns of the terminal, or of a page where there is none.
    var width: Int { isTerminal ? Terminal.width ?? 100 : 100 }

    func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Writes everything, or nothing: a file that is there already is replaced as a whole.
    ///
    /// - Throws: ``CommandFailure`` that names the file and what is wrong with it.
    func write(_ bytes: [UInt8]) throws {
        guard let file else { return try bytes.withUnsafeBytes(StandardOutput.write) }
        // Devices and pipes, such as /dev/null, take bytes but cannot be replaced.
        let code = Self.isSpecial(file) ? Self.fill(file, with: bytes, flags: O_WRONLY) : Self.replace(file, by: bytes)
        if let code {
            let reason = String(cString: strerror(code))
            throw CommandFailure(.cannotCreate, "cannot write \(file): \(reason). Name another file with --output")
        }
    }

    /// - Returns: nil when it is done, else `errno`.
    private static func replace(_ file: String, by bytes: [UInt8]) -> Int32? {
        let unfinished = file + ".\(getpid()).unfinished"
        let code =
            fill(unfinished, with: bytes, flags: O_WRONLY | O_CREAT | O_EXCL)
            ?? (rename(unfinished, file) == 0 ? nil : errno)
        if code != nil { unlink(unfinished) }
        return code
    }

    private static func fill(_ file: String, with bytes: [UInt8], flags: Int32) -> Int32? {
        let descriptor = open(file, flags | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return errno }
        let code = bytes.withUnsafeBytes { FileDescriptorWriter.write($0, to: descriptor) }
        return close(descriptor) == 0 ? code : code ?? errno
    }

    private static func isSpecial(_ file: String) -> Bool {
        var status = stat()
        return stat(file, &status) == 0 && status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
    }
}
