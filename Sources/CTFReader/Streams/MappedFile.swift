import Glibc
import Synchronization

/// A file that is mapped into memory. At least one page of zeros follows its bytes.
///
/// The file must not be truncated while it is mapped.
final class MappedFile: @unchecked Sendable {
    let path: String
    let name: String
    /// Size of the stream in bytes: of the file, and of a tail in the memory of its recorder.
    let count: Int
    /// Number of bytes that are in the file.
    let fileEnd: Int
    /// The results of earlier readings of this stream, for a trace that is being recorded; nil for other traces.
    let memory: StreamMemory?
    /// The address of the file's first byte; for a copied part, the address that its file offsets are relative to. A
    /// whole page is readable after the last byte.
    let bytes: UnsafeRawPointer
    /// The mapping; nil when the bytes are a copy.
    private let mapped: UnsafeMutableRawBufferPointer?
    /// The first pages up to this offset have a head that is not in the file; 0 when there is none.
    private let changedEnd: Int
    /// The identity of the file.
    private let (device, inode): (UInt64, UInt64)
    private let packetIndex = Mutex<PacketIndex?>(nil)
    private let packetHead = Mutex<FirstPacket??>(nil)

    static let page = 4096

    /// Maps a regular file.
    ///
    /// - Parameters:
    ///   - path: the file. With a tail, it need not exist.
    ///   - name: the name of the file in its trace.
    ///   - tail: the end of the stream, which replaces the end of the file; nil to map the whole file.
    ///   - memory: the results of earlier readings of the stream.
    /// - Returns: nil when the path is not a regular file, or when the recorder has removed it.
    init?(path: String, name: String, tail: ArenaTail? = nil, memory: StreamMemory? = nil) throws(CTFError) {
        func failure(_ verb: String) -> CTFError { .system(path, "The file cannot be \(verb)") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        let isAbsent = descriptor < 0 && errno == ENOENT && tail != nil
        var status = stat()
        if descriptor < 0, !isAbsent {
            // A link whose target is missing is an error.
            let reason = errno
            let isLink = lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
            if reason == ENOENT, !isLink { return nil }
            errno = reason
            throw failure("opened")
        }
        defer { if descriptor >= 0 { close(descriptor) } }
        if !isAbsent {
            guard fstat(descriptor, &status) == 0 else { throw failure("examined") }
            guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        }
        self.path = path
        self.name = name
        self.memory = memory
        let size = Int(status.st_size)
        let fileEnd = min(tail?.fileEnd ?? size, size)
        self.fileEnd = fileEnd
        // A tail continues the file only at its place.
        let packets = tail.map { fileEnd == $0.fileEnd ? $0.packets : [] } ?? []
        count = fileEnd + packets.count
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
        // Reserve one more page, so that loads of whole words near the end stay inside the mapping.
        let mappedCount = (count / Self.page + 2) * Self.page
        // A tail is written into private pages over the end of the file.
        let access = tail == nil ? PROT_READ : PROT_READ | PROT_WRITE
        let reserved = mmap(nil, mappedCount, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let reserved, reserved != MAP_FAILED else { throw failure("mapped into memory") }
        mapped = UnsafeMutableRawBufferPointer(start: reserved, count: mappedCount)
        bytes = UnsafeRawPointer(reserved)
        if fileEnd > 0, mmap(reserved, fileEnd, access, MAP_PRIVATE | MAP_FIXED, descriptor, 0) == MAP_FAILED {
            let error = failure("mapped into memory")
            munmap(reserved, mappedCount)
            throw error
        }
        madvise(reserved, mappedCount, MADV_SEQUENTIAL)
        let hidingHead = fileEnd == tail?.fileEnd ? tail?.hidingHead ?? [] : []
        changedEnd = hidingHead.isEmpty ? 0 : Self.page
        guard tail != nil else { return }
        packets.withUnsafeBytes { (reserved + fileEnd).copyMemory(from: $0.baseAddress ?? bytes, byteCount: $0.count) }
        if hidingHead.count <= fileEnd {
            hidingHead.withUnsafeBytes { reserved.copyMemory(from: $0.baseAddress ?? bytes, byteCount: $0.count) }
        }
        // The last page of the file may have newer bytes, which are in no packet of this reading.
        let lastPage = (fileEnd / Self.page + 1) * Self.page
        if count < lastPage { memset(reserved + count, 0, lastPage - count) }
    }

    /// Represents a part of a file that was copied to other memory. Only the bytes of the part may be read, and the
    /// memory must outlive this object.
    ///
    /// - Parameters:
    ///   - part: the range of bytes in the file.
    ///   - file: the file.
    ///   - copy: the bytes of the part, followed by a page of zeros.
    init(_ part: Range<Int>, of file: MappedFile, copy: UnsafeRawPointer) {
        (path, name, device, inode) = (file.path, file.name, file.device, file.inode)
        count = part.upperBound
        fileEnd = count
        memory = nil
        bytes = copy - part.lowerBound
        mapped = nil
        changedEnd = 0
    }

    deinit {
        if let mapped { munmap(mapped.baseAddress, mapped.count) }
    }

    /// Whether a descriptor refers to this file.
    func isSame(as descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
    }

    /// The index of the file's packets. It is created once.
    func packets(of trace: TracePlan) -> PacketIndex {
        packetIndex.withLock { known in
            if let known { return known }
            let index = memory?.index(of: self, in: trace) ?? PacketIndex(self, trace)
            known = index
            return index
        }
    }

    /// The first packet of the file, which is read once; nil when no packet can be read.
    func firstPacket(of trace: TracePlan) -> FirstPacket? {
        packetHead.withLock { known in
            if let known { return known }
            let packet = FirstPacket(of: self, in: trace)
            known = .some(packet)
            return packet
        }
    }

    /// Releases the memory of pages. The kernel reads them from the file again on the next access. The pages of a tail
    /// are not in the file and stay.
    func release(_ range: Range<Int>) {
        guard let mapped = mapped?.baseAddress else { return }
        let lower = max(range.lowerBound / Self.page * Self.page, changedEnd)
        let upper = min(range.upperBound, fileEnd) / Self.page * Self.page
        if upper > lower { madvise(mapped + lower, upper - lower, MADV_DONTNEED) }
    }

    /// The offset of the first non-zero byte at or after an offset; nil when there is none.
    func firstNonZero(from start: Int) -> Int? {
        var offset = start
        while offset < count, offset % 8 != 0 {
            if bytes.load(fromByteOffset: offset, as: UInt8.self) != 0 { return offset }
            offset += 1
        }
        // The bytes after the end of the file are zero and readable.
        while offset < count, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) == 0 { offset += 8 }
        while offset < count {
            if bytes.load(fromByteOffset: offset, as: UInt8.self) != 0 { return offset }
            offset += 1
        }
        return nil
    }
}
