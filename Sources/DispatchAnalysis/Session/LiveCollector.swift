import DispatchModel

/// Collects what a live view shows in addition to an analysis: the waits of each lock, and the last items of one queue.
final class LiveCollector: ModelObserver {
    /// Number of items that are kept.
    private static let itemLimit = 12

    /// The serial number of the queue whose items are kept; nil for none.
    private let opened: UInt64?
    private var waits: [LockIndex: LatencyRecorder] = [:]
    /// The last items that ended, in the order of their ends.
    private var lastItems: [Item] = []

    init(opened: UInt64?) { self.opened = opened }

    var followed: ObservationKinds { opened == nil ? .lockAcquisitions : [.lockAcquisitions, .items, .foreignItems] }

    func observe(_ batch: borrowing ObservationBatch, in model: DispatchModel) {
        if batch.otherKinds.contains(.lockAcquisitions) {
            for position in 0..<batch.otherCount where batch.kind(ofOther: position) == .lockAcquisitions {
                if case .acquisition(let acquisition) = batch[other: position] { note(acquisition) }
            }
        }
        guard let opened else { return }
        for position in 0..<batch.itemCount {
            let item = batch.row(position)
            guard model[item.queue].serialNumber == opened else { continue }
            lastItems.append(item.copy)
            if lastItems.count >= 2 * Self.itemLimit { lastItems.removeFirst(Self.itemLimit) }
        }
    }

    func observe(_ observation: Observation, in model: DispatchModel) {}

    private func note(_ acquisition: Acquisition) {
        guard case .lock(let lock) = acquisition.domain, acquisition.blocksThread else { return }
        waits[lock, default: LatencyRecorder()].record(acquisition.grantedAt - acquisition.requestedAt)
    }

    /// The percentiles of the waits of each lock. An acquisition without a wait counts as a wait of zero.
    var lockWaits: [LockIndex: LatencyPercentiles] { waits.mapValues(\.percentiles) }

    /// The last items, the newest first.
    var newestItems: [Item] { lastItems.suffix(Self.itemLimit).reversed() }
}
