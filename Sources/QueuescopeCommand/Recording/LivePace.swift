import DispatchModel
import Glibc

/// The pauses between the readings of a recording, which take at most a quarter of one processor.
///
/// ```
///   interval   ├─────────┤├─────────┤
///   readings   ├─ 1 ─┤    ├───── 2 ─────┤ pause: 3 × the cost of reading 2 ├─ 3 ─┤
/// ```
struct LivePace {
    /// The use of time by a reading.
    struct Cost {
        let duration: Nanoseconds
        /// The processor time of this process during the reading.
        let processorTime: Nanoseconds
    }

    /// Measures the cost of a reading from its begin on.
    struct Meter {
        private let begin = MonotonicClock.now
        private let usedBefore = MonotonicClock.processorTime

        var cost: Cost {
            Cost(duration: MonotonicClock.now - begin, processorTime: MonotonicClock.processorTime - usedBefore)
        }
    }

    /// The readings take one of this many parts of a processor.
    private static let share: Int64 = 4
    /// Most processor time that was not used before and can be used at once. A single expensive reading, such as the
    /// first one, does not delay the next one.
    private static let largestCredit = Nanoseconds.milliseconds(100)

    private let interval: Nanoseconds
    /// The processor time that the next reading can use without a delay afterwards.
    private var credit = Self.largestCredit

    /// - Parameter interval: the requested time between the begins of two readings.
    init(interval: Nanoseconds) { self.interval = interval }

    /// The pause after a reading.
    mutating func pause(after reading: Cost) -> Nanoseconds {
        // A thread that waits for a processor does not use one, and a reading can use two.
        credit = credit - reading.processorTime
        let shortest = Nanoseconds(-Self.share * credit.count) - reading.duration
        let pause = max(interval - reading.duration, shortest, .zero)
        credit = min(credit + Nanoseconds((reading.duration + pause).count / Self.share), Self.largestCredit)
        return pause
    }
}
