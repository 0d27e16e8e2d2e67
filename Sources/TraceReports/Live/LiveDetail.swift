import DispatchModel
import ReportText

/// The page of one object: its figures, its owner and waiters, the code that submits to it, and its last items.
struct LiveDetail {
    let id: LiveObject.ID
    let snapshot: LiveSnapshot
    let view: LiveView
    let columns: Int

    /// Most waiters that are listed.
    private static let waiterLimit = 8
    /// Most submitting threads that are listed.
    private static let callerLimit = 6

    var lines: [TextLine] {
        var page = TextPage(TextStyle(width: columns))
        guard let object = snapshot.objects.first(where: { $0.id == id }) else {
            page.add("The last reading does not have this object: it was idle in the last \(snapshot.window).")
            return page.lines
        }
        page.addSection(object.kind.rawValue.uppercased() + " " + object.name)
        let busy = CompactNumber.percent(object.busy)
        page.addFact("rate", "\(CompactNumber.rate(object.rate)) per second, busy \(busy)")
        page.addFact("waits now", object.depth == 0 ? "nothing" : CompactNumber.count(object.depth))
        if let wait = object.wait {
            page.addFact("wait", "p50 \(wait.p50), p99 \(wait.p99), max \(wait.max), \(object.lost) in total")
        }
        if let run = object.run { page.addFact("run", "p50 \(run.p50), p99 \(run.p99), max \(run.max)") }
        if let owner = object.owner { page.addFact("now", owner) }
        addWaiters(object, to: &page)
        addItems(to: &page)
        return page.lines
    }

    private func addWaiters(_ object: LiveObject, to page: inout TextPage) {
        guard !object.waiters.isEmpty else { return }
        page.addSection("WAITERS", note: "longest first")
        for waiter in object.waiters.prefix(Self.waiterLimit) { page.add(" " + waiter) }
        let rest = object.waiters.count - Self.waiterLimit
        if rest > 0 { page.addNote("… \(CompactNumber.counted(rest, "more waiter")).") }
    }

    private func addItems(to page: inout TextPage) {
        let items = snapshot.recentItems
        guard id.kind != .lock, id.kind != .thread, !items.isEmpty else { return }
        let callers = Dictionary(grouping: items.compactMap(\.submitter)) { $0 }.mapValues(\.count)
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        if !callers.isEmpty {
            let names = callers.prefix(Self.callerLimit).map { "\($0.key) ×\($0.value)" }
            page.addFact("callers", "of the last items: " + names.joined(separator: ", "))
        }
        page.addSection("LAST ITEMS", note: "newest first")
        let columns = TextColumns<LiveSnapshot.RecentItem> { columns in
            columns.add("ended", width: 6) { "-" + CompactNumber.duration($0.age) }
            columns.add("wait", width: 6, .strong) { $0.wait }
            columns.add("run", width: 6) { $0.run }
            columns.add("on", width: 20, alignsRight: false, dropRank: 1) { $0.thread }
            columns.add("from", width: 20, alignsRight: false, dropRank: 0) { $0.submitter }
        }
        page.addTable("code", columns, of: items) { $0.code }
    }
}
