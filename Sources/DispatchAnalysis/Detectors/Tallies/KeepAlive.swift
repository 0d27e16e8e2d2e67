import DispatchModel

/// The idiom of daemons: the main thread waits for ever while other threads work.
struct KeepAlive {
    /// When something last began in an exclusive domain, other than at the trace's end.
    private var lastGrant = Timestamp.zero

    mutating func observe(sumsOf batch: borrowing ObservationBatch) { lastGrant = max(lastGrant, batch.lastGrant) }

    mutating func observe(_ acquisition: Acquisition) { lastGrant = max(lastGrant, acquisition.grantedAt) }

    /// Whether this wait only keeps the program from ending.
    func explains(_ wait: BlockedWait) -> Bool {
        !wait.isFinished && wait.thread.position == 0 && lastGrant > wait.begin
    }
}
