import AnalysisText
import DispatchAnalysis
import DispatchModel
import Symbolication

/// A wait that a thread, a task or the items of a queue had not finished when the trace ended.
struct OpenWaitDocument: Encodable {
    enum Waiter: String, Encodable { case thread, task, items }

    enum Object: String, Encodable {
        case queue, lock, mutex, group, semaphore
        case readWriteLock = "read-write lock"
        case item = "work item"
        case continuation, task
        case taskGroup = "task group"
        case actor
        case suspendedQueue = "suspended queue"
        case heldQueue = "held queue"
        case freeThread = "free thread"
        case systemCall = "system call"
        case unknown
    }

    let waiter: Waiter
    /// The id of the waiting thread. For a task, the id of the thread that it left. For items, the id of the thread
    /// that submitted the first one, or 0 when it is unknown.
    let tid: UInt32
    /// The id of the waiting task. Absent for a thread and for items.
    let task: UInt64?
    /// Number of waiting items of the queue. 1 for a thread and for a task.
    let count: Int
    let object: Object
    /// The label of the object, or its address or number, or the name of the system call. Empty for a continuation, a
    /// free thread and an unknown object.
    let name: String
    /// The kind of the descriptor of the system call. Absent when unknown.
    let descriptor: DescriptorKind?
    /// The id of the thread that holds the object. Absent when unknown.
    let holder: UInt32?
    var begin: Timestamp
    /// The time from the begin of the wait to the end of the trace.
    let duration: Nanoseconds
    let code: CodeDocument
    /// The part of the program that would have to act to end the wait. Absent when unknown.
    let releaser: ReleaserDocument?
    /// The number of the cycle of waits that this wait belongs to, from 1. Absent for none.
    let cycle: Int?
    /// Whether a program without work waits in this way, for example for the next element of a sequence.
    let mayBeIdle: Bool
    /// Whether the verdict mentions this wait.
    let isHeadline: Bool

    enum CodingKeys: String, CodingKey {
        case waiter, tid, task, count, object, name, descriptor, code, cycle
        case holder = "holder_tid"
        case begin = "begin_ns"
        case duration = "duration_ns"
        case releaser = "ended_by"
        case mayBeIdle = "may_be_idle"
        case isHeadline = "in_verdict"
    }

    init(_ wait: OpenWait, isHeadline: Bool, in model: DispatchModel, symbols: SymbolTable) {
        switch wait.waiter {
        case .thread: (waiter, task, count) = (.thread, nil, 1)
        case .task(let number): (waiter, task, count) = (.task, number, 1)
        case .items(_, let count): (waiter, task, self.count) = (.items, nil, count)
        }
        tid = wait.thread.map { model[$0].tid } ?? 0
        let (kind, name) = WaitObjectName.parts(of: wait.cause, in: model)
        (object, self.name) = (Object(rawValue: kind) ?? .unknown, name)
        descriptor = wait.descriptor.known
        holder = wait.releaser.flatMap { $0.kind == .owner ? $0.thread : nil }.map { model[$0].tid }
        begin = wait.begin
        duration = wait.duration
        code = CodeDocument(wait.code, in: model, symbols: symbols)
        releaser = wait.releaser.map { ReleaserDocument($0, in: model, symbols: symbols) }
        cycle = wait.cycle
        mayBeIdle = wait.mayBeIdle
        self.isHeadline = isHeadline
    }
}

/// The part of the program that would have to act to end a wait.
struct ReleaserDocument: Encodable {
    let kind: OpenWait.Releaser.Kind
    /// The id of its thread. Absent when it has none.
    let tid: UInt32?
    /// The id of its task. Absent when it has none.
    let task: UInt64?
    /// The label of the queue on which it waits to begin. Absent when there is none.
    let queue: String?
    /// The system call in which its thread is blocked. Absent when unknown.
    let call: String?
    /// The kind of the descriptor of that call. Absent when unknown.
    let descriptor: DescriptorKind?
    /// Its code. Absent when unknown.
    let code: CodeDocument?
    /// Number of tasks or items that the waiter waits for.
    let count: Int

    init(_ releaser: OpenWait.Releaser, in model: DispatchModel, symbols: SymbolTable) {
        kind = releaser.kind
        tid = releaser.thread.map { model[$0].tid }
        task = releaser.task
        queue = releaser.queue.map { QueueName.of($0, in: model) }
        call = releaser.call.isEmpty ? nil : releaser.call
        descriptor = releaser.descriptor.known
        code = CodeDocument(known: releaser.code, in: model, symbols: symbols)
        count = releaser.count
    }
}
