import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// One item: its submission, its wait and its run.
struct ItemSection {
    let item: Item
    let model: DispatchModel
    let symbols: SymbolTable

    func draw(on page: inout TextPage) {
        page.addSection("ITEM \(item.number.rawValue)", note: "\(item.kind), from submission to end")
        page.addFact("code", CodeName.of(item.code, in: model, symbols: symbols), .place)
        page.addFact("queue", QueueName.of(item.queue, in: model), .place)
        if let source = item.source { page.addFact("source", "handler of a \(model[source].type) source") }
        page.addFact("submitted", submission)
        page.addFact("waited", waits, .strong)
        if let text = handOver { page.addFact("", text) }
        page.addFact("ran", run, .strong)
        if let times = item.processorTimes, let own = item.onProcessor {
            let text = "\(own) on a processor, \(times.blocked) blocked, \(times.preempted) preempted"
            let switches = CompactNumber.counted(times.switches, "context switch", plural: "context switches")
            page.addFact("", "\(text), in \(switches)")
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
            .map { "\($0.title) \($0.value)" }
        return "\(item.wait): " + parts.joined(separator: ", ")
    }

    private var handOver: String? {
        guard let thread = item.handedOverBy ?? item.blockedBy else { return nil }
        let level = item.blockedOn.map { QueueName.of($0, in: model) } ?? QueueName.of(item.queue, in: model)
        return "for \(level), held by \(ThreadName.of(thread, in: model))"
    }

    private var run: String {
        let place = "on \(ThreadName.of(item.thread, in: model)) from \(CompactNumber.place(item.beganAt))"
        return "\(item.service) \(place)" + (item.isFinished ? "" : "; still running at the end of the trace")
    }
}
