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
/// original   ├ packet ┼ packet ┼ packet ┤ events in memory, and a packet that is being written
/// copy       ├ packet ┼ packet ┼ packet ┤
/// ```
///
/// The recorder only appends packets, so a file has whole packets up to its last one. The sizes of all files are read
/// before the first file is copied, which keeps the streams at one instant except for a few milliseconds. The size of
/// the definitions is read last, because the events refer to them.
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
    /// - Throws: ``TraceSnapshotError``; the copy is then removed.
    /// - Complexity: O(bytes of the trace).
    public static func copy(_ trace: String, to target: String) throws(TraceSnapshotError) {
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
            try copy(files, from: trace, to: target)
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

    private static func copy(_ files: [File], from trace: String, to target: String) throws(TraceSnapshotError) {
        var (streams, bytes) = (0, 0)
        for file in files {
            let isMetadata = file.name == "metadata"
            let end = isMetadata ? file.size : endOfPackets(in: file)
            guard end > 0 else { continue }
            try copy(file, upTo: end, from: trace, to: "\(target)/\(file.name)")
            guard !isMetadata, isCounted(file.name) else { continue }
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
