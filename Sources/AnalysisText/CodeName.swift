import DispatchModel
import ReportText
import Symbolication

/// Names of places in the code.
package enum CodeName {
    /// The call site or function. It is symbolized when the trace has only its address.
    package static func of(_ code: CodeIndex, in model: DispatchModel, symbols: SymbolTable) -> String {
        let code = model[code]
        guard code.file.isEmpty, code.address != 0, code.symbol.isEmpty else {
            return DisplayText.escaped(Demangler.demangled(code.symbol) ?? code.description)
        }
        // Symbols are looked up one byte before a return address. The address of a function is its first byte, so add
        // one.
        return DisplayText.escaped(symbols.frames(at: code.address &+ 1)[0].description)
    }

    /// A short form for narrow columns: `save Store.swift:42`, or `closure #1 in Store.save(to:)` when the line is
    /// unknown.
    package static func brief(_ code: CodeIndex, in model: DispatchModel, symbols: SymbolTable) -> String {
        let known = model[code]
        // Names that the model has are already short.
        var symbol = Demangler.demangled(known.symbol).map(SymbolText.brief) ?? known.symbol
        var file = known.file
        var line = known.line
        if file.isEmpty, symbol.isEmpty {
            guard known.address != 0 else { return "unknown code" }
            let frame = symbols.frames(at: known.address &+ 1)[0]
            guard let name = frame.symbol else { return DisplayText.escaped(frame.description) }
            (symbol, file, line) = (SymbolText.brief(name), frame.file ?? "", frame.line ?? 0)
        }
        guard line > 0, let file = file.lastPathComponent else {
            return DisplayText.escaped(symbol.isEmpty ? file : symbol)
        }
        let name = SymbolText.name(of: symbol)
        return DisplayText.escaped((name.isEmpty ? "" : name + " ") + "\(file):\(line)")
    }
}
