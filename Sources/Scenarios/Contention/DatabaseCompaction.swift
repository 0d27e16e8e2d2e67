import Dispatch

/// Requests read from a database that is compacted now and then.
struct DatabaseCompaction: Scenario {
    static let id = "database-compaction"
    static let detector = "long-sync-wait"
    static let summary = "A request reads by `sync` from a database's queue while the queue compacts the whole file."
    static let repair = """
        Compaction prepares the new file on a queue of its own, and the database's queue only swaps it in.
        """
    static let tolerated = [
        Tolerance(
            "work-too-large", because: "the compaction is one long item of a serial queue, with requests behind it")
    ]

    let label: String
    let compaction: Duration
    let readers: Int

    init(_ variation: inout Variation) {
        label = variation.label("database")
        compaction = variation.duration("compaction", .milliseconds(260)...(.milliseconds(400)))
        readers = variation.count("readers", 1...3)
    }

    var culprits: [String] { [label] }

    func run(repaired: Bool) {
        let database = DispatchQueue(label: label)
        let compactor = DispatchQueue(label: "\(label).compaction")
        let done = DispatchGroup()
        if repaired {
            compactor.async(group: done) {
                Work.compute(for: compaction)
                database.async(group: done) { Work.compute(for: .microseconds(50)) }
            }
        } else {
            database.async(group: done) { Work.compute(for: compaction) }
        }
        ProgramThread.run(readers) { _ in
            Work.block(for: .milliseconds(5))
            database.sync { Work.compute(for: .microseconds(50)) }
        }
        done.wait()
    }
}
