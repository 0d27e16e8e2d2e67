// Tasks that block their threads in system calls: in a call by the program, in a call by Foundation, in a small
// function that takes a lock, and where earlier calls have left return addresses on the stack. Compiled with frame
// pointers, as SwiftPM does.
//: link -Xcc -fno-omit-frame-pointer
import Foundation

@inline(never)
func awaitAnswer(from descriptor: Int32) -> Int {
    var byte: UInt8 = 0
    return read(descriptor, &byte, 1) + 1
}

@inline(never)
func restBriefly() -> Int {
    usleep(300_000)
    return 1
}

@inline(never)
func napInFoundation() -> Int {
    Thread.sleep(forTimeInterval: 0.3)
    return 1
}

/// Leaves return addresses on the stack, which remain there when a later call of its caller blocks.
@inline(never)
func mayGoOn(after steps: Int) -> Bool {
    steps == 0 ? readyByChance() : mayGoOn(after: steps - 1) && readyByChance()
}

@inline(never)
func readyByChance() -> Bool { getpid() == 0 }

@inline(never)
func pollOnce(_ isReady: () -> Bool) -> Int {
    if isReady() { return 0 }
    usleep(300_000)
    return 1
}

/// A lock that is not a pthread mutex, so that no hook records it.
final class FileLock: @unchecked Sendable {
    private let descriptor: Int32

    init(_ path: String) { descriptor = open(path, O_CREAT | O_RDWR, 0o600) }

    @inline(never)
    func lock() { flock(descriptor, LOCK_EX) }

    @inline(never)
    func unlock() { flock(descriptor, LOCK_UN) }
}

@inline(never)
func updateFile(_ lock: FileLock) -> Int {
    lock.lock()
    defer { lock.unlock() }
    return 1
}

var ends: [Int32] = [0, 0]
pipe(&ends)
let (readEnd, writeEnd) = (ends[0], ends[1])
let path = NSTemporaryDirectory() + "blocking_calls.\(getpid())"
let (held, wanted) = (FileLock(path), FileLock(path))
unlink(path)

func run() async -> Int {
    held.lock()
    let thread = Thread {
        for _ in 0..<2 {
            usleep(300_000)
            write(writeEnd, "x", 1)
        }
        usleep(300_000)
        held.unlock()
    }
    thread.start()
    var sum = 0
    for _ in 0..<2 {
        sum += await Task { awaitAnswer(from: readEnd) }.value
    }
    sum += await Task { updateFile(wanted) }.value
    for _ in 0..<2 {
        sum += await Task { restBriefly() }.value
        sum += await Task { napInFoundation() }.value
        sum += await Task { pollOnce { mayGoOn(after: 20) } }.value
    }
    return sum
}
print(await run())
