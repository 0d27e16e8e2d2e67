import Glibc
import Synchronization

/// Counts the steps of a program towards its problem. On a busy machine a thread may take longer to start than the
/// time-out of a supervisor.
final class Milestones: Sendable {
    private let reached = Atomic(0)

    /// Counts one more milestone.
    func reach() { reached.add(1, ordering: .relaxed) }

    /// Waits until `count` milestones are reached. Polls every millisecond, because a libdispatch wait is recorded.
    func wait(for count: Int) {
        while reached.load(ordering: .relaxed) < count { usleep(1000) }
    }
}
