import Dispatch

/// A chat service sends heartbeats to its peers.
struct LostHeartbeat: Scenario {
    static let id = "lost-heartbeat"
    static let detector = "released-source"
    static let gain = Gain.work
    static let summary = "A service sets up a timer per peer for heartbeats and keeps no reference to the timers."
    static let repair = "It keeps the timers, and cancels them at the end."

    let label: String
    let interval: Int
    let peers: Int

    init(_ variation: inout Variation) {
        label = variation.label("heartbeat")
        interval = variation.count("interval in ms", 5...15)
        peers = variation.count("peers", 1...4)
    }

    func run(repaired: Bool) {
        let queue = DispatchQueue(label: label)
        var timers: [any DispatchSourceTimer] = []
        for _ in 0..<peers {
            let timer = timer(on: queue)
            if repaired { timers.append(timer) }
        }
        Work.block(for: .milliseconds(400))
        for timer in timers { timer.cancel() }
        queue.sync {}
    }

    @inline(never)
    private func timer(on queue: DispatchQueue) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + .milliseconds(interval), repeating: .milliseconds(interval))
        timer.setEventHandler { Work.compute(for: .microseconds(100)) }
        timer.activate()
        return timer
    }
}
