import DispatchModel

/// An operation of the trace that becomes one or two spans, stored until the analysis has ended.
///
/// Only the fields of its kind are set. Indices are positions in the model; -1 is none. The type has no reference, so
/// that a ``RecordSpool`` can store its bytes.
struct OTLPRecord: BitwiseCopyable {
    enum Kind: UInt8 {
        /// `begin`, `middle`, `end`: submission, begin and end.
        case item
        /// An item that did not begin.
        case pendingItem
        /// A wait for a group, a semaphore, a work item, a queue or a lock; `detail` is a ``WaitObject``.
        case blockedWait
        case task
        /// The await of a task, without the wait for its executor.
        case await
        /// An interval of the program, with its texts.
        case interval
    }

    struct Flags: OptionSet {
        let rawValue: UInt8
        static let isFinished = Flags(rawValue: 1)
        static let isCancelled = Flags(rawValue: 2)
        static let timedOut = Flags(rawValue: 4)
        static let isBarrier = Flags(rawValue: 8)
        /// The wait is in a job of a Swift task.
        static let isInJob = Flags(rawValue: 16)
    }

    let kind: Kind
    var flags: Flags = []
    /// The raw value of the kind of an item, a task, an await or a ``WaitObject``.
    var detail: UInt8 = 0
    var thread: Int32 = -1
    /// The thread that submitted an item.
    var submitter: Int32 = -1
    var queue: Int32 = -1
    var lock: Int32 = -1
    var code: Int32 = 0
    /// Number of submissions from the root of the async chain to the item.
    var hops: Int32 = 0
    /// The number of an item or a task, the number of a wait, or the position of an interval.
    var number: Int64 = -1
    /// The parent of an item, the item around a wait, or the task of an await.
    var parent: Int64 = -1
    /// The root of the async chain of the item, or of the item around a wait.
    var operation: Int64 = -1
    var begin: Int64
    var middle: Int64 = 0
    var end: Int64
    var waits = WaitParts()

    init(_ kind: Kind, from begin: Timestamp, to end: Timestamp) {
        self.kind = kind
        (self.begin, self.end) = (begin.nanoseconds, end.nanoseconds)
    }

    /// Whether the item is a job of a Swift task, which belongs to the request of its task and not of its submitter.
    var isJob: Bool {
        let kind = ItemKind(rawValue: detail)
        return kind == .actorJob || kind == .swiftJob
    }
}

extension OTLPRecord {
    init(_ item: Item) {
        self.init(.item, from: item.enqueuedAt, to: item.endedAt)
        middle = item.beganAt.nanoseconds
        if item.isFinished { flags.insert(.isFinished) }
        if item.isBarrier { flags.insert(.isBarrier) }
        detail = item.kind.rawValue
        thread = item.thread.rawValue
        submitter = item.enqueuedOn?.rawValue ?? -1
        (queue, code) = (item.queue.rawValue, item.code.rawValue)
        number = item.number.rawValue
        parent = item.parent?.rawValue ?? -1
        (operation, hops) = (item.operation.rawValue, item.hops)
        waits = item.waitParts
    }

    init(_ item: PendingItem) {
        self.init(.pendingItem, from: item.enqueuedAt, to: item.until)
        if item.isCancelled { flags.insert(.isCancelled) }
        if item.isBarrier { flags.insert(.isBarrier) }
        detail = item.kind.rawValue
        submitter = item.enqueuedOn?.rawValue ?? -1
        (queue, code) = (item.queue.rawValue, item.code.rawValue)
        number = item.number.rawValue
        parent = item.parent?.rawValue ?? -1
        operation = item.operation.rawValue
        waits = item.waitParts
    }

    init(_ wait: BlockedWait, number: Int64) {
        self.init(.blockedWait, from: wait.begin, to: wait.end)
        if wait.isFinished { flags.insert(.isFinished) }
        if wait.timedOut { flags.insert(.timedOut) }
        switch wait.object {
        case .group, .semaphore, .item: break
        case .queue(let index): queue = index.rawValue
        case .lock(let index): lock = index.rawValue
        }
        detail = wait.object.kind.rawValue
        (thread, code) = (wait.thread.rawValue, wait.code.rawValue)
        (self.number, parent) = (number, wait.waiter?.rawValue ?? -1)
    }

    /// The wait for a lock that was acquired.
    init(_ acquisition: Acquisition, of lock: LockIndex, number: Int64) {
        self.init(.blockedWait, from: acquisition.requestedAt, to: acquisition.grantedAt)
        flags.insert(.isFinished)
        detail = WaitObject.lock.rawValue
        self.lock = lock.rawValue
        (thread, code) = (acquisition.thread.rawValue, acquisition.code.rawValue)
        (self.number, parent) = (number, acquisition.item?.rawValue ?? -1)
    }

    init(_ task: SwiftTask) {
        self.init(.task, from: task.createdAt, to: task.endedAt)
        if task.isFinished { flags.insert(.isFinished) }
        if task.isCancelled { flags.insert(.isCancelled) }
        detail = task.kind.rawValue
        code = task.code.rawValue
        number = Int64(bitPattern: task.number)
        if let creator = task.parent { parent = Int64(bitPattern: creator) }
    }

    init(_ wait: TaskWait, number: Int64) {
        self.init(.await, from: wait.began, to: wait.resumedAt ?? wait.ended)
        if wait.isFinished { flags.insert(.isFinished) }
        detail = wait.kind.rawValue
        (thread, code) = (wait.beganOn.rawValue, wait.place.rawValue)
        (self.number, parent) = (number, Int64(bitPattern: wait.task))
    }

    /// - Parameter position: the position of the interval in ``OTLPContextRecorder/intervals``; nil beyond the limit.
    init(_ interval: Signpost, position: Int?) {
        self.init(.interval, from: interval.begin, to: interval.end)
        if interval.isFinished { flags.insert(.isFinished) }
        (thread, code) = (interval.beginThread.rawValue, interval.code.rawValue)
        number = Int64(position ?? -1)
        operation = Int64(bitPattern: interval.id)
    }
}
