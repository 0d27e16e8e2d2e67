import DispatchAnalysis
import DispatchModel

/// What happened to one item: who submitted it, what it waited for, where it ran.
struct ItemSection {
    let item: Item
    let model: DispatchModel
    let symbols: SymbolTable

    private static let indent = 13

    func draw(on page: inout TextPage) {
        page.addSection("ITEM \(item.number.rawValue)", note: "\(item.kind), from submission to end")
        add("code", CodeName.of(item.code, in: model, symbols: symbols), .place, to: &page)
        add("queue", QueueName.of(item.queue, in: model), .place, to: &page)
        if let source = item.source { add("source", "handler of a \(model[source].type) source", to: &page) }
        add("submitted", submission, to: &page)
        add("waited", waits, .strong, to: &page)
        if let text = handOver { add("", text, to: &page) }
        add("ran", run, .strong, to: &page)
        if let times = item.processorTimes, let own = item.onProcessor {
            let text = "\(own) on a processor, \(times.blocked) blocked, \(times.preempted) preempted"
            let switches = CompactNumber.counted(times.switches, "context switch", plural: "context switches")
            add("", "\(text), in \(switches)", to: &page)
        }
    }

    private var submission: String {
        var text = "at \(CompactNumber.place(item.enqueuedAt))"
        if let thread = item.enqueuedOn { text += " on \(ThreadName.of(thread, in: model))" }
        text += item.parent.map { ", by item \($0.rawValue)" } ?? ""
        if item.hops > 1 {
            text += "; \(CompactNumber.counted(Int(item.hops), "submission")) after item \(item.operation.rawValue)"
        }
        return text + (item.qos == .unspecified ? "" : "; quality of service \(item.qos)")
    }

    private var waits: String {
        guard item.wait > .zero else { return "not at all" }
        let parts = item.waitParts.named.filter { $0.value > .zero }
            .map { "\(QueuesSection.words($0.name)) \($0.value)" }
        return "\(item.wait): " + parts.joined(separator: ", ")
    }

    private var handOver: String? {
        guard let thread = item.handedOverBy ?? item.blockedBy else { return nil }
        let level = item.blockedOn.map { QueueName.of($0, in: model) } ?? QueueName.of(item.queue, in: model)
        return "for \(level), which \(ThreadName.of(thread, in: model)) held"
    }

    private var run: String {
        let place = "on \(ThreadName.of(item.thread, in: model)) from \(CompactNumber.place(item.beganAt))"
        return "\(item.service) \(place)" + (item.isFinished ? "" : "; it still ran when the trace ended")
    }

    private func add(_ name: String, _ text: String, _ ink: Ink = .plain, to page: inout TextPage) {
        page.addParagraph(text, ink, label: TextLine(" " + name, .faint), indent: Self.indent)
    }
}
