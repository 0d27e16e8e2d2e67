import DispatchModel

/// Maps code addresses to functions, files and lines.
///
/// This module reads the symbol tables and the debug information of ELF files. An image is read only when its file is
/// the recorded file (same build id). Otherwise the names that were stored with the trace are used. Frames without a
/// name keep image and offset, so that no name is wrong.
public struct Symbolizer {
    let sources: SymbolSources

    public let functions: (any FunctionKinds)?

    /// - Parameter sources: the files and the stored names in which code is looked up.
    public init(_ sources: SymbolSources = SymbolSources()) {
        self.sources = sources
        functions = ImageFunctions(sources)
    }

    /// Selects the frames of a stack that are looked up.
    public enum Stacks: Sendable {
        case whole
        /// The frames of a brief report. Frames of libraries are looked up only in stacks without other frames, because
        /// a brief report omits them otherwise.
        case brief
    }

    /// Looks up the addresses in excerpts of stacks.
    ///
    /// - Parameters:
    ///   - calls: return addresses in the stacks.
    ///   - functions: first bytes of functions in the stacks.
    ///   - stacks: the stacks.
    ///   - images: the mappings of the process.
    package func symbols(
        for calls: Set<UInt64>, functions: Set<UInt64> = [], shownOf stacks: [[UInt64]], in images: [Image]
    ) -> SymbolTable {
        let bare = SymbolTable(images: images)
        let ofLibraries = calls.filter { StackExcerpt.isLibraryFrame(bare.unresolvedFrame(at: $0)) }
        let table = symbols(for: calls.subtracting(ofLibraries), functions: functions, in: images)
        let rest = stacks.filter { StackExcerpt.hasNoProgramFrame(table.frames(of: $0)) }
        return table.adding(symbols(for: ofLibraries.intersection(rest.joined()), in: images))
    }

    /// Looks up addresses.
    ///
    /// - Parameters:
    ///   - calls: return addresses in the recorded process.
    ///   - functions: first bytes of functions in the recorded process.
    ///   - images: the mappings of the recorded process.
    /// - Returns: a table, which also has frames without symbols for addresses that were not found.
    public func symbols(for calls: Set<UInt64>, functions: Set<UInt64> = [], in images: [Image]) -> SymbolTable {
        let bare = SymbolTable(images: images)
        guard !calls.isEmpty || !functions.isEmpty else { return bare }
        var search = SymbolSearch(sources: sources, images: bare)
        // A return address follows the call instruction. The preceding byte is inside of it.
        let inside = calls.map { (address: $0, lookUp: $0 &- 1) } + functions.map { (address: $0, lookUp: $0) }
        search.lookUp(inside.map(\.lookUp))
        var resolved: [UInt64: [StackFrame]] = [:]
        for (address, lookUp) in inside {
            let places = search.places(at: lookUp)
            guard !places.isEmpty else { continue }
            let bareFrame = bare.unresolvedFrame(at: address)
            resolved[address] = places.map { place in
                var frame = bareFrame
                frame.symbol = Demangler.demangled(place.function) ?? place.function
                frame.file = place.file
                frame.line = place.line
                return frame
            }
        }
        return SymbolTable(images: images, resolved: resolved)
    }
}
