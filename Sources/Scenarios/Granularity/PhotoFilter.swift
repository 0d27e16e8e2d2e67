import Dispatch
import Synchronization

/// An application filters a photo on all processors while something else is busy on one.
struct PhotoFilter: Scenario {
    static let id = "photo-filter"
    static let detector = "uneven-concurrent-perform"
    static let summary = """
        A photo is cut into 3 or 11 stripes for `concurrentPerform` while another thread keeps one processor busy.
        """
    static let repair = "It is cut into 1000 stripes."

    let label: String
    let stripes: Int
    let filtering: Duration

    init(_ variation: inout Variation) {
        label = variation.label("filter")
        stripes = variation.count("stripes", among: [3, 3, 11])
        filtering = variation.duration("filtering", .milliseconds(120)...(.milliseconds(200)))
    }

    func run(repaired: Bool) {
        let player = Player()
        let playing = ProgramThread { player.play() }
        let count = repaired ? 1000 : stripes
        DispatchQueue(label: label).sync {
            DispatchQueue.concurrentPerform(iterations: count) { _ in Work.compute(for: filtering / count) }
        }
        player.isDone.store(true, ordering: .relaxed)
        playing.join()
    }

    /// Keeps one processor busy.
    private final class Player: Sendable {
        let isDone = Atomic(false)

        func play() {
            while !isDone.load(ordering: .relaxed) { Work.compute(for: .microseconds(100)) }
        }
    }
}
