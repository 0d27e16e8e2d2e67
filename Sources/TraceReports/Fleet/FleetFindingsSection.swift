import DispatchAnalysis
import DispatchModel
import ReportText

/// The findings of all processes. Findings of one detector on queues with the same name are one entry.
struct FleetFindingsSection {
    let fleet: FleetAnalysis
    let detail: TextStyle.Detail

    private static let standardLimit = 12

    func draw(on page: inout TextPage) {
        guard !fleet.findings.isEmpty else { return }
        page.addSection("FINDINGS ACROSS PROCESSES", note: "costliest first")
        let limit = detail.limit(Self.standardLimit)
        for finding in fleet.findings.prefix(limit) {
            var label = TextLine(" ")
            label.append(finding.severity.rawValue, finding.severity.color)
            page.addParagraph(Self.sentence(finding, in: fleet), label: label, indent: 10)
        }
        let rest = fleet.findings.count - limit
        if rest > 0 { page.addNote("… \(CompactNumber.grouped(rest)) more; --all shows them.") }
    }

    /// An entry as a sentence: `staircase-contention on news.state in 2 of 3 processes, cost 64 ms, most in news 5 on
    /// box-2 (F1): …`
    static func sentence(_ finding: FleetFinding, in fleet: FleetAnalysis) -> String {
        guard let worst = finding.members.first else { return finding.detector }
        let place = finding.queue.isEmpty ? "" : " on \(DisplayText.escaped(finding.queue))"
        let spread = "in \(finding.processCount) of \(fleet.processes.count) processes"
        let cost = finding.cost > .zero ? ", cost \(finding.cost)" : ""
        let most = finding.processCount > 1 ? "most in" : "all in"
        return "\(finding.detector)\(place) \(spread)\(cost), \(most) "
            + "\(fleet.name(of: worst.process)) (\(worst.finding.id)): \(DisplayText.escaped(worst.finding.summary))"
    }
}
