import Dispatch
import Synchronization

/// An application filters a photo on all processors while another thread occupies one of them.
struct PhotoFilter: Scenario {
    static let id = "photo-filter"
    static let detector = "uneven-concurrent-perform"
    static let gain = Gain.idleTime
    static let summary = """
        A photo is divided for `concurrentPerform` into one stripe more than the processors, or into 11 stripes \
        of which one has most of the work.
        """
    static let repair = "The photo is divided into 1000 stripes."
    static let exemptions = [
        Exemption(.oneProcessor, because: "on one processor no other processor waits for the slowest one"),
        Exemption(.quota, because: "when the quota leaves one processor, no other waits for the slowest one"),
    ]

    let label: String
    let stripes: Int
    let filtering: Duration
    let isDetailed: Bool

    init(_ variation: inout Variation) {
        label = variation.label("filter")
        isDetailed = variation.count("detailed", 0...1) == 1
        stripes = isDetailed ? 11 : Machine.processors + 1
        filtering = variation.duration("filtering", .milliseconds(120)...(.milliseconds(200)))
    }

    func run(repaired: Bool) {
        let player = Player()
        let playing = ProgramThread { player.play() }
        let count = repaired ? 1000 : stripes
        DispatchQueue(label: label).sync {
            DispatchQueue.concurrentPerform(iterations: count) { stripe in
                let time = filtering / count * weight(of: stripe, among: count)
                // The last eleventh takes more CPU time. Equal stripes take equal wall-clock time.
                if isDetailed { Work.compute(for: time) } else { Work.occupy(for: time) }
            }
        }
        player.isDone.store(true, ordering: .relaxed)
        playing.join()
    }

    /// In a detailed photo the last eleventh takes seven tenths of the time.
    private func weight(of stripe: Int, among count: Int) -> Double {
        guard isDetailed else { return 1 }
        return stripe * 11 >= count * 10 ? 7.7 : 0.33
    }

    /// Keeps one processor busy.
    private final class Player: Sendable {
        let isDone = Atomic(false)

        func play() {
            while !isDone.load(ordering: .relaxed) { Work.compute(for: .microseconds(100)) }
        }
    }
}
