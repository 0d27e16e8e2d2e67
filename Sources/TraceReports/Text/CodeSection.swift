import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// The code that items ran, sorted by the total wait before it began.
struct CodeSection {
    let analysis: Analysis
    let symbols: SymbolTable
    let detail: TextStyle.Detail

    private static let standardLimit = 8
    private static var columns: TextColumns<CodeStatistics> {
        TextColumns { columns in
            columns.add("items", width: 6) { $0.items }
            columns.add("ran", width: 6) { $0.serviceTotal }
            columns.add("lost", width: 6, .strong) { $0.waitTotal }
            columns.add("p50", in: "wait", width: 5, dropRank: 2) { $0.wait.p50 }
            columns.add("p99", in: "wait", width: 5, dropRank: 5) { $0.wait.p99 }
            columns.add("max", in: "wait", width: 5, dropRank: 1) { $0.wait.max }
            columns.add("p50", in: "run", width: 5, dropRank: 4) { $0.service.p50 }
            columns.add("p99", in: "run", width: 5, dropRank: 3) { $0.service.p99 }
            columns.add("max", in: "run", width: 5, dropRank: 0) { $0.service.max }
        }
    }

    func draw(on page: inout TextPage) {
        guard !analysis.codes.isEmpty else { return }
        page.addSection("CODE", note: "the code of items, by total wait before it began")
        let columns = Self.columns
        var table = TextTable(firstTitle: "code", columns: columns)
        let shown = analysis.codes.prefix(detail.limit(Self.standardLimit))
        let names = shown.map { CodeName.brief($0.code, in: analysis.model, symbols: symbols) }
        let rowsOf = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        for (code, name) in zip(shown, names) {
            let address = analysis.model[code.code].address
            let isAmbiguous = rowsOf[name, default: 0] > 1 && address != 0
            let place = isAmbiguous ? " +0x" + String(symbols.unresolvedFrame(at: address).offset, radix: 16) : ""
            table.rows.append(.init(first: .init(name + place), cells: columns.cells(of: code)))
        }
        table.draw(on: &page)
        let rest = analysis.codes.dropFirst(shown.count)
        let lost = rest.reduce(Nanoseconds.zero) { $0 + $1.waitTotal }
        page.addRest(rest.count, "place", " in the code, lost \(lost) in total")
        page.addNote(
            "ran: total run time, which includes waits inside of items. The code is the function that an item ran, or "
                + "the place that submitted it.")
    }
}
