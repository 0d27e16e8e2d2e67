import DispatchAnalysis
import DispatchModel

/// One element of the report's `loops`.
struct LoopDocument: Encodable {
    struct Waker: Encodable {
        let tid: UInt32
        let name: String
        let wakes: Int
    }

    /// More threads than these are not listed.
    private static let wakerLimit = 8

    /// Numbers the queues of this report.
    var id: Int
    let name: String
    let type: String
    /// 0 when unknown.
    let tid: UInt32
    let isShared: Bool
    let items: Int
    let busy: Int64
    let utilisation: Double
    let wait: LatencyDocument
    let run: LatencyDocument
    let waitParts: WaitPartsDocument
    let wakes: Int
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
        type = loop.kind.description
        tid = loop.thread.map { model[$0].tid } ?? 0
        isShared = loop.isShared
        items = statistics.queue.items
        busy = statistics.queue.busy.count
        utilisation = statistics.queue.utilisation.isFinite ? statistics.queue.utilisation : 0
        wait = LatencyDocument(statistics.wakeLatency)
        run = LatencyDocument(statistics.queue.service)
        waitParts = WaitPartsDocument(parts: statistics.queue.waitParts)
        wakes = statistics.wakes
        wakers = statistics.wakers.prefix(Self.wakerLimit).map {
            Waker(tid: model[$0.thread].tid, name: model[$0.thread].name, wakes: $0.wakes)
        }
    }
}
