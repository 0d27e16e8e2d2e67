import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText

/// The parts of the waits of items: for the whole run, and for the queues with the most lost time.
struct WaitsSection {
    let analysis: Analysis
    let detail: TextStyle.Detail

    private static let standardLimit = 5
    private static let leastWidth = 6
    private struct Row {
        let name: String
        let parts: WaitParts
        var lost: Nanoseconds { parts.total }
    }

    func draw(on page: inout TextPage) {
        let rows = rows()
        let total = rows.reduce(into: WaitParts()) { $0 += $1.parts }
        guard total.total > .zero else { return }
        let used = WaitPart.allCases.filter { total[$0] > .zero }
        page.addSection("WAITS", note: "what items waited for before they began")
        var columns = [TextTable.Column(title: "lost", width: 6)]
        columns += used.map { part in
            let title = Self.title(of: part)
            // The smallest part is dropped first on a narrow page.
            return TextTable.Column(
                group: title.group, title: title.name, width: max(Self.leastWidth, title.name.count),
                dropRank: used.count { total[$0] < total[part] })
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
        let meanings = used.filter { table.shows(Self.title(of: $0).name, on: page) }
            .map { "\($0.title): \($0.meaning)" }
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

    /// The title on two lines: `thread` above `start`.
    private static func title(of part: WaitPart) -> (group: String, name: String) {
        let words = part.title.split(separator: " ").map(String.init)
        return (words.dropLast().joined(separator: " "), words[words.count - 1])
    }

    private func row(_ row: Row, _ used: [WaitPart], _ text: (Nanoseconds) -> String) -> TextTable.Row {
        let largest = row.parts.named.map(\.value).max()
        let cells = used.map { part -> TextTable.Cell in
            let value = row.parts[part]
            return .init(value > .zero ? text(value) : "–", value > .zero && value == largest ? .strong : .plain)
        }
        return TextTable.Row(first: .init(row.name), cells: [.init(text(row.lost), .strong)] + cells)
    }
}
