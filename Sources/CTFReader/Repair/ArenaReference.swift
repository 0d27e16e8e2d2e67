import Glibc

/// The file of a trace that names the arena of its recorder:
///
/// ```
/// shm 4711
/// boot 5f0c7b1e-9d53-4a8c-9e55-0c6e0f6d2f5b
/// ipc 4026531839
/// ```
///
/// The first line has the id of the shared memory segment, the others identify the system of the id. A recorder holds a
/// lock on the file while its process lives. The file has an open descriptor while the value exists.
final class ArenaReference {
    /// The files of the recorder, and of a second recorder in the process.
    static let names = [".arena", ".arena-of-library"]

    private let descriptor: Int32
    /// The path of the file.
    let file: String
    /// The id of the shared memory segment.
    let identifier: Int32
    let origin: ArenaOrigin

    /// Reads a file.
    ///
    /// - Parameter file: its path.
    /// - Returns: nil when there is no such file, or when the process was killed before it wrote the name.
    init?(_ file: String) throws(CTFError) {
        guard let descriptor = try Self.open(file) else { return nil }
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = read(descriptor, &buffer, buffer.count)
        let lines = String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let words = lines.first?.split(separator: " ") ?? []
        guard count != 0, words.count == 2, words[0] == "shm", let identifier = Int32(words[1]), identifier >= 0 else {
            close(descriptor)
            if count == 0 { return nil }
            throw Self.error(about: file, lines.first ?? "")
        }
        (self.descriptor, self.file) = (descriptor, file)
        (self.identifier, origin) = (identifier, ArenaOrigin(lines.dropFirst()))
    }

    private static func open(_ file: String) throws(CTFError) -> Int32? {
        let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        var descriptor = Glibc.open(file, O_RDWR | flags)
        // A reader that may not write can still test the lock.
        if descriptor < 0, errno == EACCES || errno == EROFS { descriptor = Glibc.open(file, O_RDONLY | flags) }
        guard descriptor < 0 else { return descriptor }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw ArenaRecovery.failure(file, "The file cannot be opened")
    }

    private static func error(about file: String, _ line: Substring) -> CTFError {
        // Up to version 2 of the arena, the first line was the path of a file in a tmpfs.
        let isOlder = line.hasPrefix("/") && line.contains("/queuescope-")
        return isOlder
            ? CTFError(
                .unsupportedVersion, at: .init(file: file),
                "The recording is by another version of Queuescope; complete the trace with the version that recorded "
                    + "it, or remove the file to read the trace without the memory")
            : CTFError(
                .unreadable, at: .init(file: file),
                "The file does not name the memory of a recording; remove it to read the trace without the memory")
    }

    deinit { close(descriptor) }

    /// Whether a process records: its recorder thread holds the lock until the process ends.
    var isLive: Bool {
        guard lock(LOCK_SH) else { return true }
        flock(descriptor, LOCK_UN)
        return false
    }

    /// Takes the lock in place of a recorder that has ended; false while it lives. The end of this value releases it.
    func lockForCompletion() -> Bool { lock(LOCK_EX) }

    private func lock(_ kind: Int32) -> Bool { flock(descriptor, kind | LOCK_NB) == 0 }

    /// Whether another reader has completed the trace since the file was opened.
    var isRemoved: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink == 0
    }

    /// The user who recorded the trace.
    private var owner: uid_t? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status.st_uid : nil
    }

    /// Attaches the memory of the recorder; nil when this process cannot find it.
    ///
    /// - Throws: ``CTFError`` when the memory exists and may not be read.
    func memory() throws(CTFError) -> ArenaMemory? {
        // On another system the id is of another segment, or of none.
        if [.otherBoot, .otherNamespace].contains(origin.absence) { return nil }
        guard let memory = ArenaMemory(identifier: identifier) else {
            if errno == EINVAL || errno == EIDRM { return nil }
            throw ArenaRecovery.failure(file, "The memory of the recording cannot be attached")
        }
        // A file in the directory of another user must not lead root to the memory of a third user.
        guard memory.owner == geteuid() || geteuid() == 0 && memory.owner == owner else {
            throw CTFError(.unreadable, at: .init(file: file), "The memory of the recording belongs to another user")
        }
        return memory
    }
}
