import DispatchModel
import Symbolication

/// A place in the program. A part that is not recorded is empty or 0.
struct CodeDocument: Encodable {
    let symbol: String
    let file: String
    let line: Int

    init(_ index: CodeIndex, in model: DispatchModel, symbols: SymbolTable?) {
        let code = model[index]
        if code.file.isEmpty, code.symbol.isEmpty, code.address != 0,
            let frame = symbols?.frames(at: code.address &+ 1).first
        {
            symbol = frame.symbol ?? frame.description
            file = frame.file ?? ""
            line = frame.line ?? 0
        } else {
            symbol = Demangler.demangled(code.symbol) ?? code.symbol
            file = code.file
            line = code.line
        }
    }
}

extension CodeDocument {
    /// Nil for unknown code.
    init?(known index: CodeIndex, in model: DispatchModel, symbols: SymbolTable?) {
        guard index != .unknown else { return nil }
        self.init(index, in: model, symbols: symbols)
    }
}
