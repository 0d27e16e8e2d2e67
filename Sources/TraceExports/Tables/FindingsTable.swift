import AnalysisText
import DispatchAnalysis
import DispatchModel

/// The findings of a process.
struct FindingsTable: TraceTable {
    struct Row {
        let finding: Finding
        let identity: FindingIdentity
        let queuePattern: String
        let code: String
    }

    static let meaning = "A row per finding, by process, in the order of the report: the most important first."
    static let key = ["process", "id"]

    static let columns = TableColumns<Row> { columns in
        columns.add("id", "F1, F2 and so on, as in the report.") { $0.finding.id }
        columns.add("detector", "The detector; queuescope explain prints its documentation.") { $0.finding.detector }
        columns.add("severity", "error, warning or info.") { $0.finding.severity.rawValue }
        columns.add("cost_ns", "Time lost to it.") { $0.finding.cost }
        columns.add("occurrences", "Number of occurrences.") { $0.finding.occurrences }
        columns.add("begin_ns", "The first time at which it has an effect.") { $0.finding.begin }
        columns.add("end_ns", "The last time at which it has an effect.") { $0.finding.end }
        columns.add("queues", "Patterns of the labels of its queues and locks, separated by semicolons.") {
            $0.identity.objects.joined(separator: "; ")
        }
        columns.add("code", "The code to look at, separated by semicolons.") { $0.code }
        columns.add("summary", "The problem, its place and its cost.") { $0.finding.summary }
        columns.add("advice", "The recommended change.") { $0.finding.advice.text }
        columns.add("fingerprint", "The same value for the same finding in another run.") { $0.identity.fingerprint }
        columns.addProcess()
        columns.add("queue_pattern", "The pattern of its first queue's label; empty without a queue.") {
            $0.queuePattern
        }
        columns.add("queue_indexes", "Its queues (queues.queue_index), separated by semicolons.") {
            list($0.finding.queues.map(\.position))
        }
        columns.add("lock_indexes", "Its locks (locks.lock_index), separated by semicolons.") {
            list($0.finding.locks.map(\.position))
        }
        columns.add("code_indexes", "Its code (code.code_index), separated by semicolons.") {
            list($0.finding.code.map(\.position))
        }
        columns.add("library", "The system library that contains all of its code.") { $0.finding.library }
        columns.add("caveat", "The reason why it may be incomplete.") { $0.finding.caveat }
        columns.add("fix", "The kind of the recommended change, such as batch-work.") { $0.finding.advice.fix.rawValue }
    }

    private static func list(_ positions: [Int]) -> String { positions.map(String.init).joined(separator: ";") }

    func finish(_ analysis: Analysis, _ add: (Row) -> Void) {
        let model = analysis.model
        for finding in analysis.findings {
            add(
                Row(
                    finding: finding, identity: FindingIdentity(finding, in: model),
                    queuePattern: finding.queues.first.map { LabelPattern.of(model[$0].name) } ?? "",
                    code: finding.code.map { model[$0].description }.joined(separator: "; ")))
        }
    }
}
