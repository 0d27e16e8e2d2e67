import DispatchAnalysis
import DispatchModel

/// Queues whose load says something: nearly full ones, and those whose waits are not what their load explains.
struct LoadSection {
    let analysis: Analysis
    let detail: TextStyle.Detail

    private static let standardLimit = 5
    /// Waits shorter than this are not worth an explanation.
    private static let noticeable = Nanoseconds.microseconds(20)
    /// From here on a queue has little room for bursts: at 0.8 the mean wait is already four services.
    private static let nearlyFull = 0.8
    /// A measured wait this many times the prediction, or the prediction this many times it.
    private static let farOff = 2.0
    /// The longest burst, as a share of the recording.
    private static let longestBurst = 0.25
    /// What Little's law may be off before records must be missing.
    private static let littleTolerance = 0.05

    private struct Row {
        var name: String
        var count = 1
        var estimate: QueueingEstimate
        let verdict: String
    }

    func draw(on page: inout TextPage) {
        let rows = rows()
        guard !rows.isEmpty else { return }
        page.addSection("LOAD", note: "where arrivals say why items waited")
        var table = TextTable(
            firstTitle: "queue",
            columns: [
                .init(title: "per s", width: 7, dropRank: 2), .init(title: "load", width: 5),
                .init(title: "waiting", width: 7, dropRank: 1), .init(group: "held up", title: "seen", width: 5),
                .init(group: "held up", title: "theory", width: 6),
                .init(title: "which says", width: 36, alignsRight: false, dropRank: 0),
            ])
        let shown = rows.prefix(detail.limit(Self.standardLimit))
        for row in shown {
            table.rows.append(
                TextTable.Row(
                    first: .init(row.count > 1 ? "\(row.name) ×\(CompactNumber.grouped(row.count))" : row.name),
                    cells: [
                        .init(CompactNumber.count(Int(row.estimate.arrivalRate.rounded()))),
                        .init(CompactNumber.percent(row.estimate.load)), .init(Self.tenths(row.estimate.meanDepth)),
                        .init(row.estimate.meanQueueing),
                        .init(row.estimate.predictedQueueing),
                        .init(row.verdict, .place),
                    ]))
        }
        table.draw(on: &page)
        page.addRest(rows.count - shown.count, "row")
        let groups = shown.contains { $0.count > 1 } ? " ×n: n queues alike, with the numbers of the worst." : ""
        page.addNote(
            "load: arrivals × mean run, from the first item to the last; waiting: items, on average. held up: the mean "
                + "time that earlier items kept an item waiting; theory: what that is when items come at random (Pollaczek–Khinchine), for stable queues only."
                + groups)
    }

    /// Look-alikes of which the numbers say the same together, unless everything is to be told.
    private func rows() -> [Row] {
        var positions: [String: Int] = [:]
        var rows: [Row] = []
        for statistics in analysis.queues {
            // The theory is of one server: of a queue that runs items side by side, a load says nothing.
            guard let estimate = statistics.queueing, let verdict = Self.verdict(estimate, of: analysis.trace.duration),
                analysis.model[statistics.queue].width == 1
            else { continue }
            let (queue, model) = (statistics.queue, analysis.model)
            let name =
                detail == .everything ? QueueName.of(queue, in: model) : QueueName.pattern(of: queue, in: model)
            guard detail != .everything, let known = positions[name + verdict] else {
                positions[name + verdict] = rows.count
                rows.append(Row(name: name, estimate: estimate, verdict: verdict))
                continue
            }
            rows[known].count += 1
            if estimate.meanQueueing > rows[known].estimate.meanQueueing { rows[known].estimate = estimate }
        }
        return rows
    }

    /// What the numbers say in a few words; nil when that is nothing new.
    static func verdict(_ estimate: QueueingEstimate, of duration: Nanoseconds) -> String? {
        if estimate.littleError > littleTolerance, estimate.meanDepth > 0.1 { return "records of it are missing" }
        guard estimate.items >= QueueingEstimate.fewestItems else { return nil }
        // From its first item to its last a queue that had one burst was always full.
        let seconds = Double(estimate.items) / estimate.arrivalRate
        if estimate.load >= nearlyFull, seconds * 1e9 < longestBurst * Double(duration.count) {
            return estimate.meanQueueing >= noticeable ? "items came in one burst" : nil
        }
        if estimate.load >= 1 { return "more arrives than it can do" }
        guard let predicted = estimate.predictedQueueing else {
            return estimate.load >= nearlyFull && estimate.meanQueueing >= noticeable ? "nearly full" : nil
        }
        let seen = Double(estimate.meanQueueing.count)
        if estimate.meanQueueing >= noticeable, seen > farOff * Double(predicted.count) {
            return "items arrive in bursts"
        }
        if predicted >= noticeable, Double(predicted.count) > farOff * seen {
            return "items come evenly, or wait for their turn"
        }
        return estimate.load >= nearlyFull ? "nearly full" : nil
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int64((min(value, 1e12) * 10).rounded())
        return tenths < 1_000 ? CompactNumber.decimal(tenths, places: 1) : CompactNumber.count(Int(tenths / 10))
    }
}
