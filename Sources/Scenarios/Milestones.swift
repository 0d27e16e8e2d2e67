import Glibc
import Synchronization

/// How far a program has come on the way to its problem: on a machine that is busy, a thread may take longer to start
/// than a supervisor has patience.
final class Milestones: Sendable {
    private let reached = Atomic(0)

    /// One more is reached.
    func reach() { reached.add(1, ordering: .relaxed) }

    /// Waits until so many are reached. It looks every millisecond: to wait in libdispatch would be part of the problem.
    func wait(for count: Int) {
        while reached.load(ordering: .relaxed) < count { usleep(1000) }
    }
}
