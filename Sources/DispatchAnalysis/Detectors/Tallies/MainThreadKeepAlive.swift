import DispatchModel

/// Recognises a main thread that waits forever while other threads work, as in daemons.
struct MainThreadKeepAlive {
    /// The latest begin of an item or a hold in an exclusive domain, without work still open at the end of the trace.
    private var lastGrant = Timestamp.zero

    mutating func observe(sumsOf batch: borrowing ObservationBatch) { lastGrant = max(lastGrant, batch.lastGrant) }

    mutating func observe(_ acquisition: Acquisition) { lastGrant = max(lastGrant, acquisition.grantedAt) }

    /// Whether this wait only keeps the process alive.
    func explains(_ wait: BlockedWait) -> Bool {
        !wait.isFinished && wait.thread.position == 0 && lastGrant > wait.begin
    }
}
