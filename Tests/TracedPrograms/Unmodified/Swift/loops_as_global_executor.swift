// Two event loops replace Swift's global executor, as SwiftNIO's takeover does: each job goes to a loop, and runs in an
// iteration of the loop. The first iteration of the first loop blocks for a long time, so the other jobs of the loop
// wait. The first iteration of the second loop never ends, so the loop never polls again.
//: link -Xcc -fno-omit-frame-pointer
import Glibc
import Synchronization

// Glibc's module does not declare these functions. The event is large enough for every platform.
@_silgen_name("pthread_setname_np") func pthread_setname_np(_ thread: pthread_t, _ name: UnsafePointer<CChar>)
@_silgen_name("epoll_create1") func epoll_create1(_ flags: Int32) -> Int32
@_silgen_name("epoll_ctl") func epoll_ctl(_ set: Int32, _ operation: Int32, _ file: Int32, _ event: UnsafeRawPointer)
@_silgen_name("epoll_wait") func epoll_wait(
    _ set: Int32, _ events: UnsafeMutableRawPointer, _ count: Int32, _ timeout: Int32
) -> Int32
@_silgen_name("eventfd") func eventfd(_ value: UInt32, _ flags: Int32) -> Int32
@_silgen_name("eventfd_read") func eventfd_read(_ file: Int32, _ value: UnsafeMutablePointer<UInt64>)
@_silgen_name("eventfd_write") func eventfd_write(_ file: Int32, _ value: UInt64)
typealias Event = (UInt32, UInt32, UInt32, UInt32)
let readable: UInt32 = 1
let add: Int32 = 1

final class Loop: SerialExecutor {
    private let set = epoll_create1(0)
    private let waker = eventfd(0, 0)
    private let jobs = Mutex<[UnownedJob]>([])
    /// The thread of the loop; 0 before it runs.
    let thread = Atomic<UInt>(0)

    init(_ number: Int) {
        var event: Event = (readable, 0, 0, 0)
        epoll_ctl(set, add, waker, &event)
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { loop in
                Unmanaged<Loop>.fromOpaque(loop!).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        pthread_setname_np(thread, "loop-\(number)")
    }

    func enqueue(_ job: UnownedJob) {
        jobs.withLock { $0.append(job) }
        eventfd_write(waker, 1)
    }

    private func run() {
        thread.store(pthread_self(), ordering: .relaxed)
        var event: Event = (0, 0, 0, 0)
        var value: UInt64 = 0
        while true {
            guard epoll_wait(set, &event, 1, -1) == 1 else { continue }
            eventfd_read(waker, &value)
            while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                job.runSynchronously(on: asUnownedSerialExecutor())
            }
        }
    }
}

let loops = [Loop(1), Loop(2)]
let next = Atomic(0)

/// The loop for a job: the loop of this thread, if it has one, otherwise the loops in turn.
func loop() -> Loop {
    let own = pthread_self()
    return loops.first { $0.thread.load(ordering: .relaxed) == own }
        ?? loops[next.wrappingAdd(1, ordering: .relaxed).oldValue % 2]
}

typealias Hook = @convention(thin) (UnownedJob, @convention(thin) (UnownedJob) -> Void) -> Void
let hook = dlsym(nil, "swift_task_enqueueGlobal_hook").assumingMemoryBound(to: Hook?.self)
hook.pointee = { job, _ in loop().enqueue(job) }

let begun = Atomic(0)
let ended = Atomic(0)

func wait(until count: Int, of counter: borrowing Atomic<Int>) {
    while counter.load(ordering: .relaxed) < count { usleep(1_000) }
}

@inline(never)
func parse() {
    begun.add(1, ordering: .relaxed)
    usleep(600_000)
    ended.add(1, ordering: .relaxed)
}

@inline(never)
func waitForever() {
    begun.add(1, ordering: .relaxed)
    while true { pause() }
}

Task.detached { parse() }
Task.detached { waitForever() }
wait(until: 2, of: begun)
for _ in 0..<8 { Task.detached { ended.add(1, ordering: .relaxed) } }
// The four jobs of the second loop never run.
wait(until: 5, of: ended)
print("ran \(ended.load(ordering: .relaxed)) jobs")
