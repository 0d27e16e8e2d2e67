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

    /// The same for narrow columns: without modules, types and directories.
    ///
    /// `closure #1 in Store.save(to:) Store.swift:42`
    static func brief(_ code: CodeIndex, in model: DispatchModel, symbols: SymbolTable) -> String {
        let known = model[code]
        var symbol = Demangler.demangled(known.symbol) ?? known.symbol
        var file = known.file
        var line = known.line
        if file.isEmpty, symbol.isEmpty {
            guard known.address != 0 else { return "unknown code" }
            let frame = symbols.frames(at: known.address &+ 1)[0]
            guard let name = frame.symbol else { return DisplayText.escaped(frame.description) }
            (symbol, file, line) = (name, frame.file ?? "", frame.line ?? 0)
        }
        let place = file.lastPathComponent.map { "\($0)" + (line > 0 ? ":\(line)" : "") } ?? ""
        return DisplayText.escaped([SymbolText.brief(symbol), place].filter { !$0.isEmpty }.joined(separator: " "))
    }
}
