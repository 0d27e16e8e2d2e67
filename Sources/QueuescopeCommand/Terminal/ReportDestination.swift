import FoundationEssentials
import Glibc

/// The destination of a report: a file, or standard output.
struct ReportDestination {
    /// Nil for standard output.
    let file: String?
    /// The option that names the file.
    private let option: String

    init(file: String?, option: String = "--output") {
        self.file = file == "-" ? nil : file
        self.option = option
    }

    /// Is the destination a terminal?
    var isTerminal: Bool { file == nil && isatty(STDOUT_FILENO) == 1 }

    /// The columns of the terminal; 100 when the destination is not a terminal.
    var width: Int { isTerminal ? Terminal.width(of: STDOUT_FILENO) ?? 100 : 100 }

    /// Is a text longer than the terminal? False when the destination is not a terminal.
    func isOverflowed(by text: String) -> Bool {
        guard isTerminal, let height = Terminal.height(of: STDOUT_FILENO) else { return false }
        return text.utf8.count { $0 == UInt8(ascii: "\n") } >= height
    }

    func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Writes everything or nothing. An existing file is replaced as a whole and keeps its permissions.
    ///
    /// - Throws: ``CommandFailure`` with the file and the reason.
    func write(_ bytes: [UInt8]) throws { try write { sink in try sink(bytes) } }

    /// The same for a text that is produced in pieces. The file is created at the first piece.
    ///
    /// - Parameter produce: passes the pieces to its argument, which must not be called later.
    /// - Throws: the errors of `produce`, and ``CommandFailure`` with the file and the reason.
    func write(_ produce: (_ sink: @escaping ([UInt8]) throws -> Void) throws -> Void) throws {
        guard let file else { return try produce { try $0.withUnsafeBytes(StandardOutput.write) } }
        do {
            // Devices and pipes, such as /dev/null, can be written but not replaced.
            if Self.isSpecial(file) {
                try Self.fill(file, flags: O_WRONLY, produce)
            } else {
                try Self.replace(file, produce)
            }
        } catch let error as WriteError {
            let reason = String(cString: strerror(error.code))
            throw CommandFailure(
                .cannotCreate,
                "cannot write \(file.isEmpty ? "''" : file): \(reason). Name another file with \(option)")
        }
    }

    private struct WriteError: Error {
        /// `errno`.
        let code: Int32
    }

    private typealias Producer = (_ sink: @escaping ([UInt8]) throws -> Void) throws -> Void

    private static func replace(_ file: String, _ produce: Producer) throws {
        if file.isEmpty || file.hasSuffix("/") { throw WriteError(code: file.isEmpty ? ENOENT : EISDIR) }
        let target = try Self.target(of: file)
        let folder = target.deletingLastPathComponent()
        // A file of the trace would be overwritten, and any other file would be read as one of its streams.
        guard !FileManager.default.fileExists(atPath: folder.appendingPathComponent("metadata").path) else {
            throw CommandFailure(
                .cannotCreate, "cannot write \(file): it is in a trace directory. Name a file outside of it")
        }
        // The temporary name is independent of the file's name, which may have the maximum length.
        let unfinished = folder.appendingPathComponent("queuescope.\(getpid()).unfinished").path
        do {
            try fill(unfinished, flags: O_WRONLY | O_CREAT | O_EXCL, produce)
            var present = stat()
            if stat(target.path, &present) == 0 { chmod(unfinished, present.st_mode & 0o7777) }
            guard rename(unfinished, target.path) == 0 else { throw WriteError(code: errno) }
        } catch {
            unlink(unfinished)
            throw error
        }
    }

    /// The file to write: the target of a symbolic link, which need not exist yet.
    private static func target(of file: String) throws -> URL {
        var target = URL(fileURLWithPath: file)
        for _ in 0..<40 {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target.path) else {
                return target
            }
            target = URL(fileURLWithPath: next, relativeTo: target.deletingLastPathComponent())
        }
        throw WriteError(code: ELOOP)
    }

    private static func fill(_ file: String, flags: Int32, _ produce: Producer) throws {
        var descriptor: Int32 = -1
        defer { if descriptor >= 0 { close(descriptor) } }
        func append(_ bytes: [UInt8]) throws {
            if descriptor < 0 { descriptor = open(file, flags | O_CLOEXEC, 0o666) }
            guard descriptor >= 0 else { throw WriteError(code: errno) }
            let code = bytes.withUnsafeBytes { FileDescriptorWriter.write($0, to: descriptor) }
            if let code { throw WriteError(code: code) }
        }
        try produce(append)
        // A text without pieces is an empty file.
        try append([])
        let complete = descriptor
        descriptor = -1
        guard close(complete) == 0 else { throw WriteError(code: errno) }
    }

    private static func isSpecial(_ file: String) -> Bool {
        var status = stat()
        return stat(file, &status) == 0 && status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
    }
}
