import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText

/// The signpost intervals with one name, and the longest of them.
struct IntervalSection {
    let story: SignpostStory
    let model: DispatchModel

    func draw(on page: inout TextPage) {
        page.addSection("SIGNPOST \(DisplayText.escaped(story.name))", note: "from begin to end of the interval")
        let latency = story.percentiles
        var text = CompactNumber.counted(story.count, "interval")
        if story.count > 1 { text += ": median \(latency.p50), 99th percentile \(latency.p99), longest \(latency.max)" }
        if story.open > 0 { text += "; \(CompactNumber.grouped(story.open)) more were open when the trace ended" }
        page.addFact("intervals", text + ".")
        guard let longest = story.longest else { return }
        let begin = "\(CompactNumber.place(longest.begin)) on \(ThreadName.of(longest.beginThread, in: model))"
        let end = "\(CompactNumber.place(longest.end)) on \(ThreadName.of(longest.endThread, in: model))"
        page.addFact("longest", "\(longest.end - longest.begin), from \(begin) to \(end)", .strong)
        if !longest.message.isEmpty { page.addFact("message", DisplayText.escaped(longest.message)) }
    }
}
