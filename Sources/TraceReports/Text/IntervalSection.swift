import DispatchAnalysis
import DispatchModel

/// What happened to the signpost intervals of one name, and which was the longest.
struct IntervalSection {
    let story: SignpostStory
    let model: DispatchModel

    private static let indent = 13

    func draw(on page: inout TextPage) {
        page.addSection("SIGNPOST \(DisplayText.escaped(story.name))", note: "from begin to end of the interval")
        let latency = story.percentiles
        var text = CompactNumber.counted(story.count, "interval")
        if story.count > 1 { text += ": median \(latency.p50), 99th percentile \(latency.p99), longest \(latency.max)" }
        if story.open > 0 { text += "; \(CompactNumber.grouped(story.open)) more had not ended when the trace did" }
        add("intervals", text + ".", to: &page)
        guard let longest = story.longest else { return }
        let begin = "\(CompactNumber.place(longest.begin)) on \(ThreadName.of(longest.beginThread, in: model))"
        let end = "\(CompactNumber.place(longest.end)) on \(ThreadName.of(longest.endThread, in: model))"
        add("longest", "\(longest.end - longest.begin), from \(begin) to \(end)", .strong, to: &page)
        if !longest.message.isEmpty { add("message", DisplayText.escaped(longest.message), to: &page) }
    }

    private func add(_ name: String, _ text: String, _ ink: Ink = .plain, to page: inout TextPage) {
        page.addParagraph(text, ink, label: TextLine(" " + name, .faint), indent: Self.indent)
    }
}
