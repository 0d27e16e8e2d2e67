import AnalysisText
import DispatchAnalysis
import DispatchModel
import Symbolication

extension TimelineDocument {
    /// The waits that were open when the trace ended.
    struct OpenWaits: Encodable {
        /// Most rows. A program can have thousands of waits with different causes.
        private static let rowLimit = 100

        let rows: [OpenWaitRow]
        /// Number of waits that no row has.
        let omitted: Int

        init(_ analysis: Analysis) {
            let model = analysis.model
            // The code of the analysis has names already.
            let symbols = SymbolTable(images: model.images)
            let all = OpenWaitRows.rows(of: analysis.shownOpenWaits, in: model, symbols: symbols)
            let text = OpenWaitText(model: model, symbols: symbols)
            let headline = analysis.stillWaiting.headline?.waiter
            rows = all.prefix(Self.rowLimit).map { OpenWaitRow($0, text, headline: headline) }
            omitted = all.dropFirst(Self.rowLimit).reduce(0) { $0 + $1.waits.count }
        }
    }

    /// Open waits with the same cause in the same code.
    struct OpenWaitRow: Encodable {
        struct Waiter: Encodable {
            let name: String
            /// The waiting thread; -1 for a task and for items.
            let thread: Int32
            /// The number of the waiting task; 0 for a thread and for items.
            let task: UInt64
            /// The queue of the waiting items; -1 for a thread and for a task.
            let queue: Int32
            let begin: Int64
            /// The length of the wait up to the end of the trace.
            let length: Int64
        }

        /// Most waiters in a row.
        private static let waiterLimit = 20

        /// The object of the wait, the code that waits, and the code that would end the wait.
        let cause: String
        /// The waiters, the longest wait first.
        let waiters: [Waiter]
        /// Number of waiters, including the waiters that the list omits.
        let count: Int
        /// The number of the cycle of waits that they belong to; 0 for none.
        let cycle: Int
        /// Whether the verdict of the report mentions one of the waits.
        let inVerdict: Bool

        init(_ row: OpenWaitRows.Row, _ text: OpenWaitText, headline: OpenWait.Waiter?) {
            cause = row.cause
            waiters = row.waits.prefix(Self.waiterLimit).map { wait in
                var (thread, task, queue): (Int32, UInt64, Int32) = (-1, 0, -1)
                switch wait.waiter {
                case .thread(let index): thread = index.rawValue
                case .task(let number): task = number
                case .items(let index, _): queue = index.rawValue
                }
                return Waiter(
                    name: text.waiter(wait), thread: thread, task: task, queue: queue, begin: wait.begin.nanoseconds,
                    length: wait.duration.count)
            }
            count = row.waits.count
            cycle = row.cycle ?? 0
            inVerdict = row.waits.contains { $0.waiter == headline }
        }
    }
}
