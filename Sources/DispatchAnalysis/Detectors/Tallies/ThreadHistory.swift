import DispatchModel

/// The recent waits of each thread: for locks, groups, semaphores, work items and queues, or in system calls.
///
/// A wait is observed when it ends, which is before the end of the item that contains it. So a few waits per thread are
/// enough.
///
/// ```
///   item    ├──────── holds its queue ────────┤
///   thread      ░░ read ░░  ░░░░ sync ░░░░         longest: sync
/// ```
struct ThreadHistory {
    /// The reason of a wait, and the code that waits.
    struct Place {
        let kind: BlockedTask.Place
        let code: CodeIndex

        /// `the system call read at App/File.swift:3`.
        func name(in model: DispatchModel) -> String { "\(kind.name(in: model))\(model.place(of: code))" }

        /// `a group at App/Upload.swift:5`, with the name of a queue or lock.
        func description(in model: DispatchModel) -> String {
            let what =
                switch kind {
                case .object(.group): "a group"
                case .object(.semaphore): "a semaphore"
                case .object(.item): "a work item"
                case .object(.queue(let queue)): "a sync to \(model.name(of: queue))"
                case .object(.lock(let lock)): model.name(of: lock)
                case .systemCall: kind.name(in: model)
                }
            return "\(what)\(model.place(of: code))"
        }
    }

    /// A time for which a thread waited.
    struct Wait {
        let thread: ThreadIndex
        let place: Place
        fileprivate(set) var begin: Timestamp
        let end: Timestamp
        /// Without the pauses between waits that were merged into it.
        fileprivate(set) var length: Nanoseconds

        init(
            _ thread: ThreadIndex, in kind: BlockedTask.Place, _ code: CodeIndex, from begin: Timestamp,
            to end: Timestamp
        ) {
            self.thread = thread
            place = Place(kind: kind, code: code)
            self.begin = begin
            self.end = end
            length = end - begin
        }

        /// The wait of a sync that ended. If another thread ran the item, its caller waited until the item ended.
        ///
        /// - Parameters:
        ///   - item: the item of the sync.
        ///   - caller: the thread that submitted it.
        init(sync item: ItemRow, of caller: ThreadIndex) {
            self.init(
                caller, in: .object(.queue(item.queue)), item.code, from: item.enqueuedAt,
                to: caller == item.thread ? item.beganAt : item.endedAt)
        }

        init(_ wait: BlockedWait) {
            self.init(wait.thread, in: .object(wait.object), wait.code, from: wait.begin, to: wait.end)
        }

        /// The wait for a lock; nil for a queue, and when the thread got the lock at once.
        init?(_ acquisition: Acquisition) {
            guard acquisition.blocksThread, case .lock(let lock) = acquisition.domain else { return nil }
            self.init(
                acquisition.thread, in: .object(.lock(lock)), acquisition.code, from: acquisition.requestedAt,
                to: acquisition.grantedAt)
        }

        /// A blocking system call; nil when the thread waits for work, and without both a call and a code.
        init?(_ call: BlockedCall) {
            guard !call.waitsForWork, call.code != .unknown || !call.call.isEmpty else { return nil }
            self.init(call.thread, in: .systemCall(call.call), call.code, from: call.begin, to: call.end)
        }
    }

    /// Most waits kept per thread. When a thread has more, the oldest wait is merged into the next one.
    private static let limit = 64

    /// By position of the thread, in the order of the ends.
    private var waits: [[Wait]] = []

    mutating func add(_ wait: Wait) {
        guard wait.end > wait.begin else { return }
        let thread = wait.thread.position
        waits.reach(thread, [])
        waits[thread].append(wait)
        guard waits[thread].count > Self.limit else { return }
        let oldest = waits[thread].removeFirst()
        waits[thread][0].begin = min(oldest.begin, waits[thread][0].begin)
        waits[thread][0].length += oldest.length
    }

    /// The time for which a thread waited between two instants.
    func total(of thread: ThreadIndex, from begin: Timestamp, to end: Timestamp) -> Nanoseconds {
        lengths(of: thread, from: begin, to: end).reduce(.zero) { $0 + $1.length }
    }

    /// The place where a thread waited longest between two instants, and its total wait there; nil without waits.
    func longest(
        of thread: ThreadIndex, from begin: Timestamp, to end: Timestamp
    ) -> (place: Place, length: Nanoseconds)? {
        let all = lengths(of: thread, from: begin, to: end)
        let totals = Dictionary(all.map { ($0.place.code, $0.length) }, uniquingKeysWith: +)
        guard let most = totals.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return nil }
        return all.filter { $0.place.code == most.key }.max { $0.length < $1.length }.map { ($0.place, most.value) }
    }

    /// The place of the last wait, if this wait took at least half of a time span of its thread; nil otherwise.
    func most(of thread: ThreadIndex, from begin: Timestamp, to end: Timestamp) -> Place? {
        guard thread.position < waits.count, let wait = waits[thread.position].last, begin <= wait.begin,
            wait.end <= end, (wait.end - wait.begin).count * 2 >= (end - begin).count
        else { return nil }
        return wait.place
    }

    private func lengths(
        of thread: ThreadIndex, from begin: Timestamp, to end: Timestamp
    ) -> [(place: Place, length: Nanoseconds)] {
        guard thread.position < waits.count else { return [] }
        return waits[thread.position].filter { $0.begin < end && $0.end > begin }
            .map { ($0.place, min($0.length, min($0.end, end) - max($0.begin, begin))) }
    }
}
