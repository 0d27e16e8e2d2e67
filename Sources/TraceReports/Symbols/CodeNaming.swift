import DispatchAnalysis
import DispatchModel

extension Symbolizer: CodeNaming {
    /// Lets the tool load the program: the image of the first code of it that needs a name.
    public func prepare(for codes: [Code], in images: [Image]) {
        guard process.mayLoad() else { return }
        let images = SymbolTable(images: images)
        let code = codes.first {
            CodeNames.needsName($0) && images.image(holding: $0.address) != nil
                && !StackExcerpt.isOfLibrary(images.unresolvedFrame(at: $0.address))
        }
        guard let code else { return }
        var search = SymbolSearch(tool: process, images: images)
        process.load(search.question(about: code.address))
    }

    /// Gives functions and call sites of which the trace has only the address their names, files and lines.
    ///
    /// - Parameter model: the model of a whole trace, whose codes are changed.
    /// - Returns: at most one sentence: why some code has no name, and what to do about it.
    public func nameCode(of model: DispatchModel) -> [String] {
        let nameless = model.codes.indices.filter { CodeNames.needsName(model.codes[$0]) }
        guard !nameless.isEmpty else { return [] }
        let images = SymbolTable(images: model.images)
        guard tool != nil else {
            let codes = nameless.map { model.codes[$0] }
            let thunks = CodeNames.thunks(among: codes, in: images)
            for (index, code) in zip(nameless, codes) {
                let isThunk = code.thunk == 0 || thunks.contains(code.thunk)
                model.codes[index] = CodeNames.bare(code, at: isThunk ? code.address : code.thunk, in: images)
            }
            return ["Code is shown as module and offset: install llvm-symbolizer, which comes with Swift, for names."]
        }
        var names = CodeNames(search: SymbolSearch(tool: process, images: images), images: images)
        let named = names.named(nameless.map { model.codes[$0] })
        for (index, code) in zip(nameless, named) { model.codes[index] = code }
        return names.hint.map { [$0] } ?? []
    }
}

/// Names code by its address.
///
/// An address in a trace is the first byte of a function, or the return address of a call. The byte before it tells
/// which: it belongs to the same function only in the second case.
struct CodeNames {
    private var search: SymbolSearch
    private let images: SymbolTable
    /// Images with code that got no name, in the order of their first.
    private var unreadable: [(image: Image, refusal: ImageFile.Refusal?)] = []

    init(search: SymbolSearch, images: SymbolTable) {
        self.search = search
        self.images = images
    }

    static func needsName(_ code: Code) -> Bool { code.address != 0 && code.symbol.isEmpty && code.file.isEmpty }

    /// The code as `module+0x1234`.
    static func bare(_ code: Code, at address: UInt64, in images: SymbolTable) -> Code {
        Code(
            symbol: images.unresolvedFrame(at: address).description, file: "", line: 0, address: code.address,
            thunk: code.thunk)
    }

    /// The thunks that show without symbols: those that call different closures, and those of a system library that
    /// call the program.
    static func thunks(among codes: [Code], in images: SymbolTable) -> Set<UInt64> {
        var closures: [UInt64: UInt64] = [:]
        func isOfLibrary(_ address: UInt64) -> Bool {
            StackExcerpt.isOfLibrary(images.unresolvedFrame(at: address))
        }
        return Set(
            codes.filter { code in
                guard code.thunk != 0 else { return false }
                let other = closures.updateValue(code.address, forKey: code.thunk) ?? code.address
                return other != code.address
                    || isOfLibrary(code.thunk) && images.image(holding: code.address) != nil
                        && !isOfLibrary(code.address)
            }.map(\.thunk))
    }

    mutating func named(_ codes: [Code]) -> [Code] {
        search.lookUp(codes.flatMap { [$0.address, $0.address &- 1, $0.thunk, $0.thunk &- 1].filter { $0 != .max } })
        let thunks = Self.thunks(among: codes, in: images)
        let addresses = codes.map { address(of: $0, thunks) }
        let targets = forwarded(addresses)
        let names = addresses.map { name(at: $0, forwardedTo: targets[$0]) }
        // Of what the compiler made up nothing tells the file; its module is in one package all the same.
        let packages = Dictionary(
            names.lazy.compactMap { name in name?.module.flatMap { module in name?.package.map { (module, $0) } } },
            uniquingKeysWith: { first, _ in first })
        return zip(codes, zip(addresses, names)).map { code, place in
            guard let name = place.1 else {
                noteUnreadable(place.0)
                return Self.bare(code, at: place.0, in: images)
            }
            return Code(
                symbol: name.symbol, file: name.file, line: name.line, address: code.address, thunk: code.thunk,
                package: name.file.isEmpty ? name.module.flatMap { packages[$0] } : name.package)
        }
    }

    /// Which of its two addresses is the code: a closure's own when what was called is a thunk that calls it.
    ///
    /// - Parameter thunks: see ``thunks(among:in:)``; for code without symbols.
    private func address(of code: Code, _ thunks: Set<UInt64>) -> UInt64 {
        guard code.thunk != 0 else { return code.address }
        let places = search.places(at: code.thunk)
        if places.isEmpty { return thunks.contains(code.thunk) ? code.address : code.thunk }
        return places.contains { Self.isThunk($0.function) } ? code.address : code.thunk
    }

    /// Whether a function is one that the compiler made to call closures of another calling convention.
    ///
    /// `TR` ends the symbols of reabstraction thunk helpers, in mangled Swift; for the specialised ones of tasks more
    /// comes behind it.
    static func isThunk(_ function: String) -> Bool {
        function.hasPrefix("$s")
            && (function.hasSuffix("TR")
                || Demangler.demangled(function)?.contains("reabstraction thunk helper") == true)
    }

