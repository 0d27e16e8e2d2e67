import DispatchAnalysis
import DispatchModel

/// The waits of threads, tasks and items at the end of the trace, grouped by cause. They show where a program that
/// hangs is blocked, and what would end the wait.
struct OpenWaitsSection {
    let analysis: Analysis
    let symbols: SymbolTable
    let detail: TextStyle.Detail

    private static let standardLimit = 12
    /// Most waiters that a row names.
    private static let nameLimit = 4

    private var text: OpenWaitText { OpenWaitText(model: analysis.model, symbols: symbols) }

    /// Waits with the same cause in the same code.
    private struct Row {
        let longest: OpenWait
        let cause: String
        var waiters: [OpenWait]
    }

    func draw(on page: inout TextPage) {
        let waits = detail == .everything ? analysis.stillWaiting.waits : analysis.stillWaiting.notable
        guard isShown, !waits.isEmpty else { return }
        page.addSection("STILL WAITING", note: "when the trace ended, longest first")
        let rows = rows(of: waits)
        let shown = rows.prefix(detail.limit(Self.standardLimit))
        for row in shown { draw(row, on: &page) }
        page.addRest(rows.dropFirst(shown.count).reduce(0) { $0 + $1.waiters.count }, "wait")
        let omitted = analysis.stillWaiting.omitted
        guard omitted > 0 else { return }
        page.addNote("\(CompactNumber.counted(omitted, "task or queue", plural: "tasks or queues")) also waited.")
    }

    /// A program that ended by itself was not stuck, unless threads wait for each other.
    private var isShown: Bool {
        if case .exited? = analysis.trace.ending {
            return analysis.openWaits.contains { wait in
                switch wait.object {
                case .queue, .lock: true
                case .group, .semaphore, .item: false
                }
            }
        }
        return !analysis.stillWaiting.notable.isEmpty
    }

    private func rows(of waits: [OpenWait]) -> [Row] {
        var rows: [Row] = []
        var places: [String: Int] = [:]
        for wait in waits {
            let cause = description(of: wait)
            // Items of one queue are one row already.
            if case .items = wait.waiter {
                rows.append(Row(longest: wait, cause: cause, waiters: [wait]))
                continue
            }
            if let place = places[cause] {
                rows[place].waiters.append(wait)
            } else {
                places[cause] = rows.count
                rows.append(Row(longest: wait, cause: cause, waiters: [wait]))
            }
        }
        return rows
    }

    /// The cause without the waiter and its time. A task is part of it, because its number identifies another row.
    private func description(of wait: OpenWait) -> String {
        let object: String =
            if case .object(let object) = wait.cause { "for \(WaitObjectName.of(object, in: analysis.model))" } else {
                text.cause(wait)
            }
        let place = wait.code == .unknown ? "" : ", in \(CodeName.of(wait.code, in: analysis.model, symbols: symbols))"
        return object + place + (text.releaser(wait).map { "; \($0)" } ?? "")
    }

    private func draw(_ row: Row, on page: inout TextPage) {
        let count = row.waiters.count
        var names = ""
        if count > 1 {
            let shown = row.waiters.prefix(Self.nameLimit).map(text.waiter).joined(separator: ", ")
            names = " (\(shown)\(count > Self.nameLimit ? " and \(count - Self.nameLimit) more" : ""))"
        }
        let label =
            count == 1
            ? text.waiter(row.longest)
            : { if case .task = row.longest.waiter { "\(count) tasks" } else { "\(count) threads" } }()
        let since = "\(row.longest.duration), since \(row.longest.begin)"
        let line = TextLine(" " + label, .strong)
        page.addParagraph("\(row.cause), for \(since)\(names).", label: line, indent: max(16, line.width + 2))
    }
}
