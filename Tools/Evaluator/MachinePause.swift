import Foundation
import Synchronization

/// Measures the pauses of the whole machine during a recording. In such a pause an 11 ms sleep of a program may take
/// half a second, and no trace shows the reason.
///
/// Virtual machines pause when their host is busy or short of memory. A thread sleeps in short steps and keeps the
/// longest time by which a step was late.
final class MachinePause: Sendable {
    /// Recordings with a longer pause are repeated. The shortest threshold of detectors for a program's own behaviour
    /// is 100 ms.
    static let limit = Duration.milliseconds(80)
    private static let step = Duration.milliseconds(5)

    private let isOver = Atomic(false)
    private let longest = Mutex(Duration.zero)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Starts the measurement.
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

    /// Ends the measurement.
    ///
    /// - Returns: the longest pause since the start.
    func end() -> Duration {
        isOver.store(true, ordering: .relaxed)
        hasEnded.wait()
        return longest.withLock { $0 }
    }
}
