import Dispatch

/// A player's animation is paused for a while.
struct PausedAnimation: Scenario {
    static let id = "paused-animation"
    static let detector = "suspended-timer-fire"
    static let gain = Gain.findings
    static let summary = "A player pauses its animation by suspending the timer, which continues to fire."
    static let repair = """
        It stops the timer by setting its deadline to the distant future, and later schedules it again.
        """

    let label: String
    let frames: Int
    let interval: Int
    let pause: Duration

    init(_ variation: inout Variation) {
        label = variation.label("animation")
        frames = variation.count("frames", 3...6)
        interval = variation.count("interval in ms", 8...14)
        pause = variation.duration("pause", .milliseconds(80)...(.milliseconds(150)))
    }

    func run(repaired: Bool) {
        let queue = DispatchQueue(label: label)
        let drawn = DispatchSemaphore(value: 0)
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler {
            Work.compute(for: .microseconds(100))
            drawn.signal()
        }
        play(timer)
        timer.activate()
        for _ in 0..<frames { drawn.wait() }
        if repaired {
            timer.schedule(deadline: .distantFuture)
            Work.block(for: pause)
            play(timer)
        } else {
            timer.suspend()
            Work.block(for: pause)
            timer.resume()
        }
        for _ in 0..<frames { drawn.wait() }
        timer.cancel()
        queue.sync {}
    }

    private func play(_ timer: any DispatchSourceTimer) {
        timer.schedule(
            deadline: .now() + .milliseconds(interval), repeating: .milliseconds(interval), leeway: .milliseconds(1))
    }
}
