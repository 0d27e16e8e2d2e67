import AnalysisText
import DispatchModel
import Symbolication

/// The sums of a critical path by the name of the step, the longest first.
enum PathRows {
    /// One kind of step.
    struct Row {
        let name: String
        let queue: String
        var time: Nanoseconds
        var count: Int
    }

    private struct Step: Hashable {
        let kind: CriticalPath.Kind
        let code: CodeIndex
        /// The label of the queue, when the code is unknown; otherwise empty.
        let place: String
    }

    /// Merges the totals of queues with similar labels, and sorts the rows by time.
    ///
    /// - Parameters:
    ///   - totals: the sums of the path.
    ///   - distinguishesQueues: whether steps with one name on different queues are different rows. Otherwise a row has
    ///     the queue of its first step.
    ///   - model: the model of the trace.
    ///   - symbols: the names of code.
    static func rows(
        of totals: some Sequence<CriticalPath.Total>, distinguishesQueues: Bool = true, in model: DispatchModel,
        symbols: SymbolTable
    ) -> [Row] {
        var positions: [String: Int] = [:]
        var rows: [Row] = []
        // Names are cached because thousands of queues can run the same code.
        var names: [Step: String] = [:]
        for total in totals {
            let queue = total.queue.map { QueueName.pattern(of: $0, in: model) } ?? ""
            let step = Step(kind: total.kind, code: total.code, place: total.code == .unknown ? queue : "")
            let name =
                names[step]
                ?? PathStepName.of(total.kind, code: total.code, place: queue, in: model, symbols: symbols)
            names[step] = name
            let key = distinguishesQueues ? name + "\n" + queue : name
            if let known = positions[key] {
                rows[known].time += total.time
                rows[known].count += total.count
            } else {
                positions[key] = rows.count
                rows.append(Row(name: name, queue: queue, time: total.time, count: total.count))
            }
        }
        return rows.enumerated().sorted { ($1.element.time, $0.offset) < ($0.element.time, $1.offset) }.map(\.element)
    }
}
