import DispatchAnalysis
import DispatchModel
import ReportText

/// The head of the report: trace, processes, machines, time of recording and number of events.
struct FleetHeaderSection {
    let fleet: FleetAnalysis

    private static let hostLimit = 12

    func draw(on page: inout TextPage) {
        page.add("Queuescope report", .strong)
        let backends = Set(fleet.descriptions.map(\.backend)).sorted().joined(separator: ", ")
        let schemas = Set(fleet.descriptions.map(\.schema.description)).sorted().joined(separator: ", ")
        add("trace", "\(DisplayText.escaped(fleet.path)) · \(backends) · schema \(schemas)", to: &page)
        add("processes", CompactNumber.counted(fleet.processes.count, "process", plural: "processes"), to: &page)
        let hosts = fleet.hosts.map { host in
            let count = fleet.descriptions.count { $0.host == host }
            return DisplayText.escaped(host) + (count == 1 ? "" : " (\(count))")
        }
        if !hosts.isEmpty {
            let rest = hosts.count - Self.hostLimit
            let shown = hosts.prefix(Self.hostLimit).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
            add(hosts.count == 1 ? "machine" : "machines", shown, to: &page)
        }
        let events = fleet.processes.reduce(0) { $0 + $1.trace.events }
        var recorded = "\(fleet.duration), \(CompactNumber.counted(events, "event"))"
        if fleet.read.discarded > 0 { recorded += ", \(CompactNumber.grouped(fleet.read.discarded)) discarded" }
        if fleet.beginUnixNanoseconds > 0 {
            recorded = "\(HeaderSection.date(fleet.beginUnixNanoseconds)), " + recorded
        }
        add("recorded", recorded, to: &page)
        if let window = fleet.window { add("window", HeaderSection.words(window), to: &page) }
        if let missing = MissingEventsText.paragraph(fleet.summary.missing) {
            page.addParagraph(missing, .plain, label: TextLine(" missing", .warning), indent: 12)
        }
        for note in fleet.notes { add("note", DisplayText.escaped(note), to: &page) }
    }

    private func add(_ name: String, _ text: String, to page: inout TextPage) {
        page.addParagraph(text, label: TextLine(" " + name, .faint), indent: 12)
    }
}
