import Foundation
import Synchronization

/// Measures for how long the whole machine stands still while something is recorded: a program that only sleeps 11 ms
/// then sleeps for half a second, and no trace tells why.
///
/// A virtual machine whose host is busy pauses so, and one that runs short of memory. A thread sleeps in short steps and
/// notes by how much it oversleeps most.
final class MachinePause: Sendable {
    /// Recordings with a longer one are made again: the detectors' shortest thresholds for what a program does by itself
    /// are 100 ms.
    static let limit = Duration.milliseconds(80)
    private static let step = Duration.milliseconds(5)

    private let isOver = Atomic(false)
    private let longest = Mutex(Duration.zero)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Begins to measure.
    init() {
        let thread = Thread { [self] in
            let clock = ContinuousClock()
            while !isOver.load(ordering: .relaxed) {
                let due = clock.now.advanced(by: Self.step)
                usleep(UInt32(Self.step / .microseconds(1)))
                let overslept = clock.now - due
                longest.withLock { $0 = max($0, overslept) }
            }
            hasEnded.signal()
        }
        thread.start()
    }

    /// Stops to measure.
    ///
    /// - Returns: the longest pause since the beginning.
    func end() -> Duration {
        isOver.store(true, ordering: .relaxed)
        hasEnded.wait()
        return longest.withLock { $0 }
    }
}
