/// Completes the items of a sampled trace (``ItemSampling``).
enum SampledItem {
    /// Attributes the wait of an item that ends to missing items.
    ///
    /// - Parameters:
    ///   - item: the item.
    ///   - queue: its queue.
    ///   - sampling: the rates.
    /// - Returns: the binary logarithm of the number of items that it represents.
    @inline(__always)
    static func complete(
        _ item: UnsafeMutablePointer<OpenItem>, on queue: UnsafePointer<QueueActivity>,
        in sampling: borrowing ItemSampling
    ) -> UInt8 {
        if sampling.rates.isEmpty { return 0 }
        return completeSampled(item, in: sampling, isExclusive: !queue.pointee.exclusion.isNone)
    }

    @inline(never)
    private static func completeSampled(
        _ item: UnsafeMutablePointer<OpenItem>, in sampling: borrowing ItemSampling, isExclusive: Bool
    ) -> UInt8 {
        // A task waits for its actor or for a thread: which one is unknown if the task on the actor may be missing.
        if sampling.isSampled, isExclusive, item.pointee.kind != .actorJob { attributeWait(of: item) }
        return switch item.pointee.kind {
        case .async, .after, .swiftJob: item.pointee.isEnqueueKnown ? sampling.shift(at: item.pointee.enqueuedAt) : 0
        // A sync that waits has an end of its own and is always recorded.
        case .sync: item.pointee.details.pointee.isCallout ? sampling.shift(at: item.pointee.enqueuedAt) : 0
        case .actorJob: item.pointee.details.pointee.isWhole ? 0 : sampling.shift(at: item.pointee.enqueuedAt)
        default: 0
        }
    }

    /// Attributes the wait for an exclusion queue, where the items that ran before may be missing.
    ///
    /// A worker that did not wake for the item ran earlier items of the queue, and a sync that blocked waited for the
    /// holder. The time that no recorded item explains is a wait for missing items.
    private static func attributeWait(of item: UnsafeMutablePointer<OpenItem>) {
        let details = item.pointee.details
        guard item.pointee.isSync ? details.pointee.hadToWait : details.pointee.wake == .none else { return }
        var parts = details.pointee.parts
        parts.ownBacklog += parts.scheduler + parts.threadStart + parts.pool
        (parts.scheduler, parts.threadStart, parts.pool) = (.zero, .zero, .zero)
        details.pointee.parts = parts
    }
}
