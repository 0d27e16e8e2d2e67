/// The system call in which a thread is blocked, with its arguments.
struct SystemCall: Equatable {
    let number: Int
    let arguments: [UInt64]
    let stackPointer: UInt64
    let programCounter: UInt64

    init(number: Int, arguments: [UInt64], stackPointer: UInt64, programCounter: UInt64) {
        self.number = number
        self.arguments = arguments
        self.stackPointer = stackPointer
        self.programCounter = programCounter
    }

    /// Reads `/proc/PID/task/TID/syscall`; nil for a thread that is not blocked in a system call.
    ///
    /// The line is `number argument×6 sp pc`, with all but the number in hexadecimal, or `running`.
    init?(_ line: String) {
        let fields = line.split { $0 == " " || $0 == "\n" }
        guard fields.count >= 9, let number = Int(fields[0]), number >= 0 else { return nil }
        let values = fields[1..<9].compactMap { UInt64($0.dropFirst(2), radix: 16) }
        guard values.count == 8 else { return nil }
        self.number = number
        arguments = Array(values[..<6])
        stackPointer = values[6]
        programCounter = values[7]
    }

    /// The name, or the number for a call without a name here.
    var name: String { Self.names[number] ?? "\(number)" }

    /// Whether the kernel returns EINTR from this call to a thread that was stopped, instead of restarting it. A thread
    /// in such a call is not stopped, because a program may not expect EINTR.
    ///
    /// Source: signal(7), "Interruption of system calls and library functions by stop signals". Calls on sockets are
    /// restarted only without a timeout.
    var isDisturbedByStop: Bool {
        switch name {
        case "epoll_wait", "epoll_pwait", "epoll_pwait2", "semop", "semtimedop", "msgrcv", "msgsnd", "io_getevents",
            "io_pgetevents", "rt_sigtimedwait", "recvfrom", "recvmsg", "recvmmsg", "sendto", "sendmsg", "sendmmsg",
            "accept", "accept4", "connect":
            true
        default: false
        }
    }

    /// Whether the kernel restarted a call with a timeout after an interruption. The number of the call is lost, and
    /// the arguments are kept.
    var isRestarted: Bool { number == Self.restart }

    /// Operations by which a restarted futex call is recognized: `FUTEX_WAIT` and `FUTEX_WAIT_BITSET` with
    /// `FUTEX_PRIVATE_FLAG`, with and without `FUTEX_CLOCK_REALTIME`.
    private static let waits: Set<UInt64> = [0x80, 0x89, 0x180, 0x189]

    var isFutex: Bool { name == "futex" || isRestarted && arguments[0] & 3 == 0 && Self.waits.contains(arguments[1]) }

    /// Whether it is the same call as an earlier one of the thread, perhaps restarted.
    func continues(_ other: SystemCall) -> Bool {
        (number == other.number || isRestarted || other.isRestarted) && arguments[0] == other.arguments[0]
            && stackPointer == other.stackPointer && programCounter == other.programCounter
    }

    /// The operation of a futex call without its options.
    var futexOperation: UInt64 { arguments[1] & 0x7F }

    /// Whether the thread waits for a lock with priority inheritance (`FUTEX_LOCK_PI`, `FUTEX_LOCK_PI2`).
    var waitsForOwnedFutex: Bool { isFutex && (futexOperation == 6 || futexOperation == 13) }

    /// The calls that block threads.
    #if arch(arm64)
        private static let restart = 128
        private static let names: [Int: String] = [
            4: "io_getevents", 21: "epoll_ctl", 22: "epoll_pwait", 25: "fcntl", 29: "ioctl", 32: "flock", 56: "openat",
            57: "close", 62: "lseek", 63: "read", 64: "write", 65: "readv", 66: "writev", 67: "pread64", 68: "pwrite64",
            71: "sendfile", 72: "pselect6", 73: "ppoll", 76: "splice", 82: "fsync", 83: "fdatasync", 95: "waitid",
            98: "futex", 101: "nanosleep", 115: "clock_nanosleep", 124: "sched_yield", 133: "rt_sigsuspend",
            137: "rt_sigtimedwait", 188: "msgrcv", 189: "msgsnd", 192: "semtimedop", 193: "semop", 202: "accept",
            203: "connect", 206: "sendto", 207: "recvfrom", 211: "sendmsg", 212: "recvmsg", 242: "accept4",
            243: "recvmmsg", 260: "wait4", 269: "sendmmsg", 292: "io_pgetevents", 426: "io_uring_enter",
            441: "epoll_pwait2", 449: "futex_waitv",
        ]
    #else
        private static let restart = 219
        private static let names: [Int: String] = [
            0: "read", 1: "write", 3: "close", 7: "poll", 16: "ioctl", 17: "pread64", 18: "pwrite64", 19: "readv",
            20: "writev", 23: "select", 24: "sched_yield", 34: "pause", 35: "nanosleep", 40: "sendfile", 42: "connect",
            43: "accept", 44: "sendto", 45: "recvfrom", 46: "sendmsg", 47: "recvmsg", 61: "wait4", 65: "semop",
            69: "msgsnd", 70: "msgrcv", 72: "fcntl", 73: "flock", 74: "fsync", 75: "fdatasync", 128: "rt_sigtimedwait",
            130: "rt_sigsuspend", 202: "futex", 208: "io_getevents", 220: "semtimedop", 230: "clock_nanosleep",
            232: "epoll_wait", 247: "waitid", 257: "openat", 270: "pselect6", 271: "ppoll", 275: "splice",
            281: "epoll_pwait", 288: "accept4", 299: "recvmmsg", 307: "sendmmsg", 333: "io_pgetevents",
            426: "io_uring_enter", 441: "epoll_pwait2", 449: "futex_waitv",
        ]
    #endif
}
