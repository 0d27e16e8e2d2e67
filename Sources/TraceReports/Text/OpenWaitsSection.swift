import DispatchAnalysis
import DispatchModel

/// Waits of threads at the end of the trace, if one of them is a wait for a queue or a lock. They show where a program
/// that hangs is blocked.
struct OpenWaitsSection {
    let analysis: Analysis
    let symbols: SymbolTable
    let detail: TextStyle.Detail

    private static let standardLimit = 12

    func draw(on page: inout TextPage) {
        let waits = analysis.openWaits
        guard waits.contains(where: { Self.canHang($0.object) }) else { return }
        page.addSection("STILL WAITING", note: "when the trace ended")
        let shown = waits.prefix(detail.limit(Self.standardLimit))
        for wait in shown { draw(wait, on: &page) }
        page.addRest(waits.count - shown.count, "thread", " waiting")
    }

    private static func canHang(_ object: BlockedWait.Object) -> Bool {
        switch object {
        case .queue, .lock: true
        case .group, .semaphore, .item: false
        }
    }

    private func draw(_ wait: BlockedWait, on page: inout TextPage) {
        let model = analysis.model
        var text = "for \(WaitObjectName.of(wait.object, in: model))"
        if let holder = wait.holder { text += ", held by \(ThreadName.of(holder, in: model))" }
        text += ", since \(wait.begin)"
        if wait.code != .unknown { text += ", in \(CodeName.of(wait.code, in: model, symbols: symbols))" }
        let label = TextLine(" " + ThreadName.of(wait.thread, in: model), .strong)
        page.addParagraph(text, label: label, indent: max(16, label.width + 2))
    }
}
