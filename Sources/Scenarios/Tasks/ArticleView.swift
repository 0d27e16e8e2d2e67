import Dispatch
import Glibc

/// An application shows articles.
struct ArticleView: Scenario {
    static let id = "article-view"
    static let detector = "main-queue-hang"
    static let gain = Gain.mainQueue
    static let summary = "A view's method lays out a long article on the main actor."
    static let repair = "A nonisolated function lays it out, and the main actor only shows it."
    static let tolerated = [
        Tolerance("work-too-large", because: "the layout is one long item of the main queue"),
        Tolerance("actor-contention", because: "the updates wait for the main actor during the layout"),
    ]

    let label: String
    let layout: Duration
    let updates: Int

    init(_ variation: inout Variation) {
        label = variation.label("article")
        layout = variation.duration("layout", .milliseconds(300)...(.milliseconds(450)))
        updates = variation.count("updates", 2...6)
    }

    func run(repaired: Bool) {
        let page = Page(title: label)
        Task.detached {
            if repaired {
                Work.compute(for: layout)
                await page.show()
            } else {
                await page.layOut(for: layout)
            }
            for _ in 0..<updates { await page.show() }
            await page.close()
        }
        dispatchMain()
    }

    @MainActor private final class Page {
        private let title: String

        nonisolated init(title: String) { self.title = title }

        func layOut(for duration: Duration) {
            Work.compute(for: duration)
            show()
        }

        func show() { Work.compute(for: .microseconds(200)) }

        func close() { exit(0) }
    }
}
