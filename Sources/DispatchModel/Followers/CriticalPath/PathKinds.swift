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
    /// - Parameters:
    ///   - name: the name of the call, such as `read`; empty when there is none.
    ///   - descriptor: the kind of its descriptor.
    public init(ofCall name: String, on descriptor: DescriptorKind) {
        self = Self.ofDescriptors[descriptor] ?? Self.ofCalls[name] ?? .systemCall
    }

    /// The kinds of descriptors that have a kind of segment with the same name.
    private static let ofDescriptors: [DescriptorKind: CriticalPath.Kind] = {
        let named = Dictionary(uniqueKeysWithValues: CriticalPath.Kind.allCases.map { ($0.name, $0) })
        return Dictionary(
            uniqueKeysWithValues: DescriptorKind.allCases.compactMap { descriptor in
                named[descriptor.description].map { (descriptor, $0) }
            })
    }()

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
