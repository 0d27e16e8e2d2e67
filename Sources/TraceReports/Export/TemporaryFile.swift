import FoundationEssentials
import Glibc

/// Keeps bytes until they can be copied, in a file without a name that goes with this object. It is in the directory
/// for temporary files, which `TMPDIR` names.
public final class TemporaryFile {
    private static let pieceSize = 1 << 20

    private let descriptor: Int32

    /// An empty file.
    ///
    /// - Throws: ``TemporaryFileError`` when there is no room for temporary files.
    public init() throws(TemporaryFileError) {
        var path = Array((Self.directory + "/queuescope-XXXXXX").utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw Self.failure("write to") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(path)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Keeps the bytes.
    ///
    /// - Parameter bytes: the next bytes.
    /// - Throws: ``TemporaryFileError`` when they cannot be kept.
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

    /// Hands everything that was kept to `sink`, in order.
    ///
    /// - Parameter sink: takes the next bytes.
    /// - Throws: what `sink` throws, and ``TemporaryFileError`` when the bytes cannot be read.
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

    /// What to throw when a call has failed, with the reason in `errno`.
    private static func failure(_ verb: String) -> TemporaryFileError {
        let reason = String(cString: strerror(errno))
        return TemporaryFileError(
            description: "cannot \(verb) \(directory): \(reason). Name another directory in TMPDIR")
    }
}

/// Why something could not be kept in a temporary file.
public struct TemporaryFileError: Error, CustomStringConvertible {
    /// One sentence with the place and what to do.
    public let description: String
}
