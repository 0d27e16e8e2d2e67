import DispatchAnalysis
import DispatchModel
import ReportText

/// A few lines per process: the recording, its losses, and the costliest findings.
struct FleetProcessesSection {
    let fleet: FleetAnalysis
    let detail: TextStyle.Detail

    private static let processLimit = 40
    private static let findingLimit = 3
    private static let indent = 13

    func draw(on page: inout TextPage) {
        page.addSection("PROCESSES", note: "in the order of their first event")
        let limit = detail.limit(Self.processLimit)
        for process in fleet.processes.indices.prefix(limit) { draw(process, on: &page) }
        let rest = fleet.processes.count - limit
        if rest > 0 { page.addNote("… \(CompactNumber.grouped(rest)) more; --all shows them.") }
        page.addNote("The full report of a process: --process PID, NAME or HOST:PID; of all: --all.")
    }

    private func draw(_ process: Int, on page: inout TextPage) {
        let analysis = fleet.processes[process]
        let trace = analysis.trace
        page.add(TextLine(" " + DisplayText.escaped(fleet.descriptions[process].description), .strong))
        let start = Nanoseconds(trace.beginUnixNanoseconds - fleet.beginUnixNanoseconds) + (trace.begin - .zero)
        var recorded = "\(trace.duration) from \(start), \(CompactNumber.counted(trace.events, "event"))"
        if trace.discarded > 0 { recorded += ", \(CompactNumber.grouped(trace.discarded)) discarded" }
        recorded += ", \(CompactNumber.counted(BusyQueues(in: analysis).queues, "busy queue"))"
        let score = Int64((analysis.quality.score * 1000).rounded(.down))
        if score < 1000 { recorded += ", quality \(CompactNumber.decimal(score, places: 1)) %" }
        add("recorded", recorded, to: &page)
        for finding in analysis.findings.prefix(Self.findingLimit) {
            add(
                finding.id, "\(finding.severity.rawValue) \(finding.detector): \(DisplayText.escaped(finding.summary))",
                finding.severity.color, to: &page)
        }
        let rest = analysis.findings.count - Self.findingLimit
        if rest > 0 { add("", "and \(rest) more", to: &page) }
        if analysis.findings.isEmpty { add("findings", "none", .good, to: &page) }
        for note in trace.notes.prefix(Self.findingLimit) { add("note", DisplayText.escaped(note), to: &page) }
    }

    private func add(_ name: String, _ text: String, _ color: TextColor = .plain, to page: inout TextPage) {
        page.addParagraph(text, color, label: TextLine("   " + name, .faint), indent: Self.indent)
    }
}
