import CTFReader

/// Looks up addresses in an executable or library: functions in its symbol table, files, lines and inlined functions in
/// its debug information.
final class SymbolFile {
    private let file: ELFFile
    /// The file that has the symbols and the debug information of a stripped file.
    private let debugFile: ELFFile?
    private lazy var information = file.debugInformation ?? debugFile?.debugInformation

    /// - Parameters:
    ///   - file: the executable or library.
    ///   - debugFile: its separate debug file; nil when there is none.
    init(_ file: ELFFile, debugFile: ELFFile? = nil) {
        self.file = file
        self.debugFile = debugFile
    }

    /// The file with the complete symbol table.
    var symbols: ELFFile { file.hasSymbols ? file : debugFile.flatMap { $0.hasSymbols ? $0 : nil } ?? file }

    /// Functions with names that ``ImageFunctions`` classifies, sorted by address.
    private lazy var marked = ImageFunctions.marked(in: symbols)

    /// The mangled name of the function at an address, if ``ImageFunctions`` may classify it.
    func markedFunction(at address: UInt64) -> String? {
        let next = marked.partitioningIndex { $0.address > address }
        guard next > 0 else { return nil }
        let function = marked[next - 1]
        return address < function.address &+ max(function.size, 1) ? function.name : nil
    }

    /// Looks up addresses.
    ///
    /// - Parameter addresses: addresses in the file, in ascending order.
    /// - Returns: the functions at each address, innermost first, with mangled names; empty when unknown.
    func places(at addresses: [UInt64]) -> [[SymbolSearch.Place]] {
        zip(addresses, symbols.functions(at: addresses)).map { address, symbol in
            var frames = information?.frames(at: address) ?? []
            if frames.isEmpty { frames = [DebugInformation.Frame()] }
            // The symbol table has the mangled name also when the debug information has only lines.
            if let symbol {
                frames[frames.count - 1].function = symbol.name
                frames[frames.count - 1].begin = symbol.address
            }
            return frames.compactMap { Self.place($0, at: address) }
        }
    }

    private static func place(_ frame: DebugInformation.Frame, at address: UInt64) -> SymbolSearch.Place? {
        guard let name = frame.function, !name.isEmpty else { return nil }
        var (file, line) = (frame.file, frame.line)
        // The first instruction may belong to a function that was inlined there. The first instruction after an `await`
        // does belong to the await, whose line is wanted.
        if address == frame.begin, frame.declarationLine > 0, !isAfterAwait(name) {
            (file, line) = (frame.declarationFile ?? file, frame.declarationLine)
        }
        // Compiler-generated code has a name in angle brackets instead of a file, or no line.
        let isWritten = line > 0 && file.map { !$0.isEmpty && !$0.hasSuffix(">") } == true
        return SymbolSearch.Place(function: name, file: isWritten ? file : nil, line: isWritten ? line : nil)
    }

    /// Whether a mangled name is of the part of an async function behind an `await`: `TQ` or `TY`, then the number of
    /// the await, as in `$s3App6handleyyYaFTY2_`.
    ///
    /// Source: the operators of async resume functions in Swift's `docs/ABI/Mangling.rst`.
    static func isAfterAwait(_ name: String) -> Bool {
        guard name.hasSuffix("_") else { return false }
        let rest = name.dropLast().reversed().drop { $0.isNumber }
        return rest.starts(with: "QT") || rest.starts(with: "YT")
    }
}
