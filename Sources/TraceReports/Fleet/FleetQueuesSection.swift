import DispatchAnalysis
import DispatchModel
import ReportText

/// Queues with the same name next to each other, one row per process.
struct FleetQueuesSection {
    let fleet: FleetAnalysis
    let detail: TextStyle.Detail

    private static let labelLimit = 12
    private static let processLimit = 16

    private typealias Row = (figures: QueueFigures, outliers: [FleetOutlier])

    private static var columns: TextColumns<Row> {
        TextColumns { columns in
            func mark(_ text: String, _ figure: FleetOutlier.Figure, in row: Row) -> TextTable.Cell {
                guard row.outliers.contains(where: { $0.figure == figure }) else { return .init(text) }
                return .init("▲" + text, .warning)
            }
            columns.add("items", width: 6) { $0.figures.items }
            columns.add("per s", width: 6, dropRank: 0) { Int($0.figures.rate.rounded()) }
            columns.add("busy", width: 6) { mark(CompactNumber.percent($0.figures.utilisation), .utilisation, in: $0) }
            columns.add("lost", width: 6, dropRank: 3) { $0.figures.lost }
            columns.add("p50", in: "wait", width: 6, dropRank: 4) {
                mark(CompactNumber.duration($0.figures.waitP50), .waitP50, in: $0)
            }
            columns.add("p99", in: "wait", width: 6) {
                mark(CompactNumber.duration($0.figures.waitP99), .waitP99, in: $0)
            }
            columns.add("p50", in: "run", width: 6, dropRank: 5) {
                mark(CompactNumber.duration($0.figures.serviceP50), .serviceP50, in: $0)
            }
            columns.add("p99", in: "run", width: 6, dropRank: 1) { $0.figures.serviceP99 }
            columns.add("handed", width: 7, dropRank: 6) {
                mark($0.figures.handoffs == 0 ? "–" : CompactNumber.count($0.figures.handoffs), .handoffs, in: $0)
            }
            columns.add("found", width: 5, dropRank: 2) { $0.figures.findings == 0 ? "–" : "\($0.figures.findings)" }
        }
    }

    func draw(on page: inout TextPage) {
        page.addSection("QUEUES ACROSS PROCESSES", note: "outliers first, then by time lost")
        guard !fleet.comparisons.isEmpty else {
            page.add(" No two processes have queues with the same name.")
            return
        }
        let limit = detail.limit(Self.labelLimit)
        let columns = Self.columns
        var table = TextTable(firstTitle: "queue, process", columns: columns)
        for comparison in fleet.comparisons.prefix(limit) { add(comparison, columns, to: &table) }
        table.draw(on: &page)
        page.addRest(fleet.comparisons.count - limit, "name")
        page.addNote(
            "▲: far above the other processes: at least twice their median (four times with fewer than three others), "
                + "above it by 3.5 deviations and by 50 µs, 10 points of load or 5 hand-offs per 100 items, with 50 "
                + "items or more on both sides. found: findings about the queue. A row of several queues with one name "
                + "has their mean load, the p50 of the median queue and the p99 of the worst queue.")
    }

    private func add(_ comparison: QueueComparison, _ columns: TextColumns<Row>, to table: inout TextTable) {
        let name = DisplayText.escaped(comparison.label)
        table.rows.append(.init(first: .init(name, .strong), cells: columns.emptyCells))
        // Processes with an outlier are always shown.
        let limit = detail.limit(Self.processLimit)
        let odd = comparison.members.filter { !comparison.outliers(of: $0.process).isEmpty }
        let usual = comparison.members.filter { comparison.outliers(of: $0.process).isEmpty }
            .sorted { ($1.lost, $0.process) < ($0.lost, $1.process) }
        let rows = odd + usual.prefix(max(0, limit - odd.count))
        let hidden = comparison.members.count - rows.count
        for (position, member) in rows.enumerated() {
            let isLast = position == rows.count - 1 && hidden == 0
            let count = member.queues > 1 ? " ×\(CompactNumber.grouped(member.queues))" : ""
            table.rows.append(
                .init(
                    branches: isLast ? "└ " : "├ ", first: .init(fleet.name(of: member.process) + count),
                    cells: columns.cells(of: (member, comparison.outliers(of: member.process)))))
        }
        if hidden > 0 {
            table.rows.append(
                .init(branches: "└ ", first: .init("… \(hidden) more", .faint), cells: columns.emptyCells))
        }
    }
}
