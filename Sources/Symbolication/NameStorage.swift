import DispatchModel
import FoundationEssentials

/// Stores the names of a trace's code in the trace directory.
public enum NameStorage {
    /// The name of the file in the trace directory.
    public static var fileName: String { NamesFile.name }

    /// The result for one trace directory.
    public struct Outcome: Sendable {
        /// Whether the names were written.
        public enum Result: Sendable, Equatable {
            case written
            /// No address has a name, so there is no file.
            case nothingToName
            /// The directory has a file with more names already, which is kept.
            case hasMoreNames
            /// The file cannot be written; the value is `errno`.
            case cannotWrite(Int32)
        }

        /// The trace directory.
        public let directory: String
        /// The number of addresses with a name.
        public let named: Int
        /// The number of addresses in the trace.
        public let addresses: Int
        /// Whether the names were written.
        public let result: Result
    }

    /// Looks up all code addresses of a trace, and writes the names into its directory.
    ///
    /// Existing names are replaced only by at least as many names.
    ///
    /// - Parameters:
    ///   - directory: the trace.
    ///   - models: the definitions of its processes.
    ///   - folders: folders with executables and debug files.
    /// - Returns: the result.
    public static func store(in directory: String, models: [DispatchModel], folders: [String] = []) -> Outcome {
        let sources = SymbolSources(collectingWithFolders: folders)
        var (named, addresses) = (0, 0)
        for model in models {
            let counts = name(model, with: sources)
            named += counts.named
            addresses += counts.all
        }
        let found = sources.collected
        func count(_ images: [SymbolSources.Key: ImageNames]) -> Int {
            images.values.reduce(0) { $0 + $1.places.count }
        }
        let hasFewer = count(found) < count(NamesFile.read([directory]))
        let result: Outcome.Result =
            if found.isEmpty { .nothingToName } else if hasFewer { .hasMoreNames } else {
                NamesFile.write(found, into: directory).map { .cannotWrite($0) } ?? .written
            }
        return Outcome(directory: directory, named: named, addresses: addresses, result: result)
    }

    /// Looks up the code of a model, so that the sources collect its names.
    ///
    /// - Returns: the number of all addresses, and of the addresses with a name.
    private static func name(_ model: DispatchModel, with sources: SymbolSources) -> (all: Int, named: Int) {
        let images = SymbolTable(images: model.images)
        var search = SymbolSearch(sources: sources, images: images)
        var recorded: Set<UInt64> = []
        for code in model.codes { recorded.formUnion([code.address, code.thunk]) }
        for stack in model.stacks { recorded.formUnion(stack) }
        recorded.remove(0)
        // The byte before a return address belongs to the calling function.
        let addresses = recorded.union(recorded.map { $0 &- 1 })
        search.lookUp(addresses)
        let functions = ImageFunctions(sources)
        for address in addresses {
            guard let image = images.image(holding: address) else { continue }
            _ = functions.takesLock(address, in: image)
        }
        // Closures behind forwarders are found by name, and inlined awaits by later addresses.
        var codes = addresses.map { Code(symbol: "", file: "", line: 0, address: $0) }
        codes += model.codes.filter(CodeNames.needsName)
        var names = CodeNames(search: search, images: images)
        _ = names.named(codes, awaitingContinuations: Set(model.continuationAwaiters.map { model[$0].address }))
        let named = recorded.count { !search.places(at: $0).isEmpty || !search.places(at: $0 &- 1).isEmpty }
        return (recorded.count, named)
    }
}
