import Dispatch

/// A viewer scales rows of pixels.
struct ThumbnailRows: Scenario {
    static let id = "thumbnail-rows"
    static let detector = "useless-wakeups"
    static let gain = Gain.processorTime
    static let summary = """
        A viewer scales a few rows at a time with `concurrentPerform`, and finishes before the helpers wake up.
        """
    static let repair = "A plain loop scales the rows of a thumbnail."
    static let tolerated = [
        Tolerance("uneven-concurrent-perform", because: "the calling thread does all the work"),
        Tolerance("work-too-small", because: "an iteration is shorter than the wake-up of a thread"),
    ]
    static let exemptions = [
        Exemption(.oneProcessor, because: "on one processor `concurrentPerform` is a plain loop and wakes no helper")
    ]

    let label: String
    let thumbnails: Int
    let rows: Int
    let scaling: Duration

    init(_ variation: inout Variation) {
        label = variation.label("viewer")
        thumbnails = variation.count("thumbnails", 800...1200)
        rows = variation.count("rows", 2...4)
        scaling = variation.duration("scaling", .microseconds(1)...(.microseconds(2)))
    }

    func run(repaired: Bool) {
        DispatchQueue(label: label).sync {
            for _ in 0..<thumbnails {
                if repaired {
                    for _ in 0..<rows { Work.compute(for: scaling) }
                } else {
                    DispatchQueue.concurrentPerform(iterations: rows) { _ in Work.compute(for: scaling) }
                }
                Work.block(for: .microseconds(400))
            }
        }
    }
}
