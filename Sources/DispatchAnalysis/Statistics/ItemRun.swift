import DispatchModel

/// Items of a batch that follow each other and are of one queue, one code and one thread: what they add to these is
/// summed up once, and their waits and services are columns. A job that runs a task is by itself.
struct ItemRun: ~Copyable {
    /// So many items stay in the first-level cache while they are gone over.
    private static let limit = 64

    private let columns = UnsafeMutablePointer<Int64>.allocate(capacity: 2 * limit)
    private(set) var count = 0
    /// What its items add up to.
    private(set) var sums = Sums()

    struct Sums {
        fileprivate(set) var wait = Nanoseconds.zero
        fileprivate(set) var waitParts = WaitParts()
        fileprivate(set) var service = Nanoseconds.zero
        /// When its first item was submitted, not before the part of the trace that is read, and when the last one
        /// ended.
        fileprivate(set) var first = Timestamp.distantFuture
        fileprivate(set) var last = Timestamp.zero
        /// Nil without context switches.
        fileprivate(set) var processorTimes: ProcessorTimes?
        fileprivate(set) var waitOffProcessor = Nanoseconds.zero
        /// For how long its thread ran those items that were in no other item.
        fileprivate(set) var threadTime = Nanoseconds.zero
        /// For how long its thread waited in syncs to run the items itself.
        fileprivate(set) var blocked = Nanoseconds.zero
        /// There are syncs that another thread called than the one that ran them.
        fileprivate(set) var hasForeignSyncs = false
    }

    deinit { columns.deallocate() }

    /// The waits, and the services, by item.
    var waits: UnsafeBufferPointer<Int64> { UnsafeBufferPointer(start: columns, count: count) }
    var services: UnsafeBufferPointer<Int64> { UnsafeBufferPointer(start: columns + Self.limit, count: count) }

    /// Takes up the run that begins with an item of a batch.
    ///
    /// - Parameters:
    ///   - batch: the batch.
    ///   - first: the position of the item.
    ///   - begin: the first instant of the part of the trace that is read.
    mutating func take(_ batch: borrowing ObservationBatch, from first: Int, since begin: Timestamp) {
        let head = batch.row(first)
        let end = min(batch.itemCount, first + Self.limit)
        // A local variable stays in registers: `self` would be stored at each write to a column, which might be in it.
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
            && batch.row(next).thread == head.thread && head.kind != .swiftJob
        self.sums = sums
        count = next - first
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
        // What runs inside of an item does so within the item's own time.
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
