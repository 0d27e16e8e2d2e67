import DispatchAnalysis
import DispatchModel

/// A report for a person about several processes: the verdict over all of them, queues side by side, then each process in
/// a few lines.
public struct FleetTextReport {
    let fleet: FleetAnalysis
    let symbols: [SymbolTable]
    let width: Int
    let inColor: Bool
    let detail: TextReport.Detail

    /// - Parameters:
    ///   - fleet: what to report.
    ///   - symbols: what is known about code addresses, per process.
    ///   - width: columns of the terminal; less than 60 counts as 60.
    ///   - inColor: write ANSI colours.
    ///   - detail: how much to say; everything appends the full report of each process.
    public init(
        _ fleet: FleetAnalysis, symbols: [SymbolTable]? = nil, width: Int = 100, inColor: Bool = false,
        detail: TextReport.Detail = .standard
    ) {
        self.fleet = fleet
        self.symbols = symbols ?? fleet.processes.map { SymbolTable(images: $0.model.images) }
        self.width = width
        self.inColor = inColor
        self.detail = detail
    }

    /// The whole report, ended by a line feed.
    public func render() -> String {
        var page = TextPage(width: width)
        FleetHeaderSection(fleet: fleet).draw(on: &page)
        FleetVerdictSection(fleet: fleet).draw(on: &page)
        FleetFindingsSection(fleet: fleet, detail: detail).draw(on: &page)
        FleetQueuesSection(fleet: fleet, detail: detail).draw(on: &page)
        FleetProcessesSection(fleet: fleet, detail: detail).draw(on: &page)
        var text = page.string(inColor: inColor)
        guard detail == .everything else { return text }
        for (analysis, symbols) in zip(fleet.processes, symbols) {
            text += "\n"
            text += TextReport(analysis, symbols: symbols, width: width, inColor: inColor, detail: detail).render()
        }
        return text
    }
}

extension FleetAnalysis {
    /// The process's name and place, escaped: `news 4711 on box-2`.
    func name(of process: Int) -> String {
        let description = descriptions[process]
        let name = description.name.isEmpty ? "process" : DisplayText.escaped(description.name)
        return "\(name) \(description.pid)" + (hosts.count > 1 ? " on \(DisplayText.escaped(description.host))" : "")
    }
}
