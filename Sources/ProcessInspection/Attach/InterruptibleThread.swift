import CTFReader

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

    private let process: RunningProcess
    /// Data with locks that the code needs.
    private let systemData: [Range<UInt64>]
    /// Code that holds such locks.
    private let lockingCode: [Range<UInt64>]
    private let memory: ProcessMemory
    private let unwinder: Unwinder

    init(of target: AttachTarget) {
        process = target.process
        (systemData, lockingCode) = (target.systemData, target.lockingCode)
        memory = ProcessMemory(process)
        unwinder = Unwinder(images: target.images, maps: process.maps, memory: memory)
    }

    private static let wait: UInt64 = 0
    private static let waitWithMask: UInt64 = 9
    /// Arenas of malloc after the first begin with their lock, at multiples of 64 MiB.
    private static let arena: UInt64 = 64 << 20
    private static let arenaHead: UInt64 = 4096
    /// Words of the stack that are searched for return addresses when its frames are not known.
    private static let words = 256

    /// The thread that suits best, and its system call; nil when there is none now.
    func choose() -> (tid: Int32, call: SystemCall)? {
        typealias Candidate = (tid: Int32, call: SystemCall, suitability: Suitability)
        let directory = "/proc/\(process.pid)/task"
        let suitable = ProcFile.numbers(in: directory).compactMap { tid -> Candidate? in
            guard let call = ThreadReader.call("\(directory)/\(tid)") else { return nil }
            return suitability(of: call).map { (tid, call, $0) }
        }
        return suitable.min { $0.suitability < $1.suitability }.map { ($0.tid, $0.call) }
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
        var registers = RegisterFile()
        registers[RegisterFile.stackPointer] = call.stackPointer
        registers[RegisterFile.programCounter] = call.programCounter
        let stack = unwinder.stack(from: registers, copy: nil)
        if isLocking(call.programCounter) || stack.frames.contains(where: { isLocking($0.address) }) { return true }
        if stack.isWhole { return false }
        let bytes = memory.bytes(at: call.stackPointer, count: Self.words * 8)
        return bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - 7, by: 8).contains {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self))
                return isLocking(word) && isReturnAddress(word)
            }
        }
    }

    /// Whether a call instruction of x86-64 precedes an address. The stack of the main thread also has the address of a
    /// function of the dynamic linker, which runs at the end of the program.
    private func isReturnAddress(_ address: UInt64) -> Bool {
        let code = memory.bytes(at: address - 7, count: 7)
        guard code.count == 7 else { return true }
        // `call rel32`, or `call r/m64` with its operand in 0, 1, 4 or 5 bytes.
        return code[2] == 0xE8 || [0, 1, 4, 5].contains { code[$0] == 0xFF && code[$0 + 1] >> 3 & 7 == 2 }
    }
}
