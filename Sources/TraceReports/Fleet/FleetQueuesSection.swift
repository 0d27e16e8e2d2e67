import DispatchAnalysis
import DispatchModel

/// Queues with the same name next to each other, one row per process.
struct FleetQueuesSection {
    let fleet: FleetAnalysis
    let detail: TextStyle.Detail

    private static let labelLimit = 12
    private static let processLimit = 16

    private static let columns: [TextTable.Column] = [
        .init(title: "items", width: 6),
        .init(title: "per s", width: 6, dropRank: 0),
        .init(title: "busy", width: 6),
        .init(title: "lost", width: 6, dropRank: 3),
        .init(group: "wait", title: "p50", width: 6, dropRank: 4),
        .init(group: "wait", title: "p99", width: 6),
        .init(group: "run", title: "p50", width: 6, dropRank: 5),
        .init(group: "run", title: "p99", width: 6, dropRank: 1),
        .init(title: "handed", width: 7, dropRank: 6),
        .init(title: "found", width: 5, dropRank: 2),
    ]

    func draw(on page: inout TextPage) {
        page.addSection("QUEUES ACROSS PROCESSES", note: "outliers first, then by time lost")
        guard !fleet.comparisons.isEmpty else {
            page.add(" No two processes have queues with the same name.")
            return
        }
        let limit = detail.limit(Self.labelLimit)
        var table = TextTable(firstTitle: "queue, process", columns: Self.columns)
        for comparison in fleet.comparisons.prefix(limit) { add(comparison, to: &table) }
        table.draw(on: &page)
        page.addRest(fleet.comparisons.count - limit, "name")
        page.addNote(
            "▲: far above the other processes: at least twice their median (four times with fewer than three others), "
                + "above it by 3.5 deviations and by 50 µs, 10 points of load or 5 hand-offs per 100 items, with 50 "
                + "items or more on both sides. found: findings about the queue. A row of several queues with one name "
                + "has their mean load, the p50 of the median queue and the p99 of the worst queue.")
    }

    private func add(_ comparison: QueueComparison, to table: inout TextTable) {
        let name = DisplayText.escaped(comparison.label)
        table.rows.append(.init(first: .init(name, .strong), cells: Self.columns.map { _ in "" }))
        // Processes with an outlier are always shown.
        let limit = detail.limit(Self.processLimit)
        let odd = comparison.members.filter { !comparison.outliers(of: $0.process).isEmpty }
        let usual = comparison.members.filter { comparison.outliers(of: $0.process).isEmpty }
            .sorted { ($1.lost, $0.process) < ($0.lost, $1.process) }
        let rows = odd + usual.prefix(max(0, limit - odd.count))
        let hidden = comparison.members.count - rows.count
        for (position, member) in rows.enumerated() {
            let isLast = position == rows.count - 1 && hidden == 0
            table.rows.append(row(member, comparison.outliers(of: member.process), branches: isLast ? "└ " : "├ "))
        }
        if hidden > 0 {
            table.rows.append(
                .init(branches: "└ ", first: .init("… \(hidden) more", .faint), cells: Self.columns.map { _ in "" }))
        }
    }

    private func row(_ figures: QueueFigures, _ outliers: [FleetOutlier], branches: String) -> TextTable.Row {
        func mark(_ text: String, _ figure: FleetOutlier.Figure?) -> TextTable.Cell {
            guard let figure, outliers.contains(where: { $0.figure == figure }) else { return .init(text) }
            return .init("▲" + text, .warning)
        }
        let count = figures.queues > 1 ? " ×\(CompactNumber.grouped(figures.queues))" : ""
        let name = fleet.name(of: figures.process) + count
        return TextTable.Row(
            branches: branches, first: .init(name),
            cells: [
                .init(CompactNumber.count(figures.items)), .init(CompactNumber.count(Int(figures.rate.rounded()))),
                mark(CompactNumber.percent(figures.utilisation), .utilisation),
                .init(figures.lost),
                mark(CompactNumber.duration(figures.waitP50), .waitP50),
                mark(CompactNumber.duration(figures.waitP99), .waitP99),
                mark(CompactNumber.duration(figures.serviceP50), .serviceP50),
                .init(figures.serviceP99),
                mark(figures.handoffs == 0 ? "–" : CompactNumber.count(figures.handoffs), .handoffs),
                .init(figures.findings == 0 ? "–" : "\(figures.findings)"),
            ])
    }
}
