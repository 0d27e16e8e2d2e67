import Glibc

/// Reads parts of a file that is mapped, where that is faster than to use its pages: the kernel maps and unmaps them
/// one by one.
final class FileReader {
    private let descriptor: Int32

    /// Nil when the file cannot be opened any more, or is another one by now.
    init?(_ file: MappedFile) {
        descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0, file.isSame(as: descriptor) else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Reads a part.
    ///
    /// - Parameters:
    ///   - part: offsets of the first byte and of that behind the last.
    ///   - memory: gets the bytes.
    /// - Returns: false when they cannot be read.
    func read(_ part: Range<Int>, into memory: UnsafeMutableRawPointer) -> Bool {
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
