import Glibc

/// The reason why the arena of a trace does not exist for this process.
public enum ArenaAbsence: Hashable, Sendable {
    /// The arena was created before a restart of the machine, or on another machine.
    case otherBoot
    /// The recording process has another IPC namespace, for example because it runs in another container. Its arena
    /// may exist there.
    case otherNamespace
    /// The arena was removed.
    case removed
    /// The trace does not state where its arena was created.
    case unknown
}

/// The system in which a recorder created its arena, from the lines of an ``ArenaReference`` after the first one.
struct ArenaOrigin {
    private var boot: Substring?
    /// The inode of the IPC namespace.
    private var namespace: UInt64?

    /// - Parameter lines: the lines after the id of the arena.
    init(_ lines: some Sequence<Substring>) {
        for line in lines {
            let words = line.split(separator: " ")
            guard words.count == 2 else { continue }
            if words[0] == "boot" { boot = words[1] }
            if words[0] == "ipc" { namespace = UInt64(words[1]) }
        }
    }

    private static var currentBoot: Substring? {
        ProcText.read("/proc/sys/kernel/random/boot_id")?.split(whereSeparator: \.isNewline).first
    }

    /// The inode of the IPC namespace of a process; nil when it cannot be read.
    static func namespace(of process: String = "self") -> UInt64? {
        var status = stat()
        return stat("/proc/\(process)/ns/ipc", &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// The reason why this process cannot find the arena.
    var absence: ArenaAbsence {
        if let boot, let current = Self.currentBoot, boot != current { return .otherBoot }
        if let namespace, let current = Self.namespace(), namespace != current { return .otherNamespace }
        return boot != nil && namespace != nil ? .removed : .unknown
    }
}
