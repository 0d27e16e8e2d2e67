import DispatchModel

/// Consecutive items of a batch with one queue, one code, one thread and one weight. Their sums are added once, and
/// their waits and service times are columns. A job that runs a task is a run of its own.
struct ItemRun: ~Copyable {
    /// Most items of a run. They stay in the first-level cache while they are processed.
    private static let limit = 64

    private let columns = UnsafeMutablePointer<Int64>.allocate(capacity: 2 * limit)
    private(set) var count = 0
    /// The binary logarithm of the number of items that each of them represents.
    private(set) var weightShift = 0
    /// The sums over the items that its items represent.
    private(set) var sums = Sums()

    /// The number of items that it represents.
    var items: Int { count << weightShift }

    struct Sums {
        fileprivate(set) var wait = Nanoseconds.zero
        fileprivate(set) var waitParts = WaitParts()
        fileprivate(set) var service = Nanoseconds.zero
        /// The submission of its first item, not before the begin of the part that is read, and the end of the last
        /// item.
        fileprivate(set) var first = Timestamp.distantFuture
        fileprivate(set) var last = Timestamp.zero
        /// Nil without context switches.
        fileprivate(set) var processorTimes: ProcessorTimes?
        fileprivate(set) var waitOffProcessor = Nanoseconds.zero
        /// The time in which its thread ran items that are not nested in another item.
        fileprivate(set) var threadTime = Nanoseconds.zero
        /// The time in which its thread waited in syncs before it ran the items itself.
        fileprivate(set) var blocked = Nanoseconds.zero
        /// Whether another thread than the runner called one of the syncs.
        fileprivate(set) var hasForeignSyncs = false

        fileprivate mutating func double() {
            wait += wait
            waitParts += waitParts
            service += service
            processorTimes = processorTimes.map { $0 + $0 }
            waitOffProcessor += waitOffProcessor
            threadTime += threadTime
            blocked += blocked
        }
    }

    deinit { columns.deallocate() }

    /// The waits and the service times, by item.
    var waits: UnsafeBufferPointer<Int64> { UnsafeBufferPointer(start: columns, count: count) }
    var services: UnsafeBufferPointer<Int64> { UnsafeBufferPointer(start: columns + Self.limit, count: count) }

    /// Reads the run that begins with an item of a batch.
    ///
    /// - Parameters:
    ///   - batch: the batch.
    ///   - first: the position of the item.
    ///   - begin: the begin of the part of the trace that is read.
    mutating func take(_ batch: borrowing ObservationBatch, from first: Int, since begin: Timestamp) {
        let head = batch.row(first)
        let end = min(batch.itemCount, first + Self.limit)
        // A local variable stays in registers. `self` would be stored at each write to a column, because the column
        // might alias it.
        var sums = Sums()
        var next = first
        repeat {
            let item = batch.row(next)
            let (wait, service) = (item.wait, item.service)
            columns[next - first] = wait.count
            columns[Self.limit + next - first] = service.count
            add(item, wait: wait, service: service, since: begin, to: &sums)
            next += 1
            guard next < end else { break }
        } while batch.row(next).queue == head.queue && batch.row(next).code == head.code
            && batch.row(next).thread == head.thread && batch.row(next).weightShift == head.weightShift
            && head.kind != .swiftJob
        for _ in 0..<head.weightShift { sums.double() }
        self.sums = sums
        count = next - first
        weightShift = Int(head.weightShift)
    }

    @inline(__always)
    private func add(
        _ item: ItemRow, wait: Nanoseconds, service: Nanoseconds, since begin: Timestamp, to sums: inout Sums
    ) {
        sums.service += service
        if wait > .zero {
            sums.wait += wait
            sums.waitParts += item.waitParts
        }
        sums.first = min(sums.first, max(item.enqueuedAt, begin))
        sums.last = max(sums.last, item.endedAt)
        // The time of a nested item is part of the outer item.
        if !item.isNested { sums.threadTime += max(item.endedAt - max(item.beganAt, begin), .zero) }
        if item.isSync, item.enqueuedOn != nil {
            if item.enqueuedOn == item.thread {
                sums.blocked += max(item.beganAt - max(item.enqueuedAt, begin), .zero)
            } else {
                sums.hasForeignSyncs = true
            }
        }
        guard let times = item.processorTimes else { return }
        sums.waitOffProcessor += item.waitOffProcessor ?? .zero
        if sums.processorTimes == nil || item.traits.contains(.offProcessor) {
            sums.processorTimes = (sums.processorTimes ?? .init()) + times
        }
    }
}
