import Glibc

/// Reads parts of a mapped file with `pread`. This is faster than the mapped pages for a part that is read once,
/// because the kernel maps and unmaps pages one by one.
final class FileReader {
    private let descriptor: Int32
    /// Number of bytes that may be read from the file.
    private let end: Int

    /// Nil when the file cannot be opened, or when the path now belongs to another file.
    init?(_ file: MappedFile) {
        end = file.fileEnd
        descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0, file.isSame(as: descriptor) else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Reads a part.
    ///
    /// - Parameters:
    ///   - part: the range of bytes.
    ///   - memory: receives the bytes.
    /// - Returns: false when the bytes cannot be read, or are not in the file.
    func read(_ part: Range<Int>, into memory: UnsafeMutableRawPointer) -> Bool {
        guard part.upperBound <= end else { return false }
        var done = 0
        while done < part.count {
            let count = pread(descriptor, memory + done, part.count - done, part.lowerBound + done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}
