import Glibc

/// Read-only bytes at a fixed address: a mapped file, or a copy of bytes.
///
/// The pointer is valid as long as the object exists. A file must not be truncated while it is mapped.
final class ReadOnlyBytes: @unchecked Sendable {
    // Safe to share: the bytes are never written after `init`.
    let bytes: UnsafeRawBufferPointer
    private let isMapped: Bool
    /// The owner of the bytes when they are a part of other bytes.
    private let whole: ReadOnlyBytes?

    /// Maps a regular file; nil when the file cannot be read or is empty.
    init?(path: String) {
        // A pipe would block `open` without O_NONBLOCK.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
            let size = Int(exactly: status.st_size),
            let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), start != MAP_FAILED
        else { return nil }
        bytes = UnsafeRawBufferPointer(start: start, count: size)
        isMapped = true
        whole = nil
    }

    /// Copies bytes.
    init(_ content: some Collection<UInt8>) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: content.count, alignment: 16)
        copy.copyBytes(from: content)
        bytes = UnsafeRawBufferPointer(copy)
        isMapped = false
        whole = nil
    }

    /// Takes the ownership of allocated memory.
    init(owning memory: UnsafeMutableRawBufferPointer) {
        bytes = UnsafeRawBufferPointer(memory)
        isMapped = false
        whole = nil
    }

    /// A part of other bytes.
    init(part: UnsafeRawBufferPointer, of whole: ReadOnlyBytes) {
        bytes = part
        isMapped = false
        self.whole = whole
    }

    deinit {
        if whole != nil { return }
        if isMapped {
            munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
        } else {
            bytes.deallocate()
        }
    }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(bytes) }
    }
}
