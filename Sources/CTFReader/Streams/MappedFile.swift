import Glibc
import Synchronization

/// A file whose bytes are mapped into memory, followed by zeros.
///
/// A file must not become shorter while it is mapped.
final class MappedFile: @unchecked Sendable {
    let path: String
    let name: String
    /// Size of the file in bytes.
    let count: Int
    /// The file's first byte, of a copied part that from which its offsets count; a whole page can be read after the
    /// last one.
    let bytes: UnsafeRawPointer
    /// Nil where the bytes are a copy.
    private let mapped: UnsafeMutableRawBufferPointer?
    /// Which file it is on this machine.
    private let (device, inode): (UInt64, UInt64)
    private let packetIndex = Mutex<PacketIndex?>(nil)
    private let packetHead = Mutex<FirstPacket??>(nil)

    static let page = 4096

    /// Maps a regular file.
    ///
    /// - Returns: nil when the path is something other than a regular file.
    init?(path: String, name: String) throws(CTFError) {
        func failure(_ verb: String) -> CTFError { .system(path, "The file cannot be \(verb)") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure("opened") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("examined") }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.path = path
        self.name = name
        count = Int(status.st_size)
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
        // Reserve the pages with one more behind them, so that loads of whole words near the end stay inside.
        let mappedCount = (count / Self.page + 2) * Self.page
        let reserved = mmap(nil, mappedCount, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let reserved, reserved != MAP_FAILED else { throw failure("mapped into memory") }
        mapped = UnsafeMutableRawBufferPointer(start: reserved, count: mappedCount)
        bytes = UnsafeRawPointer(reserved)
        if count > 0, mmap(reserved, count, PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor, 0) == MAP_FAILED {
            let error = failure("mapped into memory")
            munmap(reserved, mappedCount)
            throw error
        }
        madvise(reserved, mappedCount, MADV_SEQUENTIAL)
    }

    /// A part of a file in other memory; all its other bytes must be left alone, and the memory stay as long.
    ///
    /// - Parameters:
    ///   - part: the part, as offsets of bytes.
    ///   - file: the file.
    ///   - copy: the bytes of the part, and a page of zeros.
    init(_ part: Range<Int>, of file: MappedFile, copy: UnsafeRawPointer) {
        (path, name, device, inode) = (file.path, file.name, file.device, file.inode)
        count = part.upperBound
        bytes = copy - part.lowerBound
        mapped = nil
    }

    deinit {
        if let mapped { munmap(mapped.baseAddress, mapped.count) }
    }

    /// Whether a descriptor is of this file.
    func isSame(as descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
    }

    /// The packets of the file, which are looked for once.
    func packets(of trace: TracePlan) -> PacketIndex {
        packetIndex.withLock { known in
            if let known { return known }
            let index = PacketIndex(self, trace)
            known = index
            return index
        }
    }

    /// The file's first packet, which is looked at once; nil when there is none that can be read.
    func firstPacket(of trace: TracePlan) -> FirstPacket? {
        packetHead.withLock { known in
            if let known { return known }
            let packet = FirstPacket(of: self, in: trace)
            known = .some(packet)
            return packet
        }
    }

    /// Gives the memory of pages back that have been read; they are read from the file again when they are used again.
    func release(_ range: Range<Int>) {
        guard let mapped = mapped?.baseAddress else { return }
        let lower = range.lowerBound / Self.page * Self.page
        let upper = range.upperBound / Self.page * Self.page
        if upper > lower { madvise(mapped + lower, upper - lower, MADV_DONTNEED) }
    }

    /// The first byte from an offset on that is not zero, nil when there is none.
    func firstNonZero(from start: Int) -> Int? {
        var offset = start
        while offset < count, offset % 8 != 0 {
            if bytes.load(fromByteOffset: offset, as: UInt8.self) != 0 { return offset }
            offset += 1
        }
        // The bytes behind the file are zero and may be read.
        while offset < count, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) == 0 { offset += 8 }
        while offset < count {
            if bytes.load(fromByteOffset: offset, as: UInt8.self) != 0 { return offset }
            offset += 1
        }
        return nil
    }
}
