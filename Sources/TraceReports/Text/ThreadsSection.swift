import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText

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
        let duration = Double(max(1, analysis.trace.duration.count))
        func share(_ time: Nanoseconds) -> Double { Double(time.count) / duration }
        let columns = TextColumns<ThreadStatistics> { columns in
            columns.add("items", width: 8) { $0.items }
            columns.add("busy", width: 6) { CompactNumber.percent(share($0.busy)) }
            columns.add("blocked", width: 8) { CompactNumber.percent(share($0.blocked)) }
            if hasSwitches {
                columns.add("switches", width: 8, dropRank: 0) { $0.switches }
                columns.add("preempted", width: 9, dropRank: 0) { $0.preemptions }
            }
            columns.add("", width: Self.barWidth + 1, alignsRight: false, dropRank: 1, .place) {
                " " + Self.bar(busy: share($0.busy), blocked: share($0.blocked))
            }
        }
        var table = TextTable(firstTitle: "thread", columns: columns)
        let shown = threads.prefix(detail.limit(Self.standardLimit))
        table.rows = shown.map { thread in
            .init(
                first: .init(name(of: thread.thread)), shortFirst: ThreadName.of(thread.thread, in: analysis.model),
                cells: columns.cells(of: thread))
        }
        table.draw(on: &page)
        drawWorkers(on: &page)
        let busy = threads.dropFirst(shown.count).reduce(Nanoseconds.zero) { $0 + $1.busy }
        page.addRest(threads.count - shown.count, "thread", ", busy \(busy) in total")
        page.addNote(
            "busy: time in items. blocked: time in sync, or on a lock, group or semaphore, in and out of items. "
                + "█ running, ░ blocked.")
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

    /// Shares of the trace duration as blocks: running, then blocked. A thread that is blocked inside of an item counts
    /// as blocked.
    private static func bar(busy: Double, blocked: Double) -> String {
        func blocks(_ share: Double) -> Int { Int((min(max(share, 0), 1) * Double(barWidth)).rounded()) }
        let running = blocks(busy - blocked)
        let waiting = min(blocks(blocked), barWidth - running)
        return String(repeating: "█", count: running) + String(repeating: "░", count: waiting)
    }
}
