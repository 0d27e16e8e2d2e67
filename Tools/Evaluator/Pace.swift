/// Progress of the evaluation, and the estimated remaining time at the current speed.
struct Pace {
    private let clock = ContinuousClock()
    private let begin: ContinuousClock.Instant
    private let total: Int
    private var done = 0

    /// - Parameter total: number of recordings to make.
    init(total: Int) {
        begin = clock.now
        self.total = total
    }

    /// Adds finished recordings.
    mutating func advance(by recordings: Int) { done += recordings }

    /// `31 % done, about 6 min left`.
    var sentence: String {
        guard done > 0, done < total else { return "done" }
        let left = (clock.now - begin) * (Double(total - done) / Double(done))
        let seconds = left.components.seconds
        let time = seconds < 90 ? "\(seconds) s" : "\((seconds + 30) / 60) min"
        return "\(done * 100 / total) % done, about \(time) left"
    }
}
