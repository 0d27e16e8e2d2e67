import DispatchModel

/// How a report calls a piece of code.
enum CodeName {
    /// The call site or function, symbolised when the trace has only its address.
    static func of(_ code: CodeIndex, in model: DispatchModel, symbols: SymbolTable) -> String {
        let code = model[code]
        guard code.file.isEmpty, code.address != 0, code.symbol.isEmpty else {
            return DisplayText.escaped(Demangler.demangled(code.symbol) ?? code.description)
        }
        // Symbols are looked up one byte before a return address; a function's own address is its first byte.
        return DisplayText.escaped(symbols.frames(at: code.address &+ 1)[0].description)
    }
}
