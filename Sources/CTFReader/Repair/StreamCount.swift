import Glibc

/// How many streams of a trace have a file, and how large these and the definitions are together, as the recorder tells
/// it in the metadata: by this a file is missed that is removed later, or whose end is cut off.
///
/// `metadata.c` of `CTraceRecorder` leaves room for any number, and writes 0 until its files are complete.
enum StreamCount {
    /// The environment block ends before this.
    private static let headSize = 4096

    /// Writes it into the metadata, in its place; into those of a recorder that does not tell it, nothing.
    ///
    /// That it cannot be written is no failure: the trace is whole without it.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - bytes: the size of the files.
    ///   - trace: the trace's directory.
    static func tell(_ count: Int, bytes: Int, in trace: String) {
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
