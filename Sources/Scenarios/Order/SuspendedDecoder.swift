import Dispatch

/// A player stops its decoder while it seeks.
struct SuspendedDecoder: Scenario {
    static let id = "suspended-decoder"
    static let detector = "deadlock"
    static let gain = Gain.failedRuns
    static let summary = "A player suspends its decoder's queue to seek, and syncs to it before it resumes it."
    static let repair = "It resumes the queue first."
    static let tolerated = [
        Tolerance("long-sync-wait", because: "the sync waits until the end")
    ]
    static let ending = Ending.gaveUp

    let label: String
    let frames: Int

    init(_ variation: inout Variation) {
        label = variation.label("decoder")
        frames = variation.count("frames", 2...20)
    }

    var culprits: [String] { [label] }

    func run(repaired: Bool) {
        let decoder = DispatchQueue(label: label)
        for _ in 0..<frames { decoder.sync { Work.compute(for: .microseconds(50)) } }
        let suspended = Milestones()
        let seeking = ProgramThread {
            decoder.suspend()
            if repaired { decoder.resume() }
            suspended.reach()
            decoder.sync { Work.compute(for: .microseconds(50)) }
            if !repaired { decoder.resume() }
        }
        if !repaired { Watchdog.giveUp(after: .milliseconds(350), having: 1, of: suspended) }
        seeking.join()
    }
}
