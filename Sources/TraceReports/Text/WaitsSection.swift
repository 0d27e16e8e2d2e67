import DispatchAnalysis
import DispatchModel

/// The parts of the waits of items: for the whole run, and for the queues with the most lost time.
struct WaitsSection {
    let analysis: Analysis
    let detail: TextStyle.Detail

    private static let standardLimit = 5
    private static let leastWidth = 6
    /// The name of each part on two lines, and its meaning, in the order of ``WaitParts/named``.
    private static let words: [(group: String, title: String, meaning: String)] = [
        ("own", "backlog", "own backlog: an earlier item of the same queue ran"),
        ("", "hierarchy", "hierarchy: an item of another queue held a queue that both target"),
        ("", "barrier", "barrier: readers drained before a barrier, or a barrier held the concurrent queue"),
        ("", "suspended", "suspended: a queue was suspended or not yet activated"),
        ("not", "due", "not due: the deadline of an asyncAfter was in the future"),
        ("", "pool", "pool: the queue was free, and every worker was busy"),
        ("thread", "start", "thread start: a worker was requested and had not started"),
        ("", "scheduler", "scheduler: a thread was available and had not begun the item"),
    ]

    private struct Row {
        let name: String
        let parts: WaitParts
        var lost: Nanoseconds { parts.total }
    }

    func draw(on page: inout TextPage) {
        let rows = rows()
        let total = rows.reduce(into: WaitParts()) { $0 += $1.parts }
        guard total.total > .zero else { return }
        let used = Self.words.indices.filter { total.named[$0].value > .zero }
        page.addSection("WAITS", note: "what items waited for before they began")
        var columns = [TextTable.Column(title: "lost", width: 6)]
        columns += used.map { column in
            // The smallest part is dropped first on a narrow page.
            TextTable.Column(
                group: Self.words[column].group, title: Self.words[column].title,
                width: max(Self.leastWidth, Self.words[column].title.count),
                dropRank: used.count { total.named[$0].value < total.named[column].value })
        }
        var table = TextTable(firstTitle: "queue", columns: columns)
        table.rows.append(row(Row(name: "all queues", parts: total), used) { CompactNumber.duration($0) })
        table.rows.append(
            row(Row(name: "their share", parts: total), used) {
                $0 > .zero ? CompactNumber.percent(Double($0.count) / Double(total.total.count)) : "–"
            })
        let shown = rows.filter { $0.lost > .zero }.prefix(detail.limit(Self.standardLimit))
        for entry in shown { table.rows.append(row(entry, used) { CompactNumber.duration($0) }) }
        table.draw(on: &page)
        let meanings = used.filter { table.shows(Self.words[$0].title, on: page) }
            .map { Self.words[$0].meaning }
        page.addNote(meanings.joined(separator: "; ") + ".")
    }

    /// One row per label pattern, the most lost time first. With all details, one row per queue.
    private func rows() -> [Row] {
        var order: [String] = []
        var groups: [String: (parts: WaitParts, count: Int)] = [:]
        // Caches the name of each pattern, which many queues can share.
        let patterns = analysis.model.queuePatterns
        var names = [String?](repeating: nil, count: patterns.patterns.count)
        for statistics in analysis.queues {
            let number = patterns.number(of: statistics.queue)
            let canShare = detail != .everything && !patterns.patterns[number].isEmpty
            let known = canShare ? names[number] : nil
            let pattern =
                known
                ?? (detail == .everything
                    ? QueueName.of(statistics.queue, in: analysis.model)
                    : QueueName.pattern(of: statistics.queue, in: analysis.model))
            names[number] = pattern
            if groups[pattern] == nil { order.append(pattern) }
            groups[pattern, default: (WaitParts(), 0)].parts += statistics.waitParts
            groups[pattern, default: (WaitParts(), 0)].count += 1
        }
        let rows = order.map { pattern -> Row in
            let group = groups[pattern] ?? (WaitParts(), 0)
            let count = group.count > 1 ? " ×\(CompactNumber.grouped(group.count))" : ""
            return Row(name: pattern + count, parts: group.parts)
        }
        return rows.enumerated().sorted { ($1.element.lost, $0.offset) < ($0.element.lost, $1.offset) }.map(\.element)
    }

    private func row(_ row: Row, _ used: [Int], _ text: (Nanoseconds) -> String) -> TextTable.Row {
        let parts = row.parts.named
        let largest = parts.map(\.value).max()
        let cells = used.map { column -> TextTable.Cell in
            let value = parts[column].value
            return .init(value > .zero ? text(value) : "–", value > .zero && value == largest ? .strong : .plain)
        }
        return TextTable.Row(first: .init(row.name), cells: [.init(text(row.lost), .strong)] + cells)
    }
}
