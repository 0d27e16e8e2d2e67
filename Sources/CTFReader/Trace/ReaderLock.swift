import Glibc

/// A shared lock on the metadata of a trace. A flight recorder releases no packets while a reader holds the lock.
final class ReaderLock: Sendable {
    private let descriptor: Int32

    /// Locks a trace that is being recorded. Returns nil for other traces, which need no lock.
    ///
    /// The recorder holds its own lock for a few milliseconds at most. If the recorder is stopped at that moment, the
    /// reader continues without a lock after one second.
    init?(path: String) {
        guard ArenaRecovery.isPending(in: path) else { return nil }
        descriptor = open("\(path)/metadata", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        for _ in 0..<100 where flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK { usleep(10_000) }
    }

    deinit { close(descriptor) }
}
