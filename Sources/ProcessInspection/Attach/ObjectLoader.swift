import CKernel
import CTFReader
import Glibc

/// Loads a shared object into a running process that was not prepared for it.
///
/// ```
/// one thread of the process   futex ──┤ stopped, creates a thread ├── futex, restarted
/// new thread                                                └─ dlopen ─ entry function ─ end
/// ```
///
/// The other threads continue. After a failure, the process continues unchanged.
public struct ObjectLoader {
    /// The result of a load.
    public struct Report: Sendable {
        /// The time for which one thread was stopped, an upper limit in nanoseconds.
        public let stoppedFor: UInt64
        /// The result of the entry function.
        public let result: Int32
    }

    /// Attempts to find a thread that suits, 1 ms apart for the first ones and 10 ms apart after them.
    private static let attempts = 250
    private static let quickAttempts = 50
    /// Looks for libraries that a starting process has not loaded yet, 20 ms apart.
    private static let looks = 50
    /// The longest wait for the new thread, in nanoseconds: it opens files, and waits for other users of `dlopen`.
    private static let patience: UInt64 = 20_000_000_000
    /// The largest loader. A longer path does not fit.
    private static let capacity = 2048
    private static let errorPrefix = "cannot load the recorder into "

    private let pid: Int32
    private let path: String
    private let entry: String
    private var object: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Loads an object and calls a function of it.
    ///
    /// - Parameters:
    ///   - path: the object, a path in the file system of the process.
    ///   - entry: an exported function without arguments that returns an `int`.
    ///   - pid: the process.
    /// - Throws: ``InspectionError`` with the reason and the remedy. The process is then unchanged, except with the
    ///   code `unfinished`.
    public static func load(_ path: String, calling entry: String, in pid: Int32) throws(InspectionError) -> Report {
        try ObjectLoader(pid: pid, path: path, entry: entry).load()
    }

    private func load() throws(InspectionError) -> Report {
        var target = try loadedTarget()
        for attempt in 0..<Self.attempts {
            let chosen = InterruptibleThread(of: target).choose()
            if let (tid, call) = chosen, let report = try inject(into: tid, in: call, of: target) { return report }
            usleep(attempt < Self.quickAttempts ? 1000 : 10_000)
            // The process may have started another program.
            if attempt % 10 == 9 { target = try AttachTarget(pid, object: object) }
        }
        throw InspectionError(
            code: .notAttachable,
            sentence: InterruptibleThread(of: target).isLinking
                ? "\(description) is still loading libraries. Repeat the command when it has started"
                : "all threads of \(description) run, or wait in system calls that cannot be interrupted. Repeat the "
                    + "command")
    }

    private var description: String { "process \(pid)" }

    /// The process, when it has loaded its libraries.
    private func loadedTarget() throws(InspectionError) -> AttachTarget {
        for _ in 0..<Self.looks {
            do {
                return try AttachTarget(pid, object: object)
            } catch {
                guard error.code == .notLoaded else { throw error }
            }
            usleep(20_000)
        }
        return try AttachTarget(pid, object: object)
    }

    // MARK: The stopped thread

    /// Creates the loader's thread, on a thread that is blocked in a system call.
    ///
    /// - Returns: the report; nil when another attempt may succeed.
    private func inject(
        into tid: Int32, in chosen: SystemCall, of target: AttachTarget
    ) throws(InspectionError) -> Report? {
        let memory = ProcessMemory(target.process)
        guard let (room, code, bytes) = try loader(for: target) else { return nil }
        let create = target.functions.addresses.pthread_create
        let function = memory.bytes(at: create, count: 64)
        let priority = ThreadPriority.raise()
        defer { priority.restore() }

        var thread: OpaquePointer?
        var call = qs_stopped_call()
        switch qs_thread_stop(tid, &thread, &call) {
        case 0: break
        case EAGAIN, ESRCH: return nil
        case EPERM:
            // Another process traces it since the first check, or the right to trace it is missing.
            _ = try RunningProcess(pid)
            throw ProcessIdentity.refusal(pid, target.process.name, ProcFile.text("/proc/\(pid)/status") ?? "")
        case let error: throw failure("a thread cannot be stopped: \(Self.text(error))")
        }
        // It may have left the call since it was chosen, or become another program.
        guard let thread else { return nil }
        guard SystemCall(call)?.continues(chosen) == true, Self.isGlibc(call, memory),
            memory.bytes(at: create, count: 64) == function, room.isFree(in: memory)
        else {
            _ = qs_thread_continue(thread)
            return nil
        }
        let unwritten = qs_process_write(tid, room.range.lowerBound, bytes, bytes.count)
        var injected = code
        var result: UInt64 = 0
        let error = unwritten == 0 ? qs_thread_run(thread, &injected, &result) : 0
        let stoppedFor = qs_thread_continue(thread)
        if unwritten != 0 {
            throw failure(
                "the kernel does not permit writes to its code (\(Self.text(unwritten))). Start the program with "
                    + "queuescope record")
        }
        if error != 0 || Int64(bitPattern: result) <= 0 {
            // No thread runs the loader.
            if error != ETIMEDOUT { room.clear(in: pid) }
            throw failure(error, result)
        }
        return try finish(page: result, room: room, stoppedFor: stoppedFor)
    }

