import Dispatch
import Glibc

/// An application's main queue shows a feed.
struct FeedParser: Scenario {
    static let id = "feed-parser"
    static let detector = "main-queue-hang"
    static let gain = Gain.mainQueue
    static let summary = "The main queue itself parses a long feed before it shows it."
    static let repair = "A background queue parses the feed and passes the articles to the main queue."
    static let tolerated = [
        Tolerance("work-too-large", because: "the parsing is one long item of the main queue")
    ]

    let label: String
    let parsing: Duration
    let updates: Int

    init(_ variation: inout Variation) {
        label = variation.label("feed")
        parsing = variation.duration("parsing", .milliseconds(300)...(.milliseconds(450)))
        updates = variation.count("updates", 2...6)
    }

    func run(repaired: Bool) {
        let feed = DispatchQueue(label: label)
        if repaired {
            feed.async {
                Work.compute(for: parsing)
                showAll()
            }
        } else {
            DispatchQueue.main.async {
                Work.compute(for: parsing)
                showAll()
            }
        }
        dispatchMain()
    }

    private func showAll() {
        for _ in 0..<updates { DispatchQueue.main.async { Work.compute(for: .microseconds(200)) } }
        DispatchQueue.main.async { exit(0) }
    }
}
