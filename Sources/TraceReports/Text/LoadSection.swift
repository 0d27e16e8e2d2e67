import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText

/// Queues that are nearly saturated, and queues whose waits differ from the prediction for their load.
struct LoadSection {
    let analysis: Analysis
    let detail: TextStyle.Detail

    private static let standardLimit = 5
    /// Shorter waits are not explained.
    private static let noticeable = Nanoseconds.microseconds(20)
    /// The load from which a queue counts as nearly full. At 0.8, the predicted mean wait of a queue with exponential
    /// service times is already four mean service times.
    private static let nearlyFull = 0.8
    /// The smallest ratio between measured and predicted wait, in either direction, that is reported.
    private static let farOff = 2.0
    /// The longest duration of a burst, as a share of the recording.
    private static let longestBurst = 0.25
    /// The largest error of Little's law in a complete trace. A larger error means that records are missing.
    private static let littleTolerance = 0.05

    private struct Row {
        var name: String
        var count = 1
        var estimate: QueueingEstimate
        let verdict: String
    }

    private static var columns: TextColumns<Row> {
        TextColumns { columns in
            columns.add("per s", width: 7, dropRank: 2) { Int($0.estimate.arrivalRate.rounded()) }
            columns.add("load", width: 5) { CompactNumber.percent($0.estimate.load) }
            columns.add("waiting", width: 7, dropRank: 1) { tenths($0.estimate.meanDepth) }
            columns.add("seen", in: "delay", width: 5) { $0.estimate.meanQueueing }
            columns.add("theory", in: "delay", width: 6) { $0.estimate.predictedQueueing }
            columns.add("interpretation", width: 36, alignsRight: false, dropRank: 0, .place) { $0.verdict }
        }
    }

    func draw(on page: inout TextPage) {
        let rows = rows()
        guard !rows.isEmpty else { return }
        page.addSection("LOAD", note: "queues whose arrivals explain their waits")
        let shown = rows.prefix(detail.limit(Self.standardLimit))
        page.addTable("queue", Self.columns, of: shown) { row in
            row.count > 1 ? "\(row.name) ×\(CompactNumber.grouped(row.count))" : row.name
        }
        page.addRest(rows.count - shown.count, "row")
        let groups = shown.contains { $0.count > 1 } ? " ×n: n similar queues, with the values of the worst one." : ""
        page.addNote(
            "load: arrival rate × mean run, from the first item to the last; waiting: mean number of waiting items. "
                + "delay: mean time that earlier items delayed an item; theory: its prediction for random arrivals "
                + "(Pollaczek–Khinchine), for stable queues." + groups)
    }

    /// One row per label pattern and verdict. With all details, one row per queue.
    private func rows() -> [Row] {
        var positions: [String: Int] = [:]
        var rows: [Row] = []
        for statistics in analysis.queues {
            // The theory is for one server. A load has no meaning for a queue that runs items in parallel.
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

    /// A short interpretation of the figures; nil when there is nothing to report.
    static func verdict(_ estimate: QueueingEstimate, of duration: Nanoseconds) -> String? {
        if estimate.littleError > littleTolerance, estimate.meanDepth > 0.1 { return "records are missing" }
        guard estimate.items >= QueueingEstimate.fewestItems else { return nil }
        // Between its first and last item, a queue with a single burst is always full.
        let seconds = Double(estimate.items) / estimate.arrivalRate
        if estimate.load >= nearlyFull, seconds * 1e9 < longestBurst * Double(duration.count) {
            return estimate.meanQueueing >= noticeable ? "items came in one burst" : nil
        }
        if estimate.load >= 1 { return "overload: arrivals exceed capacity" }
        guard let predicted = estimate.predictedQueueing else {
            return estimate.load >= nearlyFull && estimate.meanQueueing >= noticeable ? "nearly full" : nil
        }
        let seen = Double(estimate.meanQueueing.count)
        if estimate.meanQueueing >= noticeable, seen > farOff * Double(predicted.count) {
            return "items arrive in bursts"
        }
        if predicted >= noticeable, Double(predicted.count) > farOff * seen {
            return "even arrivals, or callers that wait"
        }
        return estimate.load >= nearlyFull ? "nearly full" : nil
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int64((min(value, 1e12) * 10).rounded())
        return tenths < 1_000 ? CompactNumber.decimal(tenths, places: 1) : CompactNumber.count(Int(tenths / 10))
    }
}
