import Dispatch

/// The event loops of a server look up images in one cache.
struct ImageCache: Scenario {
    static let id = "image-cache"
    static let detector = "staircase-contention"
    static let gain = Gain.blockedTime
    static let summary = """
        The event loops of a server look up one entry after the other in an image cache, each with `sync` on its \
        serial queue.
        """
    static let repair = """
        A pthread mutex protects the entries, held only to store one. The queue only trims the cache.
        """

    let label: String
    let loops: Int
    let lookups: Int
    let lookup: Duration

    init(_ variation: inout Variation) {
        label = variation.label("image-cache")
        loops = variation.count("loops", 3...6)
        lookups = variation.count("look-ups", 800...1600)
        lookup = variation.duration("look-up", .microseconds(4)...(.microseconds(9)))
    }

    var culprits: [String] { [label] }

    func run(repaired: Bool) {
        let queue = DispatchQueue(label: label)
        let cache = Cache(lookup: lookup)
        ProgramThread.run(loops) { loop in
            for key in 0..<lookups {
                if repaired {
                    let found = cache.find(key)
                    cache.entries.withLock { $0 = found }
                } else {
                    queue.sync { cache.entries.withLock { $0 = cache.find(key) } }
                }
            }
        }
        queue.sync { cache.entries.withLock { $0 = 0 } }
    }

    private final class Cache: Sendable {
        let entries = LockedValue(0)
        private let lookup: Duration

        init(lookup: Duration) { self.lookup = lookup }

        func find(_ key: Int) -> Int {
            Work.compute(for: lookup)
            return key
        }
    }
}
