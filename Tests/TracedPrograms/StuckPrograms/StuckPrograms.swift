import Foundation

/// Programs that are stuck in one known way, or are not stuck. Each writes `ready` before it blocks.
///
/// Usage: `StuckPrograms CASE`
@main
enum StuckPrograms {
    static func main() {
        // A test that crashes must not leave the program behind. The threads that run tests block signals, and a
        // program inherits the mask.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        alarm(900)
        permitInspection()
        let name = CommandLine.arguments.dropFirst().first ?? ""
        let cases: [String: () -> Void] = [
            "sync-cycle": QueueCases.syncCycle, "target-queue": QueueCases.targetQueue,
            "suspended-queue": QueueCases.suspendedQueue, "main-queue": QueueCases.mainQueue,
            "mutex-cycle": LockCases.mutexCycle, "recursive-mutex": LockCases.recursiveMutex,
            "held-mutex": LockCases.heldMutex, "read-write-lock": LockCases.readWriteLock,
            "join": LockCases.join, "semaphore": LockCases.semaphore,
            "pool": TaskCases.exhaustedPool, "actor": TaskCases.heldActor, "continuation": TaskCases.continuation,
            "task-cycle": TaskCases.taskCycle,
            "idle": QuietCases.idle, "busy": QuietCases.busy,
        ]
        guard let body = cases[name] else {
            print("cases: \(cases.keys.sorted().joined(separator: " "))")
            exit(64)
        }
        body()
    }

    /// Permits any process of this user to trace this one, where the kernel permits it to the parent only
    /// (`kernel.yama.ptrace_scope` 1). `prctl` is variadic, which Swift does not import.
    private static func permitInspection() {
        typealias ProcessControl = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        let setTracer: Int32 = 0x5961_6D61
        guard let address = dlsym(nil, "prctl") else { return }
        _ = unsafeBitCast(address, to: ProcessControl.self)(setTracer, .max, 0, 0, 0)
    }

    /// Announces that the program blocks next.
    static func ready() { FileHandle.standardOutput.write(Data("ready\n".utf8)) }

    /// Blocks the calling thread for ever.
    static func sleepForEver() -> Never {
        while true { sleep(1000) }
    }
}
