import DispatchModel
import Synchronization

/// The files and the stored names in which the code of images is looked up.
///
/// A file is used only when it has the recorded build id. An image is looked up in the first of these sources:
/// 1. the file at the recorded path, with its separate debug file,
/// 2. a file in the folders of the user (`--symbols`),
/// 3. the names that were stored with the trace,
/// 4. a debug file of the system.
///
/// The file of an image without a build id cannot be verified, so its stored names come first. Each image is opened at
/// the first question about it.
public final class SymbolSources: Sendable {
    /// The reason why there is no source for an image.
    enum Refusal: Hashable {
        /// No such file on this machine.
        case missing
        /// The file has another build id than the recorded file.
        case otherBuild
    }

    /// Part of the key is the build id, because recordings of a fleet can have two builds at one path.
    struct Key: Hashable {
        let path: String
        let buildID: String

        init(_ image: Image) { (path, buildID) = (image.path, image.buildID.lowercased()) }
        init(path: String, buildID: String) { (self.path, self.buildID) = (path, buildID) }
    }

    private enum Source {
        case file(SymbolFile)
        case stored(ImageNames)
        case none(Refusal)
    }

    private struct State {
        var sources: [Key: Source] = [:]
        /// The names stored with the traces; nil before they are read.
        var stored: [Key: ImageNames]?
        /// The answers of files; nil when they are not collected.
        var collected: [Key: ImageNames]?
    }

    private let folders: [String]
    private let traces: [String]
    private let state: Mutex<State>

    /// - Parameters:
    ///   - traces: the traces, or directories with traces below them, whose stored names are used.
    ///   - folders: folders with executables and debug files.
    public init(traces: [String] = [], folders: [String] = []) {
        self.traces = traces
        self.folders = folders
        state = Mutex(State())
    }

    /// Sources with names that are in memory, for tests.
    init(stored: [Key: ImageNames]) {
        traces = []
        folders = []
        state = Mutex(State(stored: stored))
    }

    /// Sources that remember their answers, to be stored.
    ///
    /// - Parameter folders: folders with executables and debug files.
    init(collectingWithFolders folders: [String]) {
        traces = []
        self.folders = folders
        state = Mutex(State(collected: [:]))
    }

    /// The answers so far, if they are collected. Images without answers are omitted.
    var collected: [Key: ImageNames] { state.withLock { $0.collected ?? [:] } }

    /// The reason why nothing can be looked up in an image; nil when there is a source.
    func refusal(of image: Image) -> Refusal? {
        state.withLock { state in
            if case .none(let refusal) = source(of: image, &state) { return refusal }
            return nil
        }
    }

    /// Looks up addresses.
    ///
    /// - Parameters:
    ///   - addresses: addresses in the file, in ascending order.
    ///   - image: the image.
    /// - Returns: the functions at each address, innermost first. Swift symbols are mangled.
    func places(at addresses: [UInt64], in image: Image) -> [[SymbolSearch.Place]] {
        state.withLock { state in
            let places: [[SymbolSearch.Place]]
            switch source(of: image, &state) {
            case .file(let file):
                places = file.places(at: addresses)
                if state.collected != nil {
                    for (address, places) in zip(addresses, places) where !places.isEmpty {
                        state.collected?[Key(image), default: ImageNames()].places[address] = places
                    }
                }
            case .stored(let names): places = addresses.map { names.places[$0] ?? [] }
            case .none: places = addresses.map { _ in [] }
            }
            return places.map { $0.map(\.readable) }
        }
    }

    /// Looks up functions by their names. Names that the image does not have are omitted.
    package func functions(named names: Set<String>, in image: Image) -> [String: ELFFile.Symbol] {
        state.withLock { state in
            switch source(of: image, &state) {
            case .file(let file):
                let found = file.symbols.functions(named: names)
                state.collected?[Key(image), default: ImageNames()].symbols.merge(found) { $1 }
                return found
            case .stored(let stored): return stored.symbols.filter { names.contains($0.key) }
            case .none: return [:]
            }
        }
    }

    /// Looks up global variables by their names. Names that the image does not have are omitted, and all names if the
    /// image has no file.
    ///
    /// - Returns: the addresses in the file.
    package func variables(named names: Set<String>, in image: Image) -> [String: UInt64] {
        state.withLock { state in
            guard case .file(let file) = source(of: image, &state) else { return [:] }
            return file.symbols.variables(named: names)
        }
    }

    /// Whether the function at an address is a protocol witness, or the symbol table omits it. False when the image has
    /// no symbols.
    func hasWitness(at address: UInt64, in image: Image) -> Bool {
        state.withLock { state in
            let name: String?
            switch source(of: image, &state) {
            case .file(let file):
                if file.symbols.symbolTable == nil { return false }
                name = file.symbols.functions(at: [address])[0]?.name
            case .stored(let names): name = names.places[address]?.last?.function
            case .none: return false
            }
            return name.map { $0.hasSuffix("TW") } ?? true
        }
    }

    /// The mangled name of the function at an address, if its kind may matter to the model.
    func markedFunction(at address: UInt64, in image: Image) -> String? {
        state.withLock { state in
            switch source(of: image, &state) {
            case .file(let file):
                let name = file.markedFunction(at: address)
                if let name { state.collected?[Key(image), default: ImageNames()].marked[address] = name }
                return name
            case .stored(let names): return names.marked[address]
            case .none: return nil
            }
        }
    }

    private func source(of image: Image, _ state: inout State) -> Source {
        let key = Key(image)
        if let known = state.sources[key] { return known }
        let source = find(image, &state)
        state.sources[key] = source
        return source
    }

    private func find(_ image: Image, _ state: inout State) -> Source {
        let key = Key(image)
        func stored() -> Source? {
            if state.stored == nil { state.stored = NamesFile.read(traces) }
            return state.stored?[key].map { .stored($0) }
        }
        if key.buildID.isEmpty, let names = stored() { return names }
        let debugFiles = DebugFiles(path: key.path, buildID: key.buildID)
        let file = key.path.hasPrefix("/") ? ELFFile(path: key.path) : nil
        if let file, key.buildID.isEmpty || file.buildID == key.buildID {
            let debugFile = file.hasDebugInformation ? nil : debugFiles.find(of: file, in: folders)
            return .file(SymbolFile(file, debugFile: debugFile))
        }
        if !folders.isEmpty, let file = debugFiles.find(in: folders) {
            let debugFile = file.hasDebugInformation ? nil : debugFiles.find(of: file, in: folders)
            return .file(SymbolFile(file, debugFile: debugFile))
        }
        if let names = stored() { return names }
        if let file = debugFiles.find(in: []) { return .file(SymbolFile(file)) }
        return .none(file == nil ? .missing : .otherBuild)
    }
}
