import Dispatch

/// A search engine asks several shards for every query.
struct SearchFanOut: Scenario {
    static let id = "search-fan-out"
    static let detector = "pool-deadlock"
    static let gain = Gain.failedRuns
    static let summary = """
        Every query blocks on the global queue until its shards finish, which are behind it on the same queue.
        """
    static let repair = "No query blocks: the last shard notifies the query's group."
    static let tolerated = [
        Tolerance("pool-starvation", because: "items wait, and no worker can run them"),
        Tolerance("deadlock", because: "the whole pool waits for itself"),
        Tolerance("item-never-ran", because: "the shards' work never begins"),
        Tolerance("unbalanced-group", because: "the shards never leave the queries' groups"),
    ]
    static let ending = Ending.gaveUp

    let label: String
    let queries: Int
    let shards: Int

    init(_ variation: inout Variation) {
        label = variation.label("answers")
        queries = 4 * Machine.processors + variation.count("more than four for each processor", 4...16)
        shards = variation.count("shards", 2...5)
    }

    func run(repaired: Bool) {
        let pool = DispatchQueue.global()
        let answers = DispatchQueue(label: label)
        let answered = DispatchGroup()
        let searching = Milestones()
        for _ in 0..<queries {
            answered.enter()
            pool.async {
                let results = DispatchGroup()
                for _ in 0..<shards { pool.async(group: results) { Work.compute(for: .microseconds(100)) } }
                if repaired {
                    results.notify(queue: answers) { answered.leave() }
                } else {
                    searching.reach()
                    results.wait()
                    answered.leave()
                }
            }
        }
        if repaired { return answered.wait() }
        Watchdog.giveUp(after: .milliseconds(500), having: min(queries, Machine.processors), of: searching)
    }
}