    private typealias Name = (symbol: String, file: String, line: Int, module: String?, package: String?)

    private func name(at address: UInt64, forwardedTo target: SymbolSearch.Place?) -> Name? {
        let exact = search.places(at: address)
        let before = search.places(at: address &- 1)
        let isCall = !before.isEmpty && before.last?.function == exact.last?.function
        guard let place = target ?? (isCall ? Self.caller(in: before) : exact.last) else { return nil }
        let demangled = Demangler.demangled(place.function)
        let symbol = Self.symbol(demangled ?? place.function)
        let module = demangled.flatMap(SymbolText.module(of:))
        guard let path = place.file, let line = place.line else { return (symbol, "", 0, module, nil) }
        return (symbol, Self.file(path, module: module), line, module, Self.package(of: path))
    }

    /// Who calls, of functions that were inlined into each other: the innermost one that somebody wrote for the
    /// program.
    static func caller(in places: [SymbolSearch.Place]) -> SymbolSearch.Place? {
        let written = places.lazy.filter { $0.line != nil }
        return written.first { !SymbolText.isCopied(Demangler.demangled($0.function)) } ?? written.first ?? places.first
    }

    /// Functions of the Swift runtime with which a task begins, before its own code.
    private static let taskBegins = ["future_adapter(", "non_future_adapter(", "__swift_run_job", "swift_job_run"]

    private static func symbol(_ function: String) -> String {
        if taskBegins.contains(where: function.hasPrefix) { return "Swift task" }
        // The task that the compiler makes for an async main: a copy of a thunk for it alone.
        if function.has("async_Main") { return "main task" }
        if function.has("reabstraction thunk helper ") { return "closure behind a thunk" }
        return SymbolText.brief(function)
    }

    /// As `#fileID` has it: the module's name and the file's, or the file's alone.
    private static func file(_ path: String, module: String?) -> String {
        let name = path.lastPathComponent.map(String.init) ?? path
        return module.map { "\($0)/\(name)" } ?? name
    }

    /// The package that a file is of, where SwiftPM or Xcode fetched it: they put each into a folder of `checkouts`.
    static func package(of path: String) -> String? {
        let folders = path.split(separator: "/")
        guard let place = folders.firstIndex(of: "checkouts"), folders.count > place + 2 else { return nil }
        return String(folders[place + 1])
    }

    // MARK: Forwarders

    /// A closure that captures something is reached through a partial apply forwarder, which the compiler made up and
    /// which has no line: its symbol is the closure's with `TA` behind it, and a number where LLVM has made several of
    /// it. In optimised code the closure may be inlined into it, or into what several forwarders were merged to.
    static func closure(ofForwarder symbol: String) -> String? {
        var name = Substring(symbol)
        if let dot = name.lastIndex(of: "."), name[dot...].dropFirst().allSatisfy(\.isNumber) { name = name[..<dot] }
        return name.hasPrefix("$s") && name.hasSuffix("TA") ? String(name.dropLast("TA".count)) : nil
    }

    /// For addresses of forwarders the closures that they call.
    private mutating func forwarded(_ addresses: [UInt64]) -> [UInt64: SymbolSearch.Place] {
        var wanted: [String: Set<String>] = [:]
        var forwarders: [UInt64: (target: String, image: Image)] = [:]
        for address in Set(addresses) {
            guard let place = search.places(at: address).last, place.line == nil,
                let target = Self.closure(ofForwarder: place.function),
                let image = search.readableImage(holding: address)
            else { continue }
            forwarders[address] = (target, image)
            wanted[image.path, default: []].formUnion([target, target + "TA", target + "TATm"])
        }
        var symbols: [String: [String: ELFFile.Symbol]] = [:]
        for (path, names) in wanted { symbols[path] = ELFFile(path: path)?.functions(named: names) }
        var candidates: [UInt64: [UInt64]] = [:]
        for (address, (target, image)) in forwarders {
            let known = symbols[image.path] ?? [:]
            if let closure = known[target] {
                candidates[address] = [closure.address &+ image.base]
            } else {
                // Somewhere in there the closure has a line.
                candidates[address] = ["TA", "TATm"].compactMap { known[target + $0] }.flatMap { host in
                    stride(from: 0, to: min(host.size, 256), by: 4).map { host.address &+ image.base &+ $0 }
                }
            }
        }
        search.lookUp(candidates.values.joined())
        var found: [UInt64: SymbolSearch.Place] = [:]
        for (address, places) in candidates {
            let target = forwarders[address]?.target
            found[address] =
                places.lazy.compactMap { [search] in
                    search.places(at: $0).first { $0.function == target && $0.line != nil }
                }.first
        }
        return found
    }

    // MARK: What is missing

    private mutating func noteUnreadable(_ address: UInt64) {
        guard let image = images.image(holding: address), !unreadable.contains(where: { $0.image.path == image.path })
        else { return }
        unreadable.append((image, search.refusal(of: image)))
    }

    /// One sentence on how to get the names that are missing; nil when none is.
    var hint: String? {
        guard let (image, refusal) = unreadable.first else { return nil }
        let others = unreadable.count == 1 ? "" : " (and of \(unreadable.count - 1) more images)"
        let what = "Code of \(image.path)\(others) is shown as module and offset: "
        switch refusal {
        case .missing: return what + "put the file that was recorded there, and report again."
        case .otherBuild: return what + "the file there is another build than the one that was recorded."
        case nil: return what + "it has no symbols; record a build that is not stripped."
        }
    }
}
