import Foundation
import Scenarios
import Synchronization

/// Threads of this process that compete with a recorded program for processors.
final class Competition: Sendable {
    /// The same as the period of the kernel's CFS quotas.
    private static let period = Duration.milliseconds(100)

    private let isOver = Atomic(false)

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - threads: number of threads.
    ///   - share: part of every 100 ms in which they compute; 1 for all the time.
    init(threads: Int, share: Double) {
        for _ in 0..<threads {
            let thread = Thread { [self] in
                let clock = ContinuousClock()
                while !isOver.load(ordering: .relaxed) {
                    let begin = clock.now
                    let pause = begin.advanced(by: Self.period * share)
                    while clock.now < pause, !isOver.load(ordering: .relaxed) {}
                    let rest = begin.advanced(by: Self.period) - clock.now
                    if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
                }
            }
            thread.start()
        }
    }

    /// Ends the threads.
    func end() { isOver.store(true, ordering: .relaxed) }
}
