import AnalysisText
import DispatchAnalysis
import DispatchModel
import Symbolication

/// The code that the other tables refer to.
struct CodeTable: TraceTable {
    struct Row {
        let index: CodeIndex
        let code: Code
        let name: String
        let statistics: CodeStatistics
    }

    static let meaning = "A row per function or call site; row 0 is unknown code."
    static let key = ["process", "code_index"]

    static let columns = TableColumns<Row> { columns in
        columns.addProcess()
        columns.add("code_index", "Its number in the tables.") { $0.index }
        columns.add("code", "Its name in reports.") { $0.name }
        columns.add("symbol", "The function, demangled.") { Demangler.demangled($0.code.symbol) ?? $0.code.symbol }
        columns.add("file", "Module/File.swift.") { $0.code.file }
        columns.add("line", "The line; empty when unknown.") { $0.code.line > 0 ? $0.code.line : nil }
        columns.add("address", "The address in the process, hexadecimal; empty for a call site.") {
            $0.code.address == 0 ? nil : "0x" + String($0.code.address, radix: 16)
        }
        columns.add("items", "Items that ran it, and iterations of concurrentPerform.") { $0.statistics.items }
        columns.add("wait_total_ns", "The sum of their waits.") { $0.statistics.waitTotal }
        columns.add("service_total_ns", "The sum of their times from begin to end.") { $0.statistics.serviceTotal }
    }

    func finish(_ analysis: Analysis, _ add: (Row) -> Void) {
        let model = analysis.model
        let symbols = SymbolTable(images: model.images)
        let statistics = Dictionary(analysis.codes.map { ($0.code, $0) }) { first, _ in first }
        for position in model.codes.indices {
            let index = CodeIndex(position)
            add(
                Row(
                    index: index, code: model[index], name: CodeName.of(index, in: model, symbols: symbols),
                    statistics: statistics[index] ?? CodeStatistics(code: index)))
        }
    }
}
