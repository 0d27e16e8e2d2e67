import DispatchAnalysis
import DispatchModel
import Symbolication

/// The open waits of a trace, grouped by cause and code: the cycles first, then the longest first.
package struct OpenWaitRows {
    /// Waits with the same cause in the same code.
    package struct Row {
        /// The cause and the code, without the waiters and the time.
        package let cause: String
        /// The waits, the longest first; never empty.
        package fileprivate(set) var waits: [OpenWait]

        package var longest: OpenWait { waits[0] }
        /// The number of the cycle that the waits belong to; nil for none.
        package var cycle: Int? { waits[0].cycle }
    }

    /// - Parameters:
    ///   - waits: the waits: the cycles first, then the longest first.
    ///   - model: the entities that the waits refer to.
    ///   - symbols: the names of the code.
    /// - Returns: one row per cause and code.
    package static func rows(of waits: [OpenWait], in model: DispatchModel, symbols: SymbolTable) -> [Row] {
        let text = OpenWaitText(model: model, symbols: symbols)
        var rows: [Row] = []
        struct Key: Hashable {
            let cause: String
            let cycle: Int?
        }
        var places: [Key: Int] = [:]
        for wait in waits {
            let cause = text.description(of: wait)
            // Items of one queue are one row already.
            if case .items = wait.waiter {
                rows.append(Row(cause: cause, waits: [wait]))
            } else if let place = places[Key(cause: cause, cycle: wait.cycle)] {
                rows[place].waits.append(wait)
            } else {
                places[Key(cause: cause, cycle: wait.cycle)] = rows.count
                rows.append(Row(cause: cause, waits: [wait]))
            }
        }
        return rows
    }
}
