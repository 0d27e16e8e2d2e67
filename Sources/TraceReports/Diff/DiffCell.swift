import DispatchAnalysis
import DispatchModel
import ReportText

/// Formats the values of two runs for the table cells of a comparison.
enum DiffCell {
    /// The cells of a row, in the order of the columns.
    static func cells(_ row: Comparison.Row) -> [TextTable.Cell] {
        [
            cell(row, .rate) { CompactNumber.count(Int($0.rate.rounded())) },
            cell(row, .wait) { CompactNumber.duration($0.wait.p50) },
            cell(row, nil) { CompactNumber.duration($0.wait.p99) },
            cell(row, .service) { CompactNumber.duration($0.service.p50) },
            cell(row, nil) { CompactNumber.duration($0.service.p99) },
            cell(row, .handoffs) { share($0.handoffs, of: $0.items) },
            cell(row, .switches) { side in side.switches.map { share($0, of: side.items) } ?? "–" },
            cell(row, nil) { CompactNumber.percent($0.overlap) },
        ]
    }

    private static func cell(
        _ row: Comparison.Row, _ measure: Comparison.Measure?, _ text: (Comparison.Side) -> String
    ) -> TextTable.Cell {
        let change = row.changes.first { $0.measure == measure }
        let (before, after) = (row.before.map(text) ?? "none", row.after.map(text) ?? "none")
        let values = before == after ? before : "\(before)→\(after)"
        guard measure != nil else { return .init(values) }
        let mark = change.map { $0.isBetter.map { $0 ? "▼" : "▲" } ?? "◆" } ?? " "
        return .init(values + mark, change.map { $0.isBetter.map { $0 ? .good : .error } ?? .strong } ?? .plain)
    }

    private static func share(_ count: Int, of items: Int) -> String {
        let hundredths = items > 0 ? Int64((Double(count) / Double(items) * 100).rounded()) : 0
        guard hundredths > 0 else { return count == 0 ? "0" : "<.01" }
        guard hundredths < 1_000 else { return CompactNumber.count(Int(hundredths + 50) / 100) }
        return CompactNumber.decimal(hundredths, places: 2)
    }

    /// The value after divided by the value before; nil when the value before is 0.
    static func ratio(_ before: Double, _ after: Double) -> Double? { before > 0 ? after / before : nil }

    /// `×0.42`, `×1.5`, `×31`.
    static func ratio(_ ratio: Double) -> String {
        guard ratio.isFinite else { return "from 0" }
        if ratio >= 9.95 { return "×" + CompactNumber.grouped(Int(min(ratio, 1e12).rounded())) }
        let hundredths = Int64((ratio * 100).rounded())
        if hundredths == 0, ratio > 0 { return "<×0.01" }
        return "×" + CompactNumber.decimal(hundredths, places: 2)
    }
}
