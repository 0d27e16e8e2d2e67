import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// The sentence of the verdict that states where the time of the run went.
struct RunAccountText {
    let account: RunAccount
    let model: DispatchModel
    let symbols: SymbolTable

    /// Most steps in the sentence, and the smallest share of one.
    private static let stepLimit = 3
    private static let smallestShare = 0.05
    /// Number of sums whose names are looked up. The others are shorter.
    private static let sumLimit = 16
    /// A wait at the end with a smaller share is left out of the sentence.
    private static let smallestWait = 0.1
    /// With a larger share, the sentence does not mention the time without a cause.
    private static let completeShare = 0.9
    /// With a larger share of waits for events, the program was idle.
    private static let idleShare = 0.5

    /// `Of 7.10 s, the main task waited 6.90 s on a continuation, in fetch App.swift:12.`, or the longest steps:
    /// `Of 209 ms: 65% hand-off to save Store.swift:40, 28% running load Store.swift:12.` An idle program comes first:
    /// `Of 2.99 s, the program was idle for 2.96 s: it waited for events from outside. The steps: 99% …`
    ///
    /// Nil for a run without duration.
    func sentence() -> String? {
        guard account.path.duration > .zero else { return nil }
        let start = "Of \(account.path.duration)"
        let text =
            if let waits = waits() {
                "\(start), \(mayBeIdle())\(waits)"
            } else if share(account.idle) >= Self.idleShare {
                "\(start), the program was idle for \(account.idle): it waited for events from outside. "
                    + "The steps: \(steps())"
            } else {
                "\(start): \(steps())"
            }
        return [text, rest()].compactMap(\.self).joined(separator: " ")
    }

    /// Precedes a long wait of an idle program. A blocking system call of the program is not taken for it.
    private func mayBeIdle() -> String {
        guard let wait = account.idleWait, share(wait.duration) >= Self.idleShare else { return "" }
        if case .call = wait.cause { return "" }
        return "the program may have been idle for \(wait.duration): "
    }

    private func share(_ time: Nanoseconds) -> Double { Double(time.count) / Double(account.path.duration.count) }

    // MARK: Waits

    private func waits() -> String? {
        guard let first = account.waits.first, share(first.duration) >= Self.smallestWait else { return nil }
        var text = "\(clause(first))."
        if first.cycle != nil { return text + " The wait is part of a cycle." }
        if account.waits.contains(where: { $0.cycle != nil }) { return text + " Its end depends on a cycle of waits." }
        let last = account.waits.last ?? first
        if account.waits.count > 1 { text += " The last wait of the chain: \(clause(last))." }
        return account.idleWait != nil && mayBeIdle().isEmpty ? text + " An idle program waits like this." : text
    }

    /// `the main thread waited 6.90 s for mutex 0x7f…, in App.swift:12; held by worker 7`
    private func clause(_ wait: OpenWait) -> String {
        let text = OpenWaitText(model: model, symbols: symbols)
        return "\(name(of: wait, text)) waited \(wait.duration) \(text.description(of: wait))"
    }

    private func name(of wait: OpenWait, _ text: OpenWaitText) -> String {
        switch wait.waiter {
        case .thread(let thread) where thread == account.mainThread: "the main thread"
        case .task(let number) where number == account.mainTask: "the main task"
        default: text.waiter(wait)
        }
    }

    // MARK: Steps

    private func steps() -> String {
        let sums = account.path.totals.prefix(Self.sumLimit)
        let rows = PathRows.rows(of: sums, distinguishesQueues: false, in: model, symbols: symbols)
        let shown = rows.prefix(Self.stepLimit).filter { share($0.time) >= Self.smallestShare }
        let list = shown.map { "\(CompactNumber.percent(share($0.time))) \($0.name)" }.joined(separator: ", ")
        return "\(list.isEmpty ? "many short steps" : list)."
    }

    private func rest() -> String? {
        let share = account.explainedShare
        guard share < Self.completeShare else { return nil }
        return "For \(CompactNumber.percent(1 - share)), the trace has no cause."
    }
}
