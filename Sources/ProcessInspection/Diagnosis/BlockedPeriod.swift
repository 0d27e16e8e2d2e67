import Glibc

/// Distinguishes a queue that does not proceed from a queue whose threads are blocked for some microseconds.
///
/// ```text
/// settle ── switches of all ──────── 0.2 s ──────── the same switches, and the same first item
/// ```
struct BlockedPeriod {
    /// A thread runs once more after its stop, until it is blocked again.
    private static let settling: UInt32 = 20_000
    private static let observed: UInt32 = 200_000

    let process: any InspectedProcess
    let dispatch: DispatchRuntime

    /// Whether none of the threads ran, and the first item of a queue stayed the same, for 0.2 s. A core file has one
    /// instant only, so that nothing changes.
    func covers(_ threads: [InspectedThread], _ queue: DispatchRuntime.Queue) -> Bool {
        guard process.core == nil else { return true }
        func switches() -> [UInt64?] { threads.map { process.switches(of: $0.tid) } }
        usleep(Self.settling)
        let before = switches()
        usleep(Self.observed)
        return !before.contains(nil) && before == switches()
            && dispatch.queue(at: queue.address)?.items.first == queue.items.first
    }
}
