import DispatchAnalysis
import DispatchModel

/// A thread that polls in a loop.
struct LoopDocument: Encodable {
    struct Waker: Encodable {
        let tid: UInt32
        let name: String
        let wakes: Int
    }

    /// More threads than these are not listed.
    private static let wakerLimit = 8

    /// By this number findings, blame and paths refer to it as to a queue.
    var id: Int
    /// The name of its thread; libdispatch's manager and run loops are called that.
    let name: String
    /// How it polls.
    let type: LoopKind
    /// Its thread; 0 when unknown.
    let tid: UInt32
    /// Other threads wait for the same epoll set.
    let isShared: Bool
    /// Iterations: from the end of a poll to the next one.
    let items: Int
    /// Time in which it did not poll.
    let busy: Nanoseconds
    let utilisation: Double
    /// From a wake-up by another thread to the iteration.
    let wait: LatencyDocument
    /// Of the iterations; max is the longest time in which it could not poll.
    let run: LatencyDocument
    let waitParts: WaitParts
    /// Iterations that another thread woke it for.
    let wakes: Int
    /// The threads that woke it most often.
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
