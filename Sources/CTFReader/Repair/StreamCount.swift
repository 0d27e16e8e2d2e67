import Glibc

/// How many streams of a trace have a file, as the recorder tells it in the metadata: by this a file that is missing
/// later is missed.
///
/// `metadata.c` of `CTraceRecorder` leaves room for any number, and writes 0 until its files are complete.
enum StreamCount {
    private static let name = Array("\tstreams = ".utf8)
    private static let digits = 5
    /// The environment block ends before this.
    private static let headSize = 4096

    /// Writes it into the metadata, in its place; into those of a recorder that does not tell it, nothing.
    ///
    /// That it cannot be written is no failure: the trace is whole without it.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - trace: the trace's directory.
    static func tell(_ count: Int, in trace: String) {
        let text = String(count)
        let descriptor = open("\(trace)/metadata", O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: headSize)
        let size = pread(descriptor, &head, headSize, 0)
        guard text.utf8.count <= digits, size > 0,
            let place = head[..<size].firstRange(of: name)?.upperBound, place + digits < size,
            head[place + digits] == UInt8(ascii: ";")
        else { return }
        let number = Array(repeating: UInt8(ascii: " "), count: digits - text.utf8.count) + Array(text.utf8)
        pwrite(descriptor, number, digits, off_t(place))
    }
}
