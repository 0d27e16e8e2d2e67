import Dispatch

/// What the whole service shares: how often each word was asked for.
protocol StateStore: AnyObject, Sendable {
    /// All words counted so far, mixed so that a lost one shows in the checksum.
    var totalCount: UInt64 { get }
}

/// The counters themselves; a few microseconds of work for a word or for many.
struct WordCounts {
    private var counts: [String: Int] = [:]
    private var recent: [String] = []
    private(set) var trending: [String] = []

    /// Counts words, and ranks those asked for last.
    mutating func count(_ words: some Collection<String>) {
        for word in words { counts[word, default: 0] += 1 }
        recent.append(contentsOf: words)
        if recent.count > 32 { recent.removeFirst(recent.count - 32) }
        var ranking: [String: Int] = [:]
        for word in recent { ranking[word, default: 0] += 1 }
        trending = ranking.filter { $0.value > 1 }.map(\.key)
    }

    var total: UInt64 {
        counts.reduce(0) { $0 &+ Fingerprint.of($1.key.utf8) &* UInt64($1.value) }
    }
}

/// Before: a serial queue guards the counters, and every access waits for it.
///
/// `sync` hands the queue over to the thread that waited longest. With a few microseconds of work per turn the
/// threads spend their time waking each other.
final class QueueStateStore: StateStore, @unchecked Sendable {
    private let queue = TracedQueue(label: "news.state")
    // Guarded by `queue`.
    private var words = WordCounts()

    func count(_ word: String) {
        queue.sync { words.count(CollectionOfOne(word)) }
    }

    var totalCount: UInt64 { queue.sync { words.total } }
}

/// After: an unfair lock, taken once for all words of a batch.
final class LockStateStore: StateStore, @unchecked Sendable {
    private let lock = TracedLock(label: "news.state.lock", fairness: .unfair)
    // Guarded by `lock`.
    private var words = WordCounts()

    func count(_ queries: [Query]) {
        let asked = queries.flatMap(\.words)
        lock.withLock { words.count(asked) }
    }

    var totalCount: UInt64 { lock.withLock { words.total } }
}
