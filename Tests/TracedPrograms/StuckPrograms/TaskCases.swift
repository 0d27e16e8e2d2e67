import Dispatch
import Foundation
import Synchronization

enum TaskCases {
    /// Every thread of the Swift pool waits for a semaphore that only another task signals.
    static func exhaustedPool() {
        let semaphore = DispatchSemaphore(value: 0)
        let count = ProcessInfo.processInfo.activeProcessorCount
        for _ in 0..<count * 2 { Task.detached { block(semaphore) } }
        for _ in 0..<3 { Task.detached { semaphore.signal() } }
        StuckPrograms.ready()
        dispatchMain()
    }

    @inline(never)
    private static func block(_ semaphore: DispatchSemaphore) { semaphore.wait() }

    private actor Bank {
        private var sum = 0

        @inline(never)
        func slow() {
            sum += 1
            StuckPrograms.ready()
            StuckPrograms.sleepForEver()
        }

        @inline(never)
        func balance() -> Int { sum }
    }

    /// A task waits for an actor whose job sleeps.
    static func heldActor() {
        let bank = Bank()
        Task.detached { await bank.slow() }
        Task.detached {
            // The first call has to be the holder.
            try await Task.sleep(for: .milliseconds(200))
            print(await bank.balance())
        }
        dispatchMain()
    }

    /// A task waits for a continuation without a resume.
    static func continuation() {
        Task.detached { await readLabel() }
        dispatchMain()
    }

    @inline(never)
    private static func readLabel() async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            kept.withLock { $0 = continuation }
            StuckPrograms.ready()
        }
    }

    private static let kept = Mutex<UnsafeContinuation<Void, Never>?>(nil)

    /// Two tasks wait for each other's value.
    static func taskCycle() {
        let tasks = Tasks()
        let open = DispatchSemaphore(value: 0)
        let first = Task.detached { await waitFor(1, of: tasks, open) }
        let second = Task.detached { await waitFor(0, of: tasks, open) }
        tasks.all.withLock { $0 = [first, second] }
        open.signal()
        open.signal()
        StuckPrograms.ready()
        dispatchMain()
    }

    @inline(never)
    private static func waitFor(_ index: Int, of tasks: Tasks, _ open: DispatchSemaphore) async {
        enter(open)
        let other = tasks.all.withLock { $0[index] }
        await other.value
    }

    private static func enter(_ open: DispatchSemaphore) { open.wait() }

    private final class Tasks: Sendable {
        let all = Mutex<[Task<Void, Never>]>([])
    }
}
