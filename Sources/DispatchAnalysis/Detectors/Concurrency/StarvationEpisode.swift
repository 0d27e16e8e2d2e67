import DispatchModel

/// A stretch of time in which items of a root queue waited for a worker all the while.
struct StarvationEpisode {
    /// An item that waited.
    struct Item {
        let queue: QueueIndex
        let code: CodeIndex
        let begin: Timestamp
        let end: Timestamp
        let isFinished: Bool
        let submitted: Timestamp
        /// It is on a serial hierarchy, so that another item of that may be what it waited for.
        let isExclusive: Bool
    }

    private static let itemLimit = 32
    /// Episodes kept; they last a tenth of a second at least, so that more of them make a very long trace.
    private static let limit = 1024

    let root: QueueIndex
    private(set) var begin: Timestamp
    private(set) var end: Timestamp
    private(set) var count = 0
    private(set) var items: [Item] = []
    /// The most workers that existed.
    private(set) var workers = 0

    /// Adds an item to the episode that it overlaps, or begins one with it.
    static func add(_ item: Item, root: QueueIndex, workers: Int, to episodes: inout [StarvationEpisode]) {
        var merged = StarvationEpisode(root: root, begin: item.begin, end: item.end)
        // Items begin in about the order of time: those that it can overlap are the last ones.
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

/// The longest waits of each worker. The limit is per worker, so that the long waits of an idle one do not evict the waits
/// of the others.
struct LongestWaits {
    /// One wait.
    struct Wait {
        let thread: ThreadIndex
        let object: String
        let code: CodeIndex
        let begin: Timestamp
        let end: Timestamp
        /// For how much of it the thread was blocked.
        let length: Nanoseconds
        /// Context switches tell it, rather than a call.
        var isOffProcessor = false
        /// Its item had not ended at the trace's end.
        var isOpen = false
    }

    /// For each worker.
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

    /// Whether one of these begins before another one of its thread, and ends after it.
    func cover(_ wait: Wait) -> Bool {
        guard wait.thread.position < waits.count else { return false }
        return waits[wait.thread.position].contains { $0.begin <= wait.begin && wait.end <= $0.end }
    }

    /// For how long these went on altogether between two times, on the workers of a root queue.
    func total(of root: QueueIndex, from begin: Timestamp, to end: Timestamp, in model: DispatchModel) -> Nanoseconds {
        waits.joined().reduce(.zero) { sum, wait in
            model[wait.thread].root == root ? sum + max(.zero, min(wait.end, end) - max(wait.begin, begin)) : sum
        }
    }

    /// Of each worker of the episode's root that was blocked for most of it, the wait that took most of it.
    func blocking(_ episode: StarvationEpisode, in model: DispatchModel) -> [Wait] {
        var times: [ThreadIndex: Blocks] = [:]
        for wait in waits.joined() where wait.begin < episode.end && wait.end > episode.begin {
            guard model[wait.thread].root == episode.root else { continue }
            // That an item is still off its processor may only mean that its end is missing.
            guard !wait.isOpen || !model.lacksEvents(from: wait.begin, to: wait.end) else { continue }
            times[wait.thread, default: Blocks()].add(wait, in: episode)
        }
        let length = episode.end - episode.begin
        return times.filter { $0.value.time.count * 2 >= length.count }.sorted { $0.key < $1.key }
            .compactMap(\.value.longest)
    }

    /// How long a thread was blocked. What a wait took shows in the switches of its thread too.
    private struct Blocks {
        private var known = Nanoseconds.zero
        private var offProcessor = Nanoseconds.zero
        private(set) var longest: Wait?
        private var longestTime = Nanoseconds.zero

        var time: Nanoseconds { max(known, offProcessor) }

        mutating func add(_ wait: Wait, in episode: StarvationEpisode) {
            let time = min(wait.length, min(wait.end, episode.end) - max(wait.begin, episode.begin))
            if wait.isOffProcessor { offProcessor += time } else { known += time }
            // A wait says more than that its thread had no processor.
            let isBetter = (longest?.isOffProcessor ?? true) && !wait.isOffProcessor
            let isWorse = wait.isOffProcessor && longest?.isOffProcessor == false
            guard isBetter || (!isWorse && time > longestTime) else { return }
            longest = wait
            longestTime = time
        }
    }
}
