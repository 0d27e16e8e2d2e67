import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// A report for a terminal about several processes: the verdict over all of them, queues next to each other, then a few
/// lines per process.
public struct FleetTextReport {
    private let fleet: FleetAnalysis
    private let symbols: [SymbolTable]
    private let style: TextStyle

    /// - Parameters:
    ///   - fleet: the analyses to report.
    ///   - symbols: names of code addresses, one table per process.
    ///   - style: width, colours and detail; with all details, the full report of each process follows.
    public init(_ fleet: FleetAnalysis, symbols: [SymbolTable]? = nil, style: TextStyle = TextStyle()) {
        self.fleet = fleet
        self.symbols = symbols ?? fleet.processes.map { SymbolTable(images: $0.model.images) }
        self.style = style
    }

    /// Renders the whole report, with a line feed at its end.
    public func render() -> String {
        var page = TextPage(style, links: style.links?.links(in: fleet.processes.map(\.model), symbols))
        FleetHeaderSection(fleet: fleet).draw(on: &page)
        FleetVerdictSection(fleet: fleet).draw(on: &page)
        FleetFindingsSection(fleet: fleet, detail: style.detail).draw(on: &page)
        FleetQueuesSection(fleet: fleet, detail: style.detail).draw(on: &page)
        FleetProcessesSection(fleet: fleet, detail: style.detail).draw(on: &page)
        var text = page.string()
        guard style.detail == .everything else { return text }
        for (analysis, symbols) in zip(fleet.processes, symbols) {
            text += "\n"
            text += TextReport(analysis, symbols: symbols, style: style).render()
        }
        return text
    }
}

extension FleetAnalysis {
    /// The escaped name, process id and machine of a process: `news 4711 on box-2`.
    func name(of process: Int) -> String {
        let description = descriptions[process]
        let name = description.name.isEmpty ? "process" : DisplayText.escaped(description.name)
        return "\(name) \(description.pid)" + (hosts.count > 1 ? " on \(DisplayText.escaped(description.host))" : "")
    }
}
