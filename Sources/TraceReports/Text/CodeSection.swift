import DispatchAnalysis
import DispatchModel

/// The code that items ran, sorted by the total wait before it began.
struct CodeSection {
    let analysis: Analysis
    let symbols: SymbolTable
    let detail: TextStyle.Detail

    private static let standardLimit = 8
    private static let columns: [TextTable.Column] = [
        .init(title: "items", width: 6),
        .init(title: "ran", width: 6),
        .init(title: "lost", width: 6),
        .init(group: "wait", title: "p50", width: 5, dropRank: 2),
        .init(group: "wait", title: "p99", width: 5, dropRank: 5),
        .init(group: "wait", title: "max", width: 5, dropRank: 1),
        .init(group: "run", title: "p50", width: 5, dropRank: 4),
        .init(group: "run", title: "p99", width: 5, dropRank: 3),
        .init(group: "run", title: "max", width: 5, dropRank: 0),
    ]

    func draw(on page: inout TextPage) {
        guard !analysis.codes.isEmpty else { return }
        page.addSection("CODE", note: "the code of items, by total wait before it began")
        var table = TextTable(firstTitle: "code", columns: Self.columns)
        let shown = analysis.codes.prefix(detail.limit(Self.standardLimit))
        let names = shown.map { CodeName.brief($0.code, in: analysis.model, symbols: symbols) }
        let rowsOf = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        for (code, name) in zip(shown, names) {
            let address = analysis.model[code.code].address
            let isAmbiguous = rowsOf[name, default: 0] > 1 && address != 0
            let place = isAmbiguous ? " +0x" + String(symbols.unresolvedFrame(at: address).offset, radix: 16) : ""
            table.rows.append(row(code, name: name + place))
        }
        table.draw(on: &page)
        let rest = analysis.codes.dropFirst(shown.count)
        let lost = rest.reduce(Nanoseconds.zero) { $0 + $1.waitTotal }
        page.addRest(rest.count, "place", " in the code, lost \(lost) in total")
        page.addNote(
            "ran: total run time, which includes waits inside of items. The code is the function that an item ran, or the place that submitted it."
        )
    }

    private func row(_ code: CodeStatistics, name: String) -> TextTable.Row {
        TextTable.Row(
            first: .init(name),
            cells: [
                .init(CompactNumber.count(code.items)), .init(code.serviceTotal),
                .init(code.waitTotal, .strong), .init(code.wait.p50), .init(code.wait.p99),
                .init(code.wait.max), .init(code.service.p50), .init(code.service.p99), .init(code.service.max),
            ])
    }
}
