import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// The locks that threads waited for, and the semaphores that are used as locks.
struct LocksSection {
    let analysis: Analysis
    let symbols: SymbolTable
    let detail: TextStyle.Detail

    private static let standardLimit = 6

    private struct Row {
        let name: String
        let taken: String
        let waits: Int
        let lost: Nanoseconds
        var longestWait: Nanoseconds?
        var held: Nanoseconds?
        var longestHold: Nanoseconds?
    }

    private static var columns: TextColumns<Row> {
        TextColumns { columns in
            columns.add("taken", width: 7, dropRank: 2) { $0.taken }
            columns.add("waits", width: 7) { $0.waits }
            columns.add("lost", width: 6, .strong) { $0.lost }
            columns.add("longest wait", width: 12, dropRank: 1) { $0.longestWait }
            columns.add("held", width: 6) { $0.held }
            columns.add("longest hold", width: 12, dropRank: 0) { $0.longestHold }
        }
    }

    func draw(on page: inout TextPage) {
        let rows = (locks + semaphores).sorted { ($1.lost, $0.name) < ($0.lost, $1.name) }
        guard !rows.isEmpty else { return }
        page.addSection("LOCKS", note: "locks that threads waited for")
        let shown = rows.prefix(detail.limit(Self.standardLimit))
        page.addTable("lock", Self.columns, of: shown) { $0.name }
        let lost = rows.dropFirst(shown.count).reduce(Nanoseconds.zero) { $0 + $1.lost }
        page.addRest(rows.count - shown.count, "lock", ", lost \(lost) in total")
        page.addNote(
            "lost: total wait; held: total time from acquire to release. For a mutex or a read-write lock, only "
                + "acquisitions that waited are recorded (≥).")
    }

    private var locks: [Row] {
        analysis.locks.filter { $0.contended > 0 }.map { lock in
            let isMutex = analysis.model[lock.lock].isMutex
            return Row(
                name: DisplayText.escaped(analysis.model[lock.lock].name),
                taken: (isMutex ? "≥" : "") + CompactNumber.count(lock.acquisitions), waits: lock.contended,
                lost: lock.waitTotal, longestWait: lock.waitMax, held: lock.holdTotal, longestHold: lock.holdMax)
        }
    }

    private var semaphores: [Row] {
        analysis.model.semaphores.filter { $0.isLock && $0.waited > .zero }.map { semaphore in
            let code = CodeName.brief(semaphore.creationCode, in: analysis.model, symbols: symbols)
            return Row(
                name: "semaphore created at \(code)", taken: CompactNumber.count(semaphore.waits - semaphore.timeouts),
                waits: semaphore.blockedWaits, lost: semaphore.waited)
        }
    }
}
