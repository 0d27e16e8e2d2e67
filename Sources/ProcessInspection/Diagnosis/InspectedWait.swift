/// A wait of a thread, a task, or the items of a queue, in words.
struct InspectedWait {
    enum Waiter: Hashable {
        case thread(Int32)
        case task(UInt64)
        case items(queue: UInt64, count: Int)
    }

    /// The kind of the awaited object, with the names of the report on a trace.
    enum Object: String, Encodable {
        case queue, mutex, lock
        case readWriteLock = "read-write lock"
        case once = "one-time initialization"
        case thread, group, semaphore
        case condition = "condition variable"
        case operation
        case futex, continuation, task
        case taskGroup = "task group"
        case actor
        case suspendedQueue = "suspended queue"
        case heldQueue = "held queue"
        case freeThread = "free thread"
        case systemCall = "system call"
    }

    /// The party that would have to act to end the wait.
    struct Releaser {
        enum Kind: String, Encodable { case owner, awaited }

        let kind: Kind
        /// Absent for a task.
        let thread: Int32?
        let task: UInt64?
        /// The name, with the call and the code in which the party is.
        let text: String
    }

    let waiter: Waiter
    /// `main 4711`, `task 12`, `3 items on app.state`.
    let waiterName: String
    let object: Object
    /// The label of the object, or its address or number, or the name of the system call.
    let objectName: String
    /// `for queue app.state`, `in the system call read`.
    let cause: String
    /// The innermost code of the program that waits; nil when unknown.
    let place: String?
    let releaser: Releaser?
    /// Whether a program without work waits in this way.
    let mayBeIdle: Bool
    /// Whether the wait is part of a cycle.
    var isInCycle = false

    /// The cause with code and releaser, without the waiter.
    var description: String {
        cause + (place.map { ", in \($0)" } ?? "") + (releaser.map { "; \($0.text)" } ?? "")
    }
}
