import Glibc

/// Keeps a flight recorder from overwriting what is being read: its recorder gives up no packets while somebody has a
/// shared lock on the trace's metadata.
final class ReaderLock: Sendable {
    private let descriptor: Int32

    /// Locks a trace that a process still records into; others need no lock.
    ///
    /// A recorder has its own lock for less than a few milliseconds. One that was stopped just then keeps nobody from
    /// reading.
    init?(path: String) {
        guard ArenaRecovery.isPending(in: path) else { return nil }
        descriptor = open("\(path)/metadata", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        for _ in 0..<100 where flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK { usleep(10_000) }
    }

    deinit { close(descriptor) }
}
