import Dispatch

/// State that the whole service shares: the number of requests for each word.
protocol StateStore: AnyObject, Sendable {
    /// The counts of all words as one number, so that a lost count changes the checksum.
    var totalCount: UInt64 { get }
}

/// The counters. An update takes a few microseconds, for one word or for many.
struct WordCounts {
    private var counts: [String: Int] = [:]
    private var recent: [String] = []
    private(set) var trending: [String] = []

    /// Counts words, and ranks the most recent words.
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

/// Before the fix: a serial queue protects the counters, and every access waits for it.
///
/// `sync` hands the queue to the thread that has waited longest. With a few microseconds of work per turn, the threads
/// spend their time waking each other.
final class QueueStateStore: StateStore, @unchecked Sendable {
    private let queue = TracedQueue(label: "news.state")
    // Protected by `queue`.
    private var words = WordCounts()

    func count(_ word: String) {
        queue.sync { words.count(CollectionOfOne(word)) }
    }

    var totalCount: UInt64 { queue.sync { words.total } }
}

/// After the fix: an unfair lock, acquired once for all words of a batch.
final class LockStateStore: StateStore, @unchecked Sendable {
    private let lock = TracedLock(label: "news.state.lock", fairness: .unfair)
    // Protected by `lock`.
    private var words = WordCounts()

    func count(_ queries: [Query]) {
        let asked = queries.flatMap(\.words)
        lock.withLock { words.count(asked) }
    }

    var totalCount: UInt64 { lock.withLock { words.total } }
}
