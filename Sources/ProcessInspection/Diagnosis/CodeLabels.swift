import DispatchModel
import ReportText
import Symbolication

/// The names of the code of items and tasks.
struct CodeLabels {
    private var names: [UInt64: Code] = [:]

    /// - Parameters:
    ///   - codes: functions by their address; a block has the address of its closure and of its thunk.
    ///   - images: the executable and the libraries.
    ///   - sources: the files with the symbols.
    init(_ codes: [Code], images: ProcessImages, sources: SymbolSources) {
        let table = images.table
        var naming = CodeNames(search: SymbolSearch(sources: sources, images: table), images: table)
        for code in naming.named(codes) { names[code.address] = code }
    }

    /// `closure #1 in Store.save() (App/Store.swift:12)`; nil for no code.
    func text(_ address: UInt64) -> String? {
        guard address != 0, let code = names[address] else { return nil }
        return DisplayText.escaped(code.description)
    }
}
