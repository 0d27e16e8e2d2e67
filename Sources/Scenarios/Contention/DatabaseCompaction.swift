import Dispatch

/// Requests read from a database that is compacted from time to time.
struct DatabaseCompaction: Scenario {
    static let id = "database-compaction"
    static let detector = "long-sync-wait"
    static let gain = Gain.longestWait
    static let summary = """
        A request reads with `sync` from a database's queue on which the compaction of all pages was submitted \
        at once.
        """
    static let repair = "The compaction of a page submits the next page, so that requests run in between."

    let label: String
    let pages: Int
    let page: Duration
    let readers: Int

    init(_ variation: inout Variation) {
        label = variation.label("database")
        pages = variation.count("pages", 30...40)
        page = variation.duration("page", .milliseconds(7)...(.milliseconds(10)))
        readers = variation.count("readers", 1...2)
    }

    var culprits: [String] { [label] }

    func run(repaired: Bool) {
        let database = DispatchQueue(label: label)
        let done = DispatchGroup()
        if repaired {
            compactPage(of: pages, database, done)
        } else {
            for _ in 0..<pages { database.async(group: done) { Work.compute(for: page) } }
        }
        ProgramThread.run(readers) { _ in
            Work.block(for: .milliseconds(5))
            database.sync { Work.compute(for: .microseconds(50)) }
        }
        done.wait()
    }

    private func compactPage(of pages: Int, _ database: DispatchQueue, _ done: DispatchGroup) {
        guard pages > 0 else { return }
        database.async(group: done) {
            Work.compute(for: page)
            compactPage(of: pages - 1, database, done)
        }
    }
}
