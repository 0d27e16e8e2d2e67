/// Finds out what a blocked thread waits for: by its system call, the object at the futex, and the names on its stack.
struct ThreadWaitFinder {
    let memory: ProcessMemory
    /// The id of the main thread.
    let main: Int32
    let dispatch: DispatchRuntime
    let names: StackNames
    /// The ids of all threads in the namespace of the process.
    let threads: Set<UInt32>

    /// The owner in the word of a futex with priority inheritance and of libdispatch's locks (`FUTEX_TID_MASK`).
    private static let ownerMask: UInt32 = 0x3FFF_FFFF
    /// Libraries whose code alone is on the stack of an idle worker.
    private static let workerLibraries = ["libdispatch", "libc.so", "libc-", "libpthread", "ld-", "[vdso]"]

    /// The same for the thread of the recorder.
    private static let recorderLibraries = ["libqueuescope", "libc.so", "libc-", "libpthread", "ld-", "[vdso]"]

    /// Fields of `pthread_mutex_t` of glibc.
    private enum Mutex {
        static let size = 24
        static let owner = 8
        static let kind = 16
        /// The state of a lock with waiters.
        static let contended: UInt32 = 2
        /// Kinds are below this value, without the bit of a lock that is shared between processes.
        static let kinds: Range<UInt32> = 0..<0x50
        static let sharedBit: UInt32 = 0x80
    }

    /// Fields of `pthread_rwlock_t` of glibc.
    private enum ReadWriteLock {
        static let futexes: [UInt64] = [8, 12]
        static let writer: UInt64 = 24
    }

    func wait(of thread: InspectedThread) -> ThreadWait {
        guard let call = thread.call else { return thread.state == "R" || thread.unread == nil ? .running : .unknown }
        let functions = names.functions(of: thread.stack)
        func has(_ prefixes: String...) -> Bool {
            functions.contains { name in prefixes.contains { name.hasPrefix($0) } }
        }
        if isIdleWorker(thread, functions) { return .idle(.worker) }
        if isRecorder(thread) { return .idle(.recorder) }
        guard call.isFutex else {
            if has("_dispatch_mgr_thread", "_dispatch_mgr_invoke", "_dispatch_event_loop_drain") {
                return .idle(.manager)
            }
            if has("_dispatch_sigsuspend", "_dispatch_sig_thread") { return .idle(.parked) }
            return .call(call.isRestarted ? Self.restartedCall(functions) : call.name)
        }
        let futex = call.arguments[0]
        if call.waitsForOwnedFutex, let word: UInt32 = memory.integer(at: futex) {
            return .ownedFutex(futex, owner: word & Self.ownerMask)
        }
        if let queue = dispatch.queue(ofSyncWaitingFor: futex, thread: thread.innerID) {
            return sync(on: queue, by: thread)
        }
        if let (object, kind) = dispatch.object(containing: futex) {
            if kind == .group { return .group(object, enters: dispatch.enters(ofGroup: object)) }
            if let initial = dispatch.initialValue(ofSemaphore: object) { return .semaphore(object, initial: initial) }
        }
        if has("_dispatch_once_wait"), let owner = owner(at: futex) { return .once(futex, owner: owner) }
        if has("_dispatch_unfair_lock", "_dispatch_lock_wait"), let owner = owner(at: futex) {
            return .ownedFutex(futex, owner: owner)
        }
        let inner = functions.prefix(6)
        if inner.contains(where: { $0.hasPrefix("pthread_rwlock") || $0.hasPrefix("__pthread_rwlock") }) {
            return readWriteLock(futex)
        }
        if let owner = mutexOwner(at: futex) { return .mutex(futex, owner: owner) }
        if inner.contains(where: Self.joins), let word: UInt32 = memory.integer(at: futex), threads.contains(word) {
            return .threadEnd(word)
        }
        if has("Foundation.OperationQueue.waitUntilAllOperationsAreFinished") { return .operation(futex, isAll: true) }
        if has("Foundation.Operation.waitUntilFinished") { return .operation(futex, isAll: false) }
        if inner.contains(where: { $0.hasPrefix("pthread_cond_") || $0.hasPrefix("__pthread_cond_") }) {
            return .condition(futex)
        }
        return .futex(futex)
    }

