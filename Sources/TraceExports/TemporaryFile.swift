import FoundationEssentials
import Glibc

/// Stores bytes until they are copied, in an unnamed file that is removed with this object. The file is in the
/// directory for temporary files, which `TMPDIR` can set.
public final class TemporaryFile {
    private static let pieceSize = 1 << 20

    private let descriptor: Int32

    /// Creates an empty file.
    ///
    /// - Throws: ``TemporaryFileError`` when the file cannot be created.
    public init() throws(TemporaryFileError) {
        var path = Array((Self.directory + "/queuescope-XXXXXX").utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw Self.failure("write to") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(path)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends bytes.
    ///
    /// - Parameter bytes: the next bytes.
    /// - Throws: ``TemporaryFileError`` when they cannot be written.
    public func append(_ bytes: [UInt8]) throws(TemporaryFileError) {
        let isWritten = bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
            }
            return true
        }
        guard isWritten else { throw Self.failure("write to") }
    }

    /// Passes all bytes to `sink`, in order.
    ///
    /// - Parameter sink: takes the next bytes.
    /// - Throws: the error of `sink`, and ``TemporaryFileError`` when the bytes cannot be read.
    public func copy(to sink: ([UInt8]) throws -> Void) throws {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Self.failure("read from") }
        while true {
            var count = 0
            let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, size in
                count = read(descriptor, buffer.baseAddress, buffer.count)
                size = max(count, 0)
            }
            guard count >= 0 else { throw Self.failure("read from") }
            if piece.isEmpty { return }
            try sink(piece)
        }
    }

    private static var directory: String { FileManager.default.temporaryDirectory.path }

    /// The error for a failed call, with the reason in `errno`.
    private static func failure(_ verb: String) -> TemporaryFileError {
        let reason = String(cString: strerror(errno))
        return TemporaryFileError(
            description: "cannot \(verb) \(directory): \(reason). Name another directory in TMPDIR")
    }
}

/// The reason why a temporary file cannot be used.
public struct TemporaryFileError: Error, CustomStringConvertible {
    /// One sentence with the place and the remedy.
    public let description: String
}

/// Bytes that are stored until they are copied: in memory up to 1 MiB, and beyond that in a temporary file.
struct ByteSpool {
    private static let bufferSize = 1 << 20

    private var file: TemporaryFile?
    private var buffer: [UInt8] = []
    private var failure: TemporaryFileError?

    /// Appends bytes. Does nothing after a failure, which ``copy(to:)`` throws.
    ///
    /// - Parameter fill: appends to its argument.
    mutating func append(_ fill: (inout [UInt8]) -> Void) {
        guard failure == nil else { return }
        fill(&buffer)
        if buffer.count >= Self.bufferSize { flush() }
    }

    private mutating func flush() {
        do throws(TemporaryFileError) {
            if file == nil { file = try TemporaryFile() }
            try file?.append(buffer)
        } catch {
            failure = error
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Passes all bytes to `sink`, in order. May be called several times.
    ///
    /// - Parameter sink: takes the next bytes.
    /// - Throws: the error of `sink`, and ``TemporaryFileError`` when bytes could not be stored.
    mutating func copy(to sink: ([UInt8]) throws -> Void) throws {
        if failure == nil, file != nil { flush() }
        if let failure { throw failure }
        if let file { try file.copy(to: sink) } else { try sink(buffer) }
    }
}