    /// The loader for the process, with its place.
    private func loader(
        for target: AttachTarget
    ) throws(InspectionError) -> (room: LoaderRoom, code: qs_injected_code, bytes: [UInt8])? {
        var functions = target.functions.addresses
        func make(at address: UInt64) -> (code: qs_injected_code, bytes: [UInt8]) {
            var code = qs_injected_code()
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.capacity) { buffer, size in
                size = qs_loader_make(&functions, path, entry, address, buffer.baseAddress, buffer.count, &code)
            }
            return (code, bytes)
        }
        let size = make(at: 0).bytes.count
        guard size > 0 else {
            throw failure("the path of its library is too long. Name a shorter one in QUEUESCOPE_PRELOAD: \(path)")
        }
        let images = target.permanentImages
        guard let room = LoaderRoom.find(size, in: images, of: target.process) else {
            throw failure("no library has \(size) unused bytes of code. Start the program with queuescope record")
        }
        let (code, bytes) = make(at: room.range.lowerBound)
        return (room, code, bytes)
    }

    /// Whether the thread belongs to glibc, whose data of a thread begin with their own address.
    private static func isGlibc(_ call: qs_stopped_call, _ memory: ProcessMemory) -> Bool {
        let words = memory.words(at: call.thread_pointer, count: 3)
        return words?[0] == call.thread_pointer && words?[2] == call.thread_pointer
    }

    // MARK: The new thread

    /// Waits for the new thread, and removes the loader.
    private func finish(page: UInt64, room: LoaderRoom, stoppedFor: UInt64) throws(InspectionError) -> Report {
        var report = qs_loader_report()
        var message = [CChar](repeating: 0, count: 256)
        let end = Self.now() + Self.patience
        var state = QS_LOADER_RUNS
        while state == QS_LOADER_RUNS, Self.now() < end {
            usleep(200)
            state = qs_loader_read(pid, page, &report, &message, message.count)
        }
        switch state {
        case QS_LOADER_SUCCEEDED, QS_LOADER_FAILED: break
        case QS_LOADER_GONE:
            throw InspectionError(code: .ended, sentence: "\(description) ended while the recorder was loaded")
        default:
            throw InspectionError(
                code: .unfinished,
                sentence: "\(description) has not opened the recorder within 20 s: another thread may hold the lock of "
                    + "dlopen. The recorder is loaded when this lock is free; queuescope ps shows the process then")
        }
        _ = qs_loader_acknowledge(pid, page)
        while Self.now() < end, access("/proc/\(pid)/task/\(report.tid)", F_OK) == 0 { usleep(500) }
        if access("/proc/\(pid)/task/\(report.tid)", F_OK) != 0 { room.clear(in: pid) }
        if state == QS_LOADER_FAILED {
            let reason = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            throw InspectionError(code: .notOpened, sentence: Self.errorPrefix + "\(description): \(reason)")
        }
        return Report(stoppedFor: stoppedFor, result: report.value)
    }

    // MARK: Errors

    private func failure(_ error: Int32, _ result: UInt64) -> InspectionError {
        if error == ESRCH { return InspectionError(code: .ended, sentence: "\(description) ended") }
        if error == ETIMEDOUT { return failure("a new thread was not created within 2 s. Repeat the command") }
        if error != 0 {
            return failure("the call in it failed (\(Self.text(error))). Start the program with queuescope record")
        }
        let code = Int32(truncatingIfNeeded: -Int64(bitPattern: result))
        return failure(
            "it cannot create a thread: \(Self.text(code)). Raise its limit of threads (RLIMIT_NPROC, pids.max) or of "
                + "memory (RLIMIT_AS)")
    }

    private func failure(_ reason: String) -> InspectionError {
        InspectionError(code: .notAttachable, sentence: Self.errorPrefix + "\(description): \(reason)")
    }

    private static func text(_ error: Int32) -> String { String(cString: strerror(error)) }

    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

extension SystemCall {
    /// The call in which a thread was stopped; nil when it is in none.
    init?(_ call: qs_stopped_call) {
        guard call.number >= 0 else { return nil }
        let arguments = withUnsafeBytes(of: call.arguments) { Array($0.bindMemory(to: UInt64.self)) }
        self.init(
            number: Int(call.number), arguments: arguments, stackPointer: call.stack_pointer,
            programCounter: call.program_counter)
    }
}
