import Dispatch
import Foundation
import FoundationNetworking
import Glibc

// An unmodified program to record. Usage: InterposerLoad LOAD. For every line of standard input it runs one round of
// the load and prints three numbers per operation: wall-clock time and processor time in nanoseconds, and allocations.
// The third is 0 without the library that counts allocations.

let loads: [String: (operations: Int, run: (Int) -> Void)] = [
    "sync": (2_000, emptySync),
    "async": (2_000, emptyAsync),
    "mutex": (20_000, computeAndLock),
    "hop": (2_000, hops),
    "continuation": (2_000, continuations),
    "task": (2_000, tasks),
    "urlsession": (50, requests),
]

let queue = DispatchQueue(label: "load")

func emptySync(_ count: Int) { for _ in 0..<count { queue.sync {} } }

/// Fills a suspended queue and drains it, so that no worker starts or parks between the items.
func emptyAsync(_ count: Int) {
    queue.suspend()
    for index in 0..<count { queue.async { _ = index } }
    queue.resume()
    queue.sync {}
}

nonisolated(unsafe) let mutex = {
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    return mutex
}()
nonisolated(unsafe) var sum: UInt64 = 0

/// Some arithmetic under an uncontended lock, and more arithmetic outside of it.
func computeAndLock(_ count: Int) {
    var state: UInt64 = 88_172_645_463_325_252
    for _ in 0..<count {
        for _ in 0..<64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
        }
        pthread_mutex_lock(mutex)
        sum &+= state
        pthread_mutex_unlock(mutex)
    }
}

actor Counter {
    private(set) var value: UInt64 = 0
    func increment() { value &+= 1 }
}
let counter = Counter()

/// Runs a closure in a task and waits for its end: one submission per round.
func inTask(_ body: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        await body()
        done.signal()
    }
    done.wait()
}

/// A task calls an uncontended actor and returns.
func hops(_ count: Int) { inTask { for _ in 0..<count { await counter.increment() } } }

/// A task awaits a continuation that is resumed immediately.
func continuations(_ count: Int) {
    inTask { for _ in 0..<count { await withUnsafeContinuation { $0.resume() } } }
}

/// A task creates another one and awaits it.
func tasks(_ count: Int) { inTask { for index in 0..<count { await Task { _ = index }.value } } }

/// Port of the server, which is a separate process and is not recorded.
let port = UInt16(ProcessInfo.processInfo.environment["INTERPOSER_LOAD_PORT"] ?? "") ?? 0
let session = URLSession(configuration: .ephemeral)

func requests(_ count: Int) {
    let group = DispatchGroup()
    for index in 0..<count {
        group.enter()
        session.dataTask(with: URL(string: "http://127.0.0.1:\(port)/\(index)")!) { data, _, error in
            precondition(
                error == nil && data?.count == LoopbackServer.bodySize, "request failed: \(String(describing: error))")
            group.leave()
        }.resume()
    }
    group.wait()
}

if CommandLine.arguments.dropFirst() == ["serve"] {
    FileHandle.standardOutput.write(Data("\(LoopbackServer().port)\n".utf8))
    while readLine() != nil {}
    exit(0)
}
guard CommandLine.arguments.count == 2, let load = loads[CommandLine.arguments[1]] else {
    let names = (loads.keys.sorted() + ["serve"]).joined(separator: "|")
    FileHandle.standardError.write(Data("usage: InterposerLoad \(names)\n".utf8))
    exit(64)
}

/// Processor time of all threads of the process, in nanoseconds.
func processorTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Function of the preloaded library that counts allocations; nil if the library is not preloaded.
let allocations = dlsym(nil, "benchmark_allocations").map { unsafeBitCast($0, to: (@convention(c) () -> UInt64).self) }

while readLine() != nil {
    let allocationsBefore = allocations?() ?? 0
    let start = DispatchTime.now().uptimeNanoseconds
    let processorStart = processorTime()
    load.run(load.operations)
    let processor = Double(processorTime() - processorStart) / Double(load.operations)
    let time = Double(DispatchTime.now().uptimeNanoseconds - start) / Double(load.operations)
    let made = Double((allocations?() ?? 0) - allocationsBefore) / Double(load.operations)
    FileHandle.standardOutput.write(Data("\(time) \(processor) \(made)\n".utf8))
}
