import DispatchModel

/// Items of a batch that follow each other and are of one queue, one code and one thread: what they add to these is
/// summed up once, and their waits and services are columns.
struct ItemRun: ~Copyable {
    /// So many items stay in the first-level cache while they are gone over.
    private static let limit = 64

    private let columns = UnsafeMutablePointer<Int64>.allocate(capacity: 2 * limit)
    private(set) var count = 0
    private(set) var waitTotal = Nanoseconds.zero
    private(set) var waitParts = WaitParts()
    private(set) var serviceTotal = Nanoseconds.zero
    /// When its first item was submitted, not before the part of the trace that is read, and when the last one ended.
    private(set) var first = Timestamp.distantFuture
    private(set) var last = Timestamp.zero
    /// Nil without context switches.
    private(set) var processorTimes: ProcessorTimes?
    private(set) var waitOffProcessor = Nanoseconds.zero
    /// For how long its thread ran those items that were in no other item.
    private(set) var threadTime = Nanoseconds.zero
    /// For how long its thread waited in syncs to run the items itself.
    private(set) var blocked = Nanoseconds.zero
    /// There are syncs that another thread called than the one that ran them.
    private(set) var hasForeignSyncs = false

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
        reset()
        repeat {
            add(batch.row(first + count), since: begin)
            guard first + count < end else { return }
        } while batch.row(first + count).queue == head.queue && batch.row(first + count).code == head.code
            && batch.row(first + count).thread == head.thread
    }

    private mutating func reset() {
        count = 0
        waitTotal = .zero
        waitParts = WaitParts()
        serviceTotal = .zero
        first = .distantFuture
        last = .zero
        processorTimes = nil
        waitOffProcessor = .zero
        threadTime = .zero
        blocked = .zero
        hasForeignSyncs = false
    }

    @inline(__always)
    private mutating func add(_ item: ItemRow, since begin: Timestamp) {
        let (wait, service) = (item.wait, item.service)
        columns[count] = wait.count
        columns[Self.limit + count] = service.count
        count += 1
        serviceTotal += service
        if wait > .zero {
            waitTotal += wait
            waitParts += item.waitParts
        }
        first = min(first, max(item.enqueuedAt, begin))
        last = max(last, item.endedAt)
        if !isInItem(item) { threadTime += max(item.endedAt - max(item.beganAt, begin), .zero) }
        if item.isSync, item.enqueuedOn != nil {
            if item.enqueuedOn == item.thread {
                blocked += max(item.beganAt - max(item.enqueuedAt, begin), .zero)
            } else {
                hasForeignSyncs = true
            }
        }
        guard let times = item.processorTimes else { return }
        waitOffProcessor += item.waitOffProcessor ?? .zero
        if processorTimes == nil || item.traits.contains(.offProcessor) {
            processorTimes = (processorTimes ?? .init()) + times
        }
    }

    /// A sync inside an item runs on the same thread within the item's own time, as a task on an actor does.
    @inline(__always)
    private func isInItem(_ item: ItemRow) -> Bool {
        item.isStretch ? item.isNested : item.isSync && item.parent != nil && item.enqueuedOn == item.thread
    }
}
