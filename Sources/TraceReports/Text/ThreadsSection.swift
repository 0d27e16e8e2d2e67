import DispatchAnalysis
import DispatchModel

/// The threads, the busiest first.
struct ThreadsSection {
    let analysis: Analysis
    let detail: TextStyle.Detail

    private static let barWidth = 20
    private static let standardLimit = 12

    func draw(on page: inout TextPage) {
        let threads = analysis.threads.sorted { ($1.busy, $0.thread) < ($0.busy, $1.thread) }
        guard !threads.isEmpty else { return }
        page.addSection("THREADS", note: "by time in items")
        let hasSwitches = threads.contains { $0.switches != nil }
        var columns: [TextTable.Column] = [
            .init(title: "items", width: 8), .init(title: "busy", width: 6), .init(title: "blocked", width: 8),
        ]
        if hasSwitches {
            columns.append(.init(title: "switches", width: 8, dropRank: 0))
            columns.append(.init(title: "preempted", width: 9, dropRank: 0))
        }
        columns.append(.init(title: "", width: Self.barWidth + 1, alignsRight: false, dropRank: 1))
        var table = TextTable(firstTitle: "thread", columns: columns)
        let shown = threads.prefix(detail.limit(Self.standardLimit))
        for thread in shown { table.rows.append(row(thread, hasSwitches: hasSwitches)) }
        table.draw(on: &page)
        drawWorkers(on: &page)
        let busy = threads.dropFirst(shown.count).reduce(Nanoseconds.zero) { $0 + $1.busy }
        page.addRest(threads.count - shown.count, "thread", ", busy \(busy) in total")
        page.addNote(
            "busy: time in items. blocked: time in sync, or on a lock, group or semaphore, in and out of items. █ running, ░ blocked."
        )
    }

    private func drawWorkers(on page: inout TextPage) {
        let workers = analysis.model.workers.filter { $0.most > 0 }.map { workers in
            "\(DisplayText.escaped(RootName.brief(workers.root, in: analysis.model))) created \(workers.made), "
                + "\(workers.most) at most at a time"
        }
        guard !workers.isEmpty else { return }
        page.addParagraph("workers by root queue: " + workers.joined(separator: "; ") + ".", indent: 1)
    }

    private func name(of thread: ThreadIndex) -> String {
        let name = ThreadName.of(thread, in: analysis.model)
        guard let root = analysis.model[thread].root else { return name }
        return "\(name) · \(DisplayText.escaped(RootName.brief(root, in: analysis.model)))"
    }

    private func row(_ thread: ThreadStatistics, hasSwitches: Bool) -> TextTable.Row {
        let duration = Double(max(1, analysis.trace.duration.count))
        let busy = Double(thread.busy.count) / duration
        let blocked = Double(thread.blocked.count) / duration
        var cells: [TextTable.Cell] = [
            .init(CompactNumber.count(thread.items)), .init(CompactNumber.percent(busy)),
            .init(CompactNumber.percent(blocked)),
        ]
        if hasSwitches {
            cells.append(.init(thread.switches.map(CompactNumber.count) ?? "–"))
            cells.append(.init(thread.preemptions.map(CompactNumber.count) ?? "–"))
        }
        cells.append(.init(" " + Self.bar(busy: busy, blocked: blocked), .place))
        return TextTable.Row(
            first: .init(name(of: thread.thread)), shortFirst: ThreadName.of(thread.thread, in: analysis.model),
            cells: cells)
    }

    /// Shares of the trace duration as blocks: running, then blocked. A thread that is blocked inside of an item counts
    /// as blocked.
    private static func bar(busy: Double, blocked: Double) -> String {
        func blocks(_ share: Double) -> Int { Int((min(max(share, 0), 1) * Double(barWidth)).rounded()) }
        let running = blocks(busy - blocked)
        let waiting = min(blocks(blocked), barWidth - running)
        return String(repeating: "█", count: running) + String(repeating: "░", count: waiting)
    }
}
