// The kinds of segments for the waits of threads and tasks.

extension BlockedWait.Object {
    /// The kind of a segment in which a thread waits for the object.
    public var pathKind: CriticalPath.Kind {
        switch self {
        case .group: .group
        case .semaphore: .semaphore
        case .item: .workItem
        case .queue: .sync
        case .lock: .lock
        }
    }
}

extension AwaitKind {
    /// The kind of a segment in which a task awaits.
    public var pathKind: CriticalPath.Kind {
        switch self {
        case .continuation: .continuation
        case .task: .task
        case .group: .taskGroup
        case .executor: .actor
        default: .awaits
        }
    }
}

extension CriticalPath.Kind {
    /// The kind of a segment in which a thread is blocked in a system call.
    ///
    /// - Parameter name: the name of the call, such as `read`; empty when there is none.
    public init(ofCall name: String) { self = Self.ofCalls[name] ?? .systemCall }

    private static let ofCalls: [String: CriticalPath.Kind] = {
        let calls: [(CriticalPath.Kind, [String])] = [
            (.childProcess, ["wait4", "waitid", "waitpid"]),
            (
                .file,
                [
                    "read", "readv", "pread64", "preadv", "preadv2", "write", "writev", "pwrite64", "pwritev",
                    "pwritev2", "open", "openat", "openat2", "fsync", "fdatasync", "sync_file_range", "fallocate",
                    "ftruncate",
                    "sendfile", "splice", "copy_file_range", "flock", "fcntl", "stat", "newfstatat", "statx",
                    "getdents64", "rename", "renameat2", "unlink", "unlinkat",
                ]
            ),
            (
                .socket,
                [
                    "accept", "accept4", "connect", "recvfrom", "recvmsg", "recvmmsg", "sendto", "sendmsg", "sendmmsg",
                    "shutdown",
                ]
            ),
            (.sleep, ["nanosleep", "clock_nanosleep", "pause", "rt_sigtimedwait"]),
            (.futex, ["futex"]),
            (
                .poll,
                [
                    "poll", "ppoll", "select", "pselect6", "epoll_wait", "epoll_pwait", "epoll_pwait2", "io_getevents",
                    "io_uring_enter",
                ]
            ),
        ]
        return Dictionary(uniqueKeysWithValues: calls.flatMap { kind, names in names.map { ($0, kind) } })
    }()
}
