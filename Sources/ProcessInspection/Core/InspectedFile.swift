import Glibc

/// A regular file of which parts are read: a core file, or an executable or library that a core file refers to.
///
/// The file may be truncated or replaced while it is read, so it is not mapped into memory.
final class InspectedFile {
    let path: String
    let size: UInt64
    private let descriptor: Int32

    /// Opens a file.
    ///
    /// - Parameter path: the path of the file.
    /// - Throws: ``InspectionError`` when it cannot be opened, or when it is not a regular file.
    init(_ path: String) throws(InspectionError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw InspectionError(code: .unreadableFile, sentence: "cannot read \(path): \(SystemError.text(errno))")
        }
        // A core file can name any path. Opening a device can have an effect, and opening a FIFO blocks.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw InspectionError(code: .unreadableFile, sentence: "\(path) is not a file")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw InspectionError(code: .unreadableFile, sentence: "cannot read \(path): \(SystemError.text(errno))")
        }
        self.path = path
        self.descriptor = descriptor
        size = UInt64(max(0, status.st_size))
    }

    deinit { close(descriptor) }

    /// Copies a part of the file into a buffer.
    ///
    /// - Parameters:
    ///   - offset: the offset in the file of the first byte.
    ///   - buffer: the destination.
    /// - Returns: the number of bytes that could be read.
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let start = off_t(exactly: offset), let address = buffer.baseAddress else { return 0 }
        while true {
            let count = pread(descriptor, address, buffer.count, start)
            if count < 0, errno == EINTR { continue }
            return max(0, count)
        }
    }

    /// The bytes at an offset; fewer when the file ends before.
    func bytes(at offset: UInt64, count: Int) -> [UInt8] {
        let present = Int(clamping: offset < size ? size - offset : 0)
        return [UInt8](unsafeUninitializedCapacity: max(0, min(count, present))) { buffer, read in
            read = self.read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }
}

extension [UInt8] {
    /// The little-endian integer at an offset; nil when it is not inside.
    func integer<Value: FixedWidthInteger>(at offset: Int, as type: Value.Type = Value.self) -> Value? {
        guard offset >= 0, offset <= count - MemoryLayout<Value>.size else { return nil }
        return withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Value.self)) }
    }
}
