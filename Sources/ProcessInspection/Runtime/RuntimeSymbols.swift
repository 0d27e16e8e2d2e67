import DispatchModel
import Symbolication

/// Finds variables and functions of the runtime libraries in a process.
struct RuntimeSymbols {
    let images: ProcessImages
    let sources: SymbolSources
    /// The path of the executable in the file system of the process. It contains the libraries of a static program.
    let executable: String?

    /// Looks up variables. Names that are not found are omitted.
    ///
    /// - Parameters:
    ///   - names: the symbols.
    ///   - library: the begin of the file name of the library.
    /// - Returns: their addresses in the process.
    func variables(_ names: Set<String>, in library: String) -> [String: UInt64] {
        for loaded in images.named(library) + images.loaded.filter({ $0.path == executable }) {
            let found = sources.variables(named: names, in: loaded.image)
            if !found.isEmpty { return found.mapValues { $0 &+ loaded.image.base } }
        }
        return [:]
    }

    /// Looks up functions in the same way.
    func functions(_ names: Set<String>, in library: String) -> [String: UInt64] {
        for loaded in images.named(library) + images.loaded.filter({ $0.path == executable }) {
            let found = sources.functions(named: names, in: loaded.image)
            if !found.isEmpty { return found.mapValues { $0.address &+ loaded.image.base } }
        }
        return [:]
    }
}
