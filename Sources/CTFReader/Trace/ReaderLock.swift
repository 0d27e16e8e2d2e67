import Glibc

/// A shared lock on the metadata of a trace. While a reader holds the lock, a flight recorder releases no packets, and
/// a session that starts does not remove the trace as an old one.
final class ReaderLock: Sendable {
    private let descriptor: Int32

    /// Locks a trace. Returns nil if its metadata cannot be opened.
    ///
    /// The recorder holds its own lock for a few milliseconds at most. If the recorder is stopped at that moment, the
    /// reader continues without a lock after one second.
    init?(path: String) {
        descriptor = open("\(path)/metadata", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        for _ in 0..<100 where flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK { usleep(10_000) }
    }

    deinit { close(descriptor) }
}
