import Glibc

/// The reason why the arena of a trace does not exist for this process.
public enum ArenaAbsence: Hashable, Sendable {
    /// The arena was created before a restart of the machine, or on another machine.
    case otherBoot
    /// The recording process has another mount namespace, for example because it runs in another container. Its arena
    /// may exist there.
    case otherMountNamespace
    /// The arena was removed.
    case removed
    /// The trace does not state where its arena was created.
    case unknown
}

/// Identifies the system in which a recorder created its arena. The file `.arena` of a trace has these lines after the
/// arena's path:
///
/// ```
/// /dev/shm/queuescope-0123456789abcdef0123456789abcdef
/// boot 5f0c7b1e-9d53-4a8c-9e55-0c6e0f6d2f5b
/// mounts 4026531841
/// ```
struct ArenaOrigin {
    private var boot: Substring?
    /// The inode of the mount namespace.
    private var mounts: UInt64?

    /// - Parameter lines: the lines after the path of the arena.
    init(_ lines: some Sequence<Substring>) {
        for line in lines {
            let words = line.split(separator: " ")
            guard words.count == 2 else { continue }
            if words[0] == "boot" { boot = words[1] }
            if words[0] == "mounts" { mounts = UInt64(words[1]) }
        }
    }

    private static var currentBoot: Substring? {
        let descriptor = Glibc.open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self).split(whereSeparator: \.isNewline).first
    }

    private static var currentMounts: UInt64? {
        var status = stat()
        return stat("/proc/self/ns/mnt", &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// The reason why this process cannot find the arena.
    var absence: ArenaAbsence {
        if let boot, let current = Self.currentBoot, boot != current { return .otherBoot }
        if let mounts, let current = Self.currentMounts, mounts != current { return .otherMountNamespace }
        return boot != nil && mounts != nil ? .removed : .unknown
    }
}
