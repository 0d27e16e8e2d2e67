import CArenaLayout
import Glibc
import Synchronization

/// The arena of a recorder: a System V shared memory segment, which this process reads and does not change.
///
/// The recorder may write while this type reads. The segment has its full size while the type exists, so no reading can
/// fail.
final class ArenaMemory {
    private enum Source {
        /// The segment is attached to this process.
        case attached(UnsafeMutableRawPointer)
        /// The segment belongs to another IPC namespace, so the memory of the recording process is read: its descriptor
        /// and the address of the segment.
        case process(descriptor: Int32, address: UInt64)
    }

    private let source: Source
    /// Size in bytes.
    let size: Int
    /// The id of the segment.
    let identifier: Int32
    /// The user who owns the segment; nil when the memory of the process is read.
    let owner: uid_t?

    /// Attaches a segment of this IPC namespace; nil, with `errno`, when there is none, or when this process may not
    /// read it.
    init?(identifier: Int32) {
        var status = shmid_ds()
        guard shmctl(identifier, IPC_STAT, &status) == 0,
            let address = shmat(identifier, nil, SHM_RDONLY), Int(bitPattern: address) != -1
        else { return nil }
        (source, size) = (.attached(address), Int(status.shm_segsz))
        (self.identifier, owner) = (identifier, status.shm_perm.uid)
    }

    /// Opens a segment that a process has attached; nil when this process may not read its memory.
    init?(_ segment: AttachedSegment, of process: Int32) {
        let descriptor = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        source = .process(descriptor: descriptor, address: segment.range.lowerBound)
        size = segment.range.count
        (identifier, owner) = (segment.identifier, nil)
    }

    deinit {
        switch source {
        case .attached(let address): shmdt(address)
        case .process(let descriptor, _): close(descriptor)
        }
    }

    /// Removes the segment when no process has it attached any more.
    func remove() { shmctl(identifier, IPC_RMID, nil) }

    /// The head; nil when the memory is no arena of this version.
    var head: ArenaLayout.Head? { read(ArenaLayout.unit, at: 0)?.withUnsafeBytes { ArenaLayout.Head($0) } }

    /// The tables of the segments that have memory. The size of the arena is its limit, and most of it may never have
    /// been used: a page of that part would get memory by being read.
    func tables(_ head: ArenaLayout.Head) -> (chunks: [Int: [ArenaLayout.Chunk]], streams: [ArenaLayout.StreamRecord]) {
        var chunks: [Int: [ArenaLayout.Chunk]] = [:]
        var streams: [ArenaLayout.StreamRecord] = []
        for segment in 0..<min(Int(head.segments), size / ArenaLayout.segment) {
            guard let (found, records) = tables(of: segment) else { continue }
            for chunk in found { chunks[chunk.stream, default: []].append(chunk) }
            streams += records
        }
        return (chunks, streams)
    }

    /// The chunks and the streams in the tables of one segment.
    func tables(of segment: Int) -> (chunks: [ArenaLayout.Chunk], streams: [ArenaLayout.StreamRecord])? {
        let begin = segment * ArenaLayout.segment + ArenaLayout.tables.lowerBound
        return read(ArenaLayout.tables.count, at: begin)?.withUnsafeBytes { ArenaLayout.decode($0, segment: segment) }
    }

    /// Whether a chunk is still in its stream, so that the bytes that were read from it before are its events.
    func has(_ chunk: ArenaLayout.Chunk) -> Bool {
        atomicMemoryFence(ordering: .acquiring)
        return read(QS_CHUNK_SIZE, at: chunk.entry)?.withUnsafeBytes { chunk.has($0) } ?? false
    }

    /// Copies bytes; nil when they are outside of the memory, or when the process has ended.
    func read(_ count: Int, at offset: Int) -> [UInt8]? {
        guard count >= 0, offset >= 0, offset <= size - count else { return nil }
        switch source {
        case .attached(let address):
            return Array(UnsafeRawBufferPointer(start: address + offset, count: count))
        case .process(let descriptor, let address):
            var bytes = [UInt8](repeating: 0, count: count)
            let place = off_t(truncatingIfNeeded: address + UInt64(offset))
            return pread(descriptor, &bytes, count, place) == count ? bytes : nil
        }
    }
}

/// A System V shared memory segment in the address space of a process.
public struct AttachedSegment: Sendable {
    /// The id, which is unique in the IPC namespace of the process.
    public let identifier: Int32
    let range: Range<UInt64>

    /// The segments that a process has attached.
    ///
    /// - Parameter process: the process id.
    /// - Returns: nil, with `errno`, when there is no such process, or when it belongs to another user.
    public static func all(of process: Int32) -> [AttachedSegment]? {
        ProcText.read("/proc/\(process)/maps").map { $0.split(separator: "\n").compactMap(Self.init) }
    }

    /// Reads `begin-end rights offset device inode path`. The inode is the id, the path is `/SYSV` and the key.
    private init?(_ line: Substring) {
        let fields = line.split(separator: " ", maxSplits: 5)
        guard fields.count == 6, fields[5].drop(while: { $0 == " " }).hasPrefix("/SYSV"),
            UInt64(fields[2], radix: 16) == 0, let identifier = Int32(fields[4])
        else { return nil }
        let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
        guard ends.count == 2, ends[0] < ends[1] else { return nil }
        (self.identifier, range) = (identifier, ends[0]..<ends[1])
    }
}

/// A file of `/proc`, whose size is not known before it is read.
enum ProcText {
    /// The content; nil, with `errno`, when it cannot be read.
    static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return String(decoding: content, as: UTF8.self) }
            content += piece[..<count]
        }
    }
}
