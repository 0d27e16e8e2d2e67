import Dispatch
import Glibc

/// An application's main queue opens a document that another queue imports.
struct DocumentWindow: Scenario {
    static let id = "document-window"
    static let detector = "main-queue-hang"
    static let gain = Gain.mainQueue
    static let summary = "The main queue opens a window with `sync` on the queue that imports the document."
    static let repair = "The import runs with `async`, and returns to the main queue when it is done."
    static let tolerated = [
        Tolerance("long-sync-wait", because: "the main thread waits in a sync")
    ]

    let label: String
    let reading: Duration

    init(_ variation: inout Variation) {
        label = variation.label("import")
        reading = variation.duration("import", .milliseconds(300)...(.milliseconds(450)))
    }

    func run(repaired: Bool) {
        let importer = DispatchQueue(label: label)
        DispatchQueue.main.async {
            if repaired {
                importer.async {
                    Work.block(for: reading)
                    DispatchQueue.main.async { show() }
                }
            } else {
                importer.sync { Work.block(for: reading) }
                show()
            }
        }
        dispatchMain()
    }

    private func show() {
        Work.compute(for: .milliseconds(1))
        exit(0)
    }
}
