import DispatchModel

/// The data of an item without a row in the timeline, for the histograms.
struct OmittedItem {
    private let queue: Int
    private let thread: Int
    /// The thread that was blocked from enqueue to begin; -1 for none.
    private let blocked: Int
    private let enqueued: Int64
    private let begin: Int64
    private let end: Int64

    init(_ item: Item) {
        queue = item.queue.position
        thread = item.thread.position
        blocked = item.isSync ? item.enqueuedOn?.position ?? -1 : -1
        enqueued = item.enqueuedAt.nanoseconds
        begin = item.beganAt.nanoseconds
        end = item.endedAt.nanoseconds
    }

    init(_ iteration: ApplyIteration) {
        queue = iteration.queue.position
        thread = iteration.thread.position
        blocked = -1
        enqueued = iteration.begin.nanoseconds
        begin = iteration.begin.nanoseconds
        end = iteration.end.nanoseconds
    }

    init(_ row: ItemRows.Row, _ shape: ItemShape) {
        queue = Int(row.queue)
        thread = Int(row.thread)
        blocked = shape.blocks ? Int(row.enqueuedOn) : -1
        begin = row.begin
        enqueued = begin - row.wait
        end = begin + row.service
    }

    func add(to queues: inout ActivityHistogram, _ threads: inout ActivityHistogram) {
        queues.addBusy(queue, from: begin, to: end)
        queues.addWaiting(queue, from: enqueued, to: begin)
        queues.count(queue, at: begin)
        threads.addBusy(thread, from: begin, to: end)
        threads.count(thread, at: begin)
        if blocked >= 0 { threads.addWaiting(blocked, from: enqueued, to: begin) }
    }
}
