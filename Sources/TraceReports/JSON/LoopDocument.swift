import DispatchAnalysis
import DispatchModel

/// A thread that polls for events in a loop.
struct LoopDocument: Encodable {
    struct Waker: Encodable {
        let tid: UInt32
        let name: String
        let wakes: Int
    }

    /// The most threads that are listed in `wakers`.
    private static let wakerLimit = 8

    /// The id of the loop. Findings, blame and paths refer to it in the same way as to a queue.
    var id: Int
    /// The name of the thread of the loop. The manager of libdispatch and run loops have names of their own.
    let name: String
    /// The function or library that polls.
    let type: LoopKind
    /// The id of the thread. 0 when unknown.
    let tid: UInt32
    /// True when other threads poll the same epoll set.
    let isShared: Bool
    /// Number of iterations. An iteration lasts from the end of a poll to the next poll.
    let items: Int
    /// Time in which the loop did not poll.
    let busy: Nanoseconds
    let utilisation: Double
    /// Time from a wake-up by another thread to the iteration.
    let wait: LatencyDocument
    /// Duration of the iterations. max is the longest time in which the loop could not poll.
    let run: LatencyDocument
    let waitParts: WaitParts
    /// Number of iterations that another thread woke the loop for.
    let wakes: Int
    /// The threads with the most wake-ups of the loop.
    let wakers: [Waker]

    enum CodingKeys: String, CodingKey {
        case id, name, type, tid, items, utilisation, wakes, wakers
        case isShared = "shared"
        case busy = "busy_ns"
        case wait = "wait_ns"
        case run = "run_ns"
        case waitParts = "wait_parts_ns"
    }

    init(_ statistics: LoopStatistics, in model: DispatchModel) {
        let loop = statistics.loop
        id = loop.queue.position
        name = model[loop.queue].label
        type = loop.kind
        tid = loop.thread.map { model[$0].tid } ?? 0
        isShared = loop.isShared
        items = statistics.queue.items
        busy = statistics.queue.busy
        utilisation = statistics.queue.utilisation.finite
        wait = LatencyDocument(statistics.wakeLatency)
        run = LatencyDocument(statistics.queue.service)
        waitParts = statistics.queue.waitParts
        wakes = statistics.wakes
        wakers = statistics.wakers.prefix(Self.wakerLimit).map {
            Waker(tid: model[$0.thread].tid, name: model[$0.thread].name, wakes: $0.wakes)
        }
    }
}
