import DispatchModel

/// Classifies functions by the symbols of their images.
public final class ImageFunctions: FunctionKinds {
    private let sources: SymbolSources

    /// - Parameter sources: the sources of the symbols.
    public init(_ sources: SymbolSources = SymbolSources()) { self.sources = sources }

    public func isCopied(_ address: UInt64, in image: Image) -> Bool {
        function(at: address, in: image).map { SymbolText.isCopied(Demangler.demangled($0)) } ?? false
    }

    public func takesLock(_ address: UInt64, in image: Image) -> Bool {
        function(at: address, in: image).map(LockFunctions.contains) ?? false
    }

    public func isWitness(_ address: UInt64, in image: Image) -> Bool {
        sources.hasWitness(at: address &- image.base, in: image)
    }

    public func makesContinuation(_ address: UInt64, in image: Image) -> Bool {
        function(at: address, in: image).map(Self.makesContinuation) ?? false
    }

    static func makesContinuation(_ symbol: String) -> Bool {
        let name = Demangler.demangled(symbol).flatMap { SymbolText.path(of: $0).last }
        return name.map { $0.hasPrefix("with") && $0.hasSuffix("Continuation") } ?? false
    }

    public func forwardedClosure(_ address: UInt64, in image: Image) -> String? {
        // An address after the first is a call site of a closure that was inlined into the forwarder.
        guard let forwarder = function(at: address, in: image), function(at: address &- 1, in: image) != forwarder,
            let closure = CodeNames.closure(ofForwarder: forwarder)
        else { return nil }
        // Thunks are excluded: one thunk can call many closures.
        return CodeNames.isThunk(closure) ? nil : closure
    }

    /// The mangled name of the function at an address.
    private func function(at address: UInt64, in image: Image) -> String? {
        sources.markedFunction(at: address &- image.base, in: image)
    }

    /// Prefixes of symbols of modules of the Swift toolchain, and of extensions of their types. `S` is the prefix of
    /// types with a short mangling, such as `Array`, and of imported C types.
    private static let copied = [
        "$ss", "$sS", "$s12_Concurrency", "$s8Dispatch", "$s10Foundation", "$s20FoundationEssentials",
    ].map { Array($0.utf8) }

    /// Whether the name ends in `TA` and an optional number. Only such names can satisfy
    /// ``CodeNames/closure(ofForwarder:)``.
    private static func mayForward(_ name: UnsafeRawBufferPointer) -> Bool {
        guard let end = name.lastIndex(where: { $0 != UInt8(ascii: ".") && !(0x30...0x39).contains($0) }) else {
            return false
        }
        return end > 0 && name[end] == UInt8(ascii: "A") && name[end - 1] == UInt8(ascii: "T")
    }

    /// Whether the name contains `Continuation`.
    private static func mayMakeContinuation(_ name: UnsafeRawBufferPointer) -> Bool {
        name.indices.contains { name[$0] == continuation[0] && name[$0...].starts(with: continuation) }
    }

    private static let continuation = Array("Continuation".utf8)

    /// The functions of a file that may be classified, sorted by address.
    static func marked(in file: ELFFile) -> [ELFFile.Symbol] {
        file.functions { name in
            copied.contains { name.starts(with: $0) } || LockFunctions.mayContain(name) || mayForward(name)
                || mayMakeContinuation(name)
        }.sorted { $0.address < $1.address }
    }
}
