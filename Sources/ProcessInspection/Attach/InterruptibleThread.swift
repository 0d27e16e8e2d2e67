/// Chooses a thread on which code can run: it is blocked in a system call that can be interrupted without an effect,
/// and holds no lock that the code needs.
struct InterruptibleThread {
    /// How well a blocked thread suits. The order is the order of preference.
    enum Suitability: Int, Comparable {
        /// It waits for another thread without a time limit.
        case endlessWait
        case limitedWait
        case sleep
        /// The call is restarted with its full timeout.
        case events
        /// It waits for data of a file or a socket.
        case input

        static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
    }

    let process: RunningProcess
    /// Data with locks that the code needs.
    let systemData: [Range<UInt64>]
    /// Code that holds such locks.
    let lockingCode: [Range<UInt64>]

    private static let wait: UInt64 = 0
    private static let waitWithMask: UInt64 = 9
    /// Arenas of malloc after the first begin with their lock, at multiples of 64 MiB.
    private static let arena: UInt64 = 64 << 20
    private static let arenaHead: UInt64 = 4096
    /// Words of the stack that are searched for return addresses.
    private static let words = 256

    /// The thread that suits best; nil when there is none now.
    func choose() -> Int32? {
        let directory = "/proc/\(process.pid)/task"
        let suitable = ProcFile.numbers(in: directory).compactMap { tid -> (tid: Int32, suitability: Suitability)? in
            ThreadReader.call("\(directory)/\(tid)").flatMap(suitability).map { (tid, $0) }
        }
        return suitable.min { $0.suitability < $1.suitability }?.tid
    }

    /// Whether a thread executes or waits in the dynamic linker, as while the program starts.
    var isLinking: Bool {
        let directory = "/proc/\(process.pid)/task"
        return ProcFile.numbers(in: directory).contains { tid in
            ThreadReader.call("\(directory)/\(tid)").map { isInLockingCode($0) } ?? false
        }
    }

    /// How well a thread in a system call suits; nil when no code may run on it.
    func suitability(of call: SystemCall) -> Suitability? {
        let suitability: Suitability
        if call.isFutex {
            guard call.futexOperation == Self.wait || call.futexOperation == Self.waitWithMask,
                !isSystemLock(call.arguments[0])
            else { return nil }
            suitability = call.arguments[3] == 0 ? .endlessWait : .limitedWait
        } else if call.isRestarted {
            suitability = .sleep
        } else {
            switch call.name {
            case "rt_sigsuspend", "pause", "poll", "ppoll", "nanosleep", "clock_nanosleep": suitability = .sleep
            case "epoll_wait", "epoll_pwait": suitability = .events
            case "read", "accept", "accept4", "recvfrom": suitability = .input
            default: return nil
            }
        }
        return isInLockingCode(call) ? nil : suitability
    }

    private func isSystemLock(_ address: UInt64) -> Bool {
        systemData.contains { $0.contains(address) } || address % Self.arena < Self.arenaHead
    }

    /// Whether the call was made below a function that holds a lock: a constructor that `dlopen` calls, or an
    /// allocator.
    private func isInLockingCode(_ call: SystemCall) -> Bool {
        func isLocking(_ address: UInt64) -> Bool { lockingCode.contains { $0.contains(address) } }
        if isLocking(call.programCounter) { return true }
        let bytes = ProcessMemory(process).bytes(at: call.stackPointer, count: Self.words * 8)
        return bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - 7, by: 8).contains {
                isLocking(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)))
            }
        }
    }
}