    /// The name of a call that the kernel restarted, by the functions that make such calls.
    private static func restartedCall(_ functions: [String]) -> String {
        let inner = functions.prefix(4)
        let known = ["clock_nanosleep", "nanosleep", "ppoll", "poll"]
        return known.first { name in inner.contains { $0.contains(name) } } ?? "restart_syscall"
    }

    private static func joins(_ function: String) -> Bool {
        ["pthread_join", "__pthread_join", "pthread_timedjoin", "pthread_clockjoin", "__pthread_clockjoin"].contains {
            function.hasPrefix($0)
        }
    }

    /// A worker of libdispatch waits for work in a semaphore that its main function waits for.
    private func isIdleWorker(_ thread: InspectedThread, _ functions: [String]) -> Bool {
        guard thread.call?.isFutex == true, thread.tid != main, thread.stack.isWhole else { return false }
        if let main = functions.firstIndex(where: { $0.hasPrefix("_dispatch_worker_thread") }) {
            let last = functions[..<main].last { !$0.isEmpty }
            return last.map { $0.hasPrefix("_dispatch_sema") || $0.hasPrefix("dispatch_semaphore_wait") } ?? false
        }
        // Without symbols: a thread that runs no code but libdispatch's.
        return functions.contains("") && names.isOnly(in: Self.workerLibraries, thread.stack)
            && !names.isOnly(in: Array(Self.workerLibraries.dropFirst()), thread.stack)
    }

    /// The thread of the recorder has its name, which a core file does not have, or runs no code but the recorder's.
    private func isRecorder(_ thread: InspectedThread) -> Bool {
        thread.tid != main
            && (thread.name == "queuescope"
                || !thread.stack.frames.isEmpty && names.isOnly(in: Self.recorderLibraries, thread.stack)
                    && !names.isOnly(in: Array(Self.recorderLibraries.dropFirst()), thread.stack))
    }

    // MARK: Owners

    /// The owner of the object of a wait now; nil when the wait has none, or no longer has one.
    func currentOwner(of wait: ThreadWait) -> UInt32? {
        switch wait {
        case .queue(_, let level, _): dispatch.queue(at: level)?.state.owner
        case .mutex(let address, _): mutexOwner(at: address)
        case .ownedFutex(let address, _), .once(let address, _): owner(at: address)
        case .readWriteLock(let address, _): readWriteLock(address).owner
        case .threadEnd(let thread): thread
        case .group, .semaphore, .condition, .operation, .futex, .call, .idle, .running, .unknown: nil
        }
    }

    private func owner(at futex: UInt64) -> UInt32? {
        guard let word: UInt32 = memory.integer(at: futex) else { return nil }
        let owner = word & Self.ownerMask
        return threads.contains(owner) ? owner : nil
    }

    private func mutexOwner(at address: UInt64) -> UInt32? {
        let bytes = memory.bytes(at: address, count: Mutex.size)
        guard bytes.count == Mutex.size else { return nil }
        func field(_ offset: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) }
        }
        guard field(0) == Mutex.contended, Mutex.kinds.contains(field(Mutex.kind) & ~Mutex.sharedBit),
            threads.contains(field(Mutex.owner))
        else { return nil }
        return field(Mutex.owner)
    }

    /// The lock that contains a futex. Its begin is not known exactly, so that the writer must be a live thread.
    private func readWriteLock(_ futex: UInt64) -> ThreadWait {
        for offset in ReadWriteLock.futexes {
            if let writer: UInt32 = memory.integer(at: futex &- offset &+ ReadWriteLock.writer),
                threads.contains(writer)
            {
                return .readWriteLock(futex, owner: writer)
            }
        }
        return .readWriteLock(futex, owner: nil)
    }

    /// A sync can block on the queue itself, or on a queue to which it targets.
    private func sync(on queue: UInt64, by thread: InspectedThread) -> ThreadWait {
        var level = queue
        for _ in 0..<DispatchRuntime.deepestHierarchy {
            guard let found = dispatch.queue(at: level), found.kind != .global else { break }
            if let owner = found.state.owner, owner != thread.innerID, threads.contains(owner) {
                return .queue(queue, level: level, owner: owner)
            }
            level = found.target
        }
        return .queue(queue, level: queue, owner: nil)
    }
}
