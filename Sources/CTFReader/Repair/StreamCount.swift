import Glibc

/// The number of stream files of a trace and the size of all files, which the recorder writes into the metadata. With
/// them the reader detects a file that was removed or truncated later.
///
/// `metadata.c` of `CTraceRecorder` reserves space for any number, and writes 0 until the files are complete.
enum StreamCount {
    /// The environment block ends within this number of bytes.
    private static let headSize = 4096

    /// Writes the numbers into the reserved space of the metadata. Metadata without the fields is not changed.
    ///
    /// A failed write is ignored, because the trace is complete without the numbers.
    ///
    /// - Parameters:
    ///   - count: number of stream files.
    ///   - bytes: total size of the files.
    ///   - trace: the directory of the trace.
    static func write(_ count: Int, bytes: Int, in trace: String) {
        let descriptor = open("\(trace)/metadata", O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: headSize)
        let size = pread(descriptor, &head, headSize, 0)
        guard size > 0 else { return }
        for (name, digits, number) in [("streams", 5, count), ("stream_bytes", 15, bytes)] {
            let text = Array(String(number).utf8)
            guard text.count <= digits,
                let place = head[..<size].firstRange(of: Array("\t\(name) = ".utf8))?.upperBound, place + digits < size,
                head[place + digits] == UInt8(ascii: ";")
            else { continue }
            let padded = Array(repeating: UInt8(ascii: " "), count: digits - text.count) + text
            pwrite(descriptor, padded, digits, off_t(place))
        }
    }
}
