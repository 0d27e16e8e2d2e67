import CKernel
import CTFReader
import Glibc

/// A thread of the inspected process at one instant.
struct InspectedThread {
    /// The id in the namespace of this command.
    let tid: Int32
    /// The id in the namespace of the process, which its locks contain. It differs in a container.
    let innerID: UInt32
    /// The name that the program gave to the thread.
    let name: String
    /// The letter of the state: `S` sleeps, `D` sleeps and cannot be interrupted, `R` runs, `T` is stopped.
    let state: Character
    /// The system call that blocks the thread; nil when it ran.
    let call: SystemCall?
    let stack: CallStack
    /// The reason why the registers were not read; nil when they were.
    let unread: Unread?
    /// The length of the stop in nanoseconds; nil when the thread was not stopped.
    let stoppedFor: UInt64?

    enum Unread: Equatable {
        /// The system call would return EINTR after a stop.
        case wouldDisturb
        /// The thread is in an uninterruptible system call.
        case uninterruptible
        /// An error number.
        case error(Int32)
    }

    /// The lowest address of the stack that is in use; nil when it is unknown.
    var stackPointer: UInt64? { stack.frames.first?.registers.stackPointer ?? call?.stackPointer }
}

/// Reads the threads of a process, one after the other. At most one thread is stopped at a time.
struct ThreadReader {
    /// Bytes of a stack that are copied while its thread is stopped. The copy takes some microseconds.
    private static let copied = 1 << 16

    let process: ProcessIdentity
    let unwinder: Unwinder

    /// The ids of the threads that exist now.
    var ids: [Int32] { ProcFile.numbers(in: "\(process.directory)/task") }

    /// Reads all threads. Their number is limited to the first `limit`.
    func threads(limit: Int) -> [InspectedThread] {
        let priority = ThreadPriority.raise()
        defer { priority.restore() }
        return ids.prefix(limit).compactMap(thread)
    }

    /// Reads a thread; nil when it has ended.
    private func thread(_ tid: Int32) -> InspectedThread? {
        let directory = "\(process.directory)/task/\(tid)"
        guard let status = ProcFile.text("\(directory)/status"),
            let state = ProcFile.field("State", of: status)?.first, state != "Z", state != "X"
        else { return nil }
        let inner = ProcFile.field("NSpid", of: status)?.split(separator: "\t").last.flatMap { UInt32($0) }
        let name = ProcFile.field("Name", of: status).map(String.init) ?? ""
        // Before the stop: afterwards the call is restarted.
        var call = Self.call(directory)
        var stack = CallStack()
        var unread: InspectedThread.Unread?
        var stoppedFor: UInt64?
        if state == "D" {
            unread = .uninterruptible
        } else if call?.isDisturbedByStop == true {
            unread = .wouldDisturb
        } else {
            var snapshot = qs_thread_snapshot()
            var copy = [UInt8](repeating: 0, count: Self.copied)
            let error = qs_thread_snapshot_read(tid, &snapshot, &copy, copy.count)
            if snapshot.stopped_ns > 0 { stoppedFor = snapshot.stopped_ns }
            if error == ESRCH { return nil }
            if error == 0 {
                let registers = withUnsafeBytes(of: snapshot.registers) { Array($0.bindMemory(to: UInt64.self)) }
                let file = RegisterFile(registers.prefix(RegisterFile.count).map { $0 })
                stack = unwinder.stack(
                    from: file,
                    copy: StackCopy(begin: snapshot.stack_begin, bytes: Array(copy.prefix(Int(snapshot.stack_size)))))
                // The thread may have left the call before it stopped.
                if let known = call,
                    known.stackPointer != file.stackPointer || known.programCounter != file.programCounter
                {
                    call = nil
                }
            } else {
                unread = error == ETIMEDOUT ? .uninterruptible : .error(error)
            }
        }
        if unread != nil, let call {
            var registers = RegisterFile()
            registers[RegisterFile.stackPointer] = call.stackPointer
            registers[RegisterFile.programCounter] = call.programCounter
            stack = unwinder.stack(from: registers, copy: nil)
        }
        return InspectedThread(
            tid: tid, innerID: inner ?? UInt32(bitPattern: tid), name: name, state: state, call: call, stack: stack,
            unread: unread, stoppedFor: stoppedFor)
    }

    static func call(_ directory: String) -> SystemCall? {
        ProcFile.text("\(directory)/syscall").flatMap(SystemCall.init)
    }

    /// The number of context switches of a thread. A thread whose number did not change was blocked all the time.
    static func switches(_ directory: String) -> UInt64? {
        guard let status = ProcFile.text("\(directory)/status"),
            let own = ProcFile.field("voluntary_ctxt_switches", of: status).flatMap({ UInt64($0) }),
            let forced = ProcFile.field("nonvoluntary_ctxt_switches", of: status).flatMap({ UInt64($0) })
        else { return nil }
        return own + forced
    }
}
