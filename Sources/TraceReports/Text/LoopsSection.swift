import DispatchAnalysis
import DispatchModel

/// The event loops: their utilisation, the longest time without a poll, and the threads that wake them.
struct LoopsSection {
    let analysis: Analysis
    let detail: TextStyle.Detail

    private static let standardLimit = 12

    func draw(on page: inout TextPage) {
        let loops = analysis.loops
        guard !loops.isEmpty else { return }
        page.addSection("LOOPS", note: "threads that poll, by longest time without a poll")
        var table = TextTable(
            firstTitle: "event loop",
            columns: [
                .init(title: "rounds", width: 6), .init(title: "busy", width: 5, dropRank: 5),
                .init(group: "round", title: "p50", width: 5, dropRank: 2),
                .init(group: "round", title: "p99", width: 5, dropRank: 4),
                .init(group: "round", title: "max", width: 5),
                .init(title: "woken", width: 6, dropRank: 6),
                .init(group: "wake-up", title: "p50", width: 5, dropRank: 1),
                .init(group: "wake-up", title: "p99", width: 5, dropRank: 3),
                .init(group: "wake-up", title: "max", width: 5, dropRank: 7),
                .init(title: "mostly by", width: 16, alignsRight: false, dropRank: 0),
            ])
        let shown = loops.prefix(detail.limit(Self.standardLimit))
        for loop in shown { table.rows.append(row(loop)) }
        table.draw(on: &page)
        page.addRest(loops.count - shown.count, "loop")
        page.addNote(
            "round: time from the end of a poll to the next poll. woken: rounds that began with a wake-up by another "
                + "thread; wake-up: time from the wake-up to the begin of the round.")
    }

    private func row(_ loop: LoopStatistics) -> TextTable.Row {
        func wake(_ duration: Nanoseconds) -> TextTable.Cell { .init(loop.wakes == 0 ? nil : duration) }
        let service = loop.queue.service
        return TextTable.Row(
            first: .init(QueueName.of(loop.loop.queue, in: analysis.model)),
            cells: [
                .init(CompactNumber.count(loop.queue.items)), .init(CompactNumber.percent(loop.queue.utilisation)),
                .init(service.p50), .init(service.p99), .init(service.max, .strong),
                .init(loop.wakes == 0 ? "–" : CompactNumber.count(loop.wakes)),
                wake(loop.wakeLatency.p50), wake(loop.wakeLatency.p99), wake(loop.wakeLatency.max),
                .init(loop.wakers.first.map { ThreadName.of($0.thread, in: analysis.model) } ?? "–", .place),
            ])
    }
}
