import Glibc

/// The file that could not be copied.
public struct TraceSnapshotError: Error {
    /// The file or directory.
    public let file: String
    /// `errno`.
    public let code: Int32
    /// Whether the file belongs to the copy.
    public let isOfTarget: Bool
}

/// Copies the trace of a process that still records. The original is not changed.
///
/// ```
///                                    end
/// original   ├ packet ┼ packet ┼ packet ┼ packet ┤ events in memory, and a packet that is being written
/// copy       ├ packet ┼ packet ┼ pack┤
/// ```
///
/// The recorder only appends packets, so a file has whole packets up to its last one. It writes the streams one after
/// the other, so the copy leaves out the events after the time at which the recorder was asked to write them.
/// Definitions have no end, and their size is read last, because the events refer to them.
public enum TraceSnapshot {
    private static let definitions = "definitions"
    private static let block = 1 << 20

    private struct File {
        let name: String
        let descriptor: Int32
        var size = 0
    }

    /// Copies the part of a trace that is in its files.
    ///
    /// - Parameters:
    ///   - trace: the directory of the trace.
    ///   - target: the directory to create, or an empty directory.
    ///   - end: the last clock value of the copy; nil to copy everything.
    /// - Throws: ``TraceSnapshotError``; the copy is then removed.
    /// - Complexity: O(bytes of the trace).
    public static func copy(
        _ trace: String, to target: String, until end: UInt64? = nil
    ) throws(TraceSnapshotError) {
        // A flight recorder overwrites nothing while the lock is held.
        guard let lock = ReaderLock(path: trace) else {
            throw TraceSnapshotError(file: "\(trace)/metadata", code: errno, isOfTarget: false)
        }
        defer { withExtendedLifetime(lock) {} }
        var files = try open(trace)
        defer { for file in files { close(file.descriptor) } }
        for index in files.indices { files[index].size = size(of: files[index].descriptor) }
        guard mkdir(target, 0o700) == 0 || errno == EEXIST else {
            throw TraceSnapshotError(file: target, code: errno, isOfTarget: true)
        }
        do throws(TraceSnapshotError) {
            try copy(files, from: trace, to: target, until: end)
        } catch {
            for file in files { unlink("\(target)/\(file.name)") }
            rmdir(target)
            throw error
        }
    }

    /// Opens the files of a trace, the definitions last. Files that the recorder created in advance are empty.
    private static func open(_ trace: String) throws(TraceSnapshotError) -> [File] {
        let names = (TraceDirectory.names(in: trace) ?? []).filter { !$0.hasPrefix(".") }
        var files: [File] = []
        for name in names.sorted(by: { (isDefinitions($0) ? 1 : 0, $0) < (isDefinitions($1) ? 1 : 0, $1) }) {
            let descriptor = Glibc.open("\(trace)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else {
                let code = errno
                for file in files { close(file.descriptor) }
                throw TraceSnapshotError(file: "\(trace)/\(name)", code: code, isOfTarget: false)
            }
            files.append(File(name: name, descriptor: descriptor))
        }
        return files
    }

    private static func isDefinitions(_ name: String) -> Bool { name.hasPrefix(definitions) }

    private static func size(of descriptor: Int32) -> Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0
    }

    /// Whether a flight recorder has overwritten all events before the end of the copy since then. The copy then has
    /// the newest events instead.
    private static func isOverwritten(_ end: UInt64, in files: [File]) -> Bool {
        guard let file = files.first(where: { $0.name == OverwrittenTime.file }) else { return false }
        var head = [UInt8](repeating: 0, count: ArenaLayout.packetHead)
        guard pread(file.descriptor, &head, head.count, 0) == head.count else { return false }
        return head.withUnsafeBytes {
            $0.number(ArenaLayout.Packet.number, UInt64.self) > 0 && $0.number(ArenaLayout.Packet.begin) >= end
        }
    }

    private static func copy(
        _ files: [File], from trace: String, to target: String, until end: UInt64?
    ) throws(TraceSnapshotError) {
        let end = end.flatMap { isOverwritten($0, in: files) ? nil : $0 }
        // Invalid metadata is reported when the copy is read.
        let cut = end.flatMap { try? StreamCut(of: trace, after: $0) }
        var (streams, bytes) = (0, 0)
        for file in files {
            let isMetadata = file.name == "metadata"
            var end = isMetadata ? file.size : endOfPackets(in: file)
            guard end > 0 else { continue }
            let path = "\(target)/\(file.name)"
            try copy(file, upTo: end, from: trace, to: path)
            if let cut, !isMetadata, !isDefinitions(file.name), file.name != OverwrittenTime.file {
                guard let rest = cut.apply(to: path, name: file.name) else {
                    throw TraceSnapshotError(file: path, code: errno, isOfTarget: true)
                }
                end = rest
            }
            guard end > 0, !isMetadata, isCounted(file.name) else { continue }
            bytes += end
            if file.name != definitions { streams += 1 }
        }
        StreamCount.write(streams, bytes: bytes, in: target)
    }

    /// Whether the metadata counts the stream: it does not count the streams of a second recorder, and the time until
    /// which events were overwritten.
    private static func isCounted(_ name: String) -> Bool {
        let number = name.split(separator: "-").last.flatMap { Int($0) } ?? 0
        return name != "definitions-of-library" && name != OverwrittenTime.file
            && number < ArenaLayout.firstStreamOfLibrary
    }

    /// The end of the last whole packet.
    private static func endOfPackets(in file: File) -> Int {
        var (end, head) = (0, [UInt8](repeating: 0, count: ArenaLayout.packetHead))
        while end + head.count <= file.size, pread(file.descriptor, &head, head.count, off_t(end)) == head.count {
            let (magic, bits) = head.withUnsafeBytes {
                ($0.number(0, UInt32.self), $0.number(ArenaLayout.Packet.packetSize, UInt64.self))
            }
            guard magic == ArenaLayout.Packet.magic, bits % 8 == 0, bits / 8 >= UInt64(head.count),
                bits / 8 <= UInt64(file.size - end)
            else { break }
            end += Int(bits / 8)
        }
        return end
    }

    /// Copies the data of a file and keeps its holes: the overwritten part of a flight recorder's file.
    private static func copy(
        _ file: File, upTo end: Int, from trace: String, to target: String
    ) throws(TraceSnapshotError) {
        let descriptor = Glibc.open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw TraceSnapshotError(file: target, code: errno, isOfTarget: true) }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: block)
        var position = 0
        while position < end {
            let begin = nextData(in: file.descriptor, from: position, end: end)
            guard begin < end else { break }
            position = begin
            let count = pread(file.descriptor, &buffer, min(block, end - position), off_t(position))
            guard count > 0 else {
                throw TraceSnapshotError(
                    file: "\(trace)/\(file.name)", code: count < 0 ? errno : EIO, isOfTarget: false)
            }
            let written = pwrite(descriptor, buffer, count, off_t(position))
            guard written == count else {
                throw TraceSnapshotError(file: target, code: written < 0 ? errno : ENOSPC, isOfTarget: true)
            }
            position += count
        }
        guard ftruncate(descriptor, off_t(end)) == 0 else {
            throw TraceSnapshotError(file: target, code: errno, isOfTarget: true)
        }
    }

    /// The position of the next data, `end` when only a hole follows.
    private static func nextData(in descriptor: Int32, from position: Int, end: Int) -> Int {
        let seekData: Int32 = 3  // SEEK_DATA
        let data = lseek(descriptor, off_t(position), seekData)
        if data >= 0 { return min(Int(data), end) }
        return errno == ENXIO ? end : position
    }
}
