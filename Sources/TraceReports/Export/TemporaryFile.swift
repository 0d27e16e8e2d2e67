import FoundationEssentials
import Glibc

/// A file without a name in the directory for temporary files, which goes with its last user.
final class TemporaryFile {
    /// Where it is: `TMPDIR` names another place.
    static var directory: String { FileManager.default.temporaryDirectory.path }

    /// What to throw when a call on one has failed, with the reason in `errno`.
    static func failure(_ verb: String) -> TemporaryFileError {
        let reason = String(cString: strerror(errno))
        return TemporaryFileError(
            description: "cannot \(verb) \(directory): \(reason). Name another directory in TMPDIR")
    }

    /// Closed with this object.
    let descriptor: Int32

    /// Makes an empty file; nil, with the reason in `errno`, when that fails.
    init?() {
        var path = Array((Self.directory + "/queuescope-XXXXXX").utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(path)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends the bytes; false, with the reason in `errno`, when that fails.
    func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
            }
            return true
        }
    }

    /// Reads and writes from the start from now on; false when that fails.
    func rewind() -> Bool { lseek(descriptor, 0, SEEK_SET) == 0 }

    /// The next bytes, none at the end; nil, with the reason in `errno`, when that fails.
    func read(upTo count: Int) -> [UInt8]? {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
            let got = Glibc.read(descriptor, buffer.baseAddress, count)
            failed = got < 0
            size = max(got, 0)
        }
        return failed ? nil : bytes
    }
}

/// Why something could not be kept in a temporary file.
public struct TemporaryFileError: Error, CustomStringConvertible {
    /// One sentence with the place and what to do.
    public let description: String
}
