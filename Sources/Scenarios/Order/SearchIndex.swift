import Dispatch

/// An application searches while its index is rebuilt.
struct SearchIndex: Scenario {
    static let id = "search-index"
    static let detector = "priority-inversion"
    static let gain = Gain.longestWait
    static let summary = """
        A search of the user waits with `sync` for the queue on which background work rebuilds the index.
        """
    static let repair = "The search reads a finished copy of the index on a queue with the user's quality of service."

    let label: String
    let searches: Int
    let rebuilding: Duration

    init(_ variation: inout Variation) {
        label = variation.label("index")
        searches = variation.count("searches", 2...5)
        rebuilding = variation.duration("rebuilding", .milliseconds(30)...(.milliseconds(60)))
    }

    var culprits: [String] { [label] }

    func run(repaired: Bool) {
        let index = DispatchQueue(label: label, qos: .background)
        let snapshot = DispatchQueue(label: "\(label).snapshot", qos: .userInteractive)
        let user = DispatchQueue(label: "\(label).search", qos: .userInteractive)
        let done = DispatchGroup()
        for _ in 0..<searches {
            let started = DispatchSemaphore(value: 0)
            index.async(group: done) {
                started.signal()
                Work.compute(for: rebuilding)
            }
            started.wait()
            user.async(group: done) {
                (repaired ? snapshot : index).sync { Work.compute(for: .microseconds(100)) }
            }
            done.wait()
        }
    }
}
