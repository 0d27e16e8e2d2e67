import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText

/// The event loops: their utilisation, the longest time without a poll, and the threads that wake them.
struct LoopsSection {
    let analysis: Analysis
    let detail: TextStyle.Detail

    private static let standardLimit = 12

    func draw(on page: inout TextPage) {
        let loops = analysis.loops
        guard !loops.isEmpty else { return }
        page.addSection("LOOPS", note: "threads that poll, by longest time without a poll")
        let shown = loops.prefix(detail.limit(Self.standardLimit))
        page.addTable("event loop", columns, of: shown) { QueueName.of($0.loop.queue, in: analysis.model) }
        page.addRest(loops.count - shown.count, "loop")
        page.addNote(
            "round: time from the end of a poll to the next poll. woken: rounds that began with a wake-up by another "
                + "thread; wake-up: time from the wake-up to the begin of the round.")
    }

    private var columns: TextColumns<LoopStatistics> {
        TextColumns { columns in
            columns.add("rounds", width: 6) { $0.queue.items }
            columns.add("busy", width: 5, dropRank: 5) { CompactNumber.percent($0.queue.utilisation) }
            columns.add("p50", in: "round", width: 5, dropRank: 2) { $0.queue.service.p50 }
            columns.add("p99", in: "round", width: 5, dropRank: 4) { $0.queue.service.p99 }
            columns.add("max", in: "round", width: 5, .strong) { $0.queue.service.max }
            columns.add("woken", width: 6, dropRank: 6) { $0.wakes == 0 ? nil : $0.wakes }
            columns.add("p50", in: "wake-up", width: 5, dropRank: 1) { $0.wakes == 0 ? nil : $0.wakeLatency.p50 }
            columns.add("p99", in: "wake-up", width: 5, dropRank: 3) { $0.wakes == 0 ? nil : $0.wakeLatency.p99 }
            columns.add("max", in: "wake-up", width: 5, dropRank: 7) { $0.wakes == 0 ? nil : $0.wakeLatency.max }
            columns.add("mostly by", width: 16, alignsRight: false, dropRank: 0, .place) { [model = analysis.model] in
                $0.wakers.first.map { ThreadName.of($0.thread, in: model) }
            }
        }
    }
}
