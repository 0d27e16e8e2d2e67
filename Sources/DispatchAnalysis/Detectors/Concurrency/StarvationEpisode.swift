import DispatchModel

/// An interval in which, at every instant, at least one item of a root queue waited for a worker.
struct StarvationEpisode {
    /// An item that waited for a worker.
    struct Item {
        let queue: QueueIndex
        let code: CodeIndex
        let begin: Timestamp
        let end: Timestamp
        let isFinished: Bool
        let submitted: Timestamp
        /// Whether its queue is in a serial hierarchy. If so, it may have waited for another item of the hierarchy.
        let isExclusive: Bool
    }

    private static let itemLimit = 32
    /// Most episodes kept. An episode lasts at least 50 ms by default, so only a very long trace has more.
    private static let limit = 1024

    let root: QueueIndex
    private(set) var begin: Timestamp
    private(set) var end: Timestamp
    private(set) var count = 0
    private(set) var items: [Item] = []
    /// The largest number of workers of the root queue.
    private(set) var workers = 0

    /// Adds an item to the episodes that it overlaps, which are merged, or begins a new episode.
    static func add(_ item: Item, root: QueueIndex, workers: Int, to episodes: inout [StarvationEpisode]) {
        var merged = StarvationEpisode(root: root, begin: item.begin, end: item.end)
        // Items are added in roughly chronological order, so an item can overlap only the last episodes.
        for position in episodes.indices.suffix(16).reversed() {
            let other = episodes[position]
            guard other.root == root, other.begin <= merged.end, other.end >= merged.begin else { continue }
            merged.begin = min(merged.begin, other.begin)
            merged.end = max(merged.end, other.end)
            merged.count += other.count
            merged.items = Array((other.items + merged.items).prefix(itemLimit))
            merged.workers = max(merged.workers, other.workers)
            episodes.remove(at: position)
        }
        merged.count += 1
        merged.workers = max(merged.workers, workers)
        if merged.items.count < itemLimit { merged.items.append(item) }
        if episodes.count < limit { episodes.append(merged) }
    }
}

/// The longest waits of each worker. The limit is per worker, so that long waits of one thread do not evict the waits
/// of the others.
struct LongestWaits {
    /// One wait.
    struct Wait {
        let thread: ThreadIndex
        let object: String
        let code: CodeIndex
        let begin: Timestamp
        let end: Timestamp
        /// The part of it in which the thread was blocked.
        let length: Nanoseconds
        /// Whether the wait is derived from context switches, and not from a recorded call.
        var isOffProcessor = false
        /// Whether its item had not ended at the end of the trace.
        var isOpen = false
        /// The awaited object; nil for a sync and for a system call.
        var identity: BlockedWait.Object?
    }

    /// Most waits kept per worker. Twice as many are collected before the shorter ones are removed.
    private static let limit = 256
    /// By position of the thread.
    private var waits: [[Wait]] = []

    mutating func add(_ wait: Wait) {
        let thread = wait.thread.position
        waits.reach(thread, [])
        waits[thread].append(wait)
        guard waits[thread].count >= 2 * Self.limit else { return }
        waits[thread].sort { $0.length > $1.length }
        waits[thread].removeLast(waits[thread].count - Self.limit)
    }

    /// The kept waits of all workers.
    var all: some Sequence<Wait> { waits.joined() }

    /// One of these waits that contains the given wait of the same thread; nil for none.
    func first(around wait: Wait) -> Wait? {
        guard wait.thread.position < waits.count else { return nil }
        return waits[wait.thread.position].first { $0.begin <= wait.begin && wait.end <= $0.end }
    }

    /// Whether one of these waits contains the given wait of the same thread.
    func cover(_ wait: Wait) -> Bool { first(around: wait) != nil }

    /// The sum of these waits between two times, on the workers of a root queue.
    func total(of root: QueueIndex, from begin: Timestamp, to end: Timestamp, in model: DispatchModel) -> Nanoseconds {
        waits.joined().reduce(.zero) { sum, wait in
            model[wait.thread].root == root ? sum + max(.zero, min(wait.end, end) - max(wait.begin, begin)) : sum
        }
    }

    /// For each worker of the root queue that was blocked for at least half of the episode: its longest wait.
    func blocking(_ episode: StarvationEpisode, in model: DispatchModel) -> [Wait] {
        var times: [ThreadIndex: Blocks] = [:]
        for wait in waits.joined() where wait.begin < episode.end && wait.end > episode.begin {
            guard model[wait.thread].root == episode.root else { continue }
            // An open item may only lack its end event.
            guard !wait.isOpen || !model.lacksEvents(from: wait.begin, to: wait.end) else { continue }
            times[wait.thread, default: Blocks()].add(wait, in: episode)
        }
        let length = episode.end - episode.begin
        return times.filter { $0.value.time.count * 2 >= length.count }.sorted { $0.key < $1.key }
            .compactMap(\.value.longest)
    }

    /// The blocked time of a thread. A recorded wait also appears in the context switches of its thread, so the two
    /// sums are not added.
    private struct Blocks {
        private var known = Nanoseconds.zero
        private var offProcessor = Nanoseconds.zero
        private(set) var longest: Wait?
        private var longestTime = Nanoseconds.zero

        var time: Nanoseconds { max(known, offProcessor) }

        mutating func add(_ wait: Wait, in episode: StarvationEpisode) {
            let time = min(wait.length, min(wait.end, episode.end) - max(wait.begin, episode.begin))
            if wait.isOffProcessor { offProcessor += time } else { known += time }
            // A recorded wait has an object, so it is preferred to off-CPU time.
            let isBetter = (longest?.isOffProcessor ?? true) && !wait.isOffProcessor
            let isWorse = wait.isOffProcessor && longest?.isOffProcessor == false
            guard isBetter || (!isWorse && time > longestTime) else { return }
            longest = wait
            longestTime = time
        }
    }
}

extension BlockedWait.Object {
    /// Whether waiters get the object one after the other.
    var isExclusive: Bool {
        switch self {
        case .lock, .semaphore: true
        case .queue, .group, .item: false
        }
    }
}
