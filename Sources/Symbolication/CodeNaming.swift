import DispatchModel

extension Symbolizer: CodeNaming {
    /// Gives names, files and lines to functions and call sites that have only an address in the trace.
    ///
    /// - Parameter model: the model of a whole trace. Its codes are changed.
    /// - Returns: at most one sentence: the reason why some code has no name, and the remedy.
    public func nameCode(of model: DispatchModel) -> [String] {
        let nameless = model.codes.indices.filter { CodeNames.needsName(model.codes[$0]) }
        guard !nameless.isEmpty else { return [] }
        let images = SymbolTable(images: model.images)
        var names = CodeNames(search: SymbolSearch(sources: sources, images: images), images: images)
        let named = names.named(
            nameless.map { model.codes[$0] },
            awaitingContinuations: Set(model.continuationAwaiters.map { model[$0].address }))
        for (index, code) in zip(nameless, named) { model.codes[index] = code }
        return names.hint.map { [$0] } ?? []
    }
}

/// Names code by its address.
///
/// An address in a trace is the first byte of a function, or the return address of a call. The preceding byte
/// distinguishes the two: it belongs to the same function only for a return address.
package struct CodeNames {
    private var search: SymbolSearch
    private let images: SymbolTable
    /// Images with code that has no name, in the order in which they were found.
    private var unreadable: [(image: Image, refusal: SymbolSources.Refusal?)] = []
    /// The paths of the images in which at least one address has a name.
    private var readable: Set<String> = []

    package init(search: SymbolSearch, images: SymbolTable) {
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

    /// The thunks that can be recognized without symbols: functions that call different closures, and functions of a
    /// system library that call the program.
    static func thunks(among codes: [Code], in images: SymbolTable) -> Set<UInt64> {
        var closures: [UInt64: UInt64] = [:]
        func isLibraryFrame(_ address: UInt64) -> Bool {
            StackExcerpt.isLibraryFrame(images.unresolvedFrame(at: address))
        }
        return Set(
            codes.filter { code in
                guard code.thunk != 0 else { return false }
                let other = closures.updateValue(code.address, forKey: code.thunk) ?? code.address
                return other != code.address
                    || isLibraryFrame(code.thunk) && images.image(holding: code.address) != nil
                        && !isLibraryFrame(code.address)
            }.map(\.thunk))
    }

    /// - Parameters:
    ///   - codes: code without names.
    ///   - resumes: the addresses of functions that resume after the await of a continuation.
    /// - Returns: the codes in the same order, with their names, or as `module+0x1234`.
    package mutating func named(_ codes: [Code], awaitingContinuations resumes: Set<UInt64> = []) -> [Code] {
        search.lookUp(codes.flatMap { [$0.address, $0.address &- 1, $0.thunk, $0.thunk &- 1].filter { $0 != .max } })
        let thunks = Self.thunks(among: codes, in: images)
        let addresses = codes.map { address(of: $0, thunks) }
        let targets = forwarded(addresses).merging(inlinedAwaits(resumes)) { closure, _ in closure }
        let names = addresses.map { name(at: $0, replacedBy: targets[$0]) }
        // Compiler-generated code has no file. Its module still identifies the package, because a module is in one
        // package.
        let packages = Dictionary(
            names.lazy.compactMap { name in name?.module.flatMap { module in name?.package.map { (module, $0) } } },
            uniquingKeysWith: { first, _ in first })
        return zip(codes, zip(addresses, names)).map { code, place in
            if place.1 != nil, let image = images.image(holding: place.0) { readable.insert(image.path) }
            guard let name = place.1 else {
                noteUnreadable(place.0)
                return Self.bare(code, at: place.0, in: images)
            }
            return Code(
                symbol: name.symbol, file: name.file, line: name.line, address: code.address, thunk: code.thunk,
                package: name.file.isEmpty ? name.module.flatMap { packages[$0] } : name.package, path: name.path)
        }
    }

    /// Selects the address that names the code: the closure's own address when the called function is a thunk that
    /// calls it, otherwise the address of the called function.
    ///
    /// - Parameter thunks: the result of ``thunks(among:in:)``; used for code without symbols.
    private func address(of code: Code, _ thunks: Set<UInt64>) -> UInt64 {
        guard code.thunk != 0 else { return code.address }
        let places = search.places(at: code.thunk)
        if places.isEmpty { return thunks.contains(code.thunk) ? code.address : code.thunk }
        return places.contains { Self.isThunk($0.function) } ? code.address : code.thunk
    }

    /// Whether the compiler generated the function to call closures with another calling convention.
    ///
    /// `TR` ends the mangled symbols of reabstraction thunk helpers. Specialized thunks of tasks have more text after
    /// it, so their demangled names are searched.
    static func isThunk(_ function: String) -> Bool {
        function.hasPrefix("$s")
            && (function.hasSuffix("TR")
                || Demangler.demangled(function)?.contains("reabstraction thunk helper") == true)
    }

    private typealias Name = (
        symbol: String, file: String, line: Int, module: String?, package: String?, path: String?
    )

    /// The functions at a call site, innermost first; empty if the address is the first byte of a function.
    private func calling(_ address: UInt64) -> [SymbolSearch.Place] {
        let before = search.places(at: address &- 1)
        return before.last?.function == search.places(at: address).last?.function ? before : []
    }

    private func name(at address: UInt64, replacedBy target: SymbolSearch.Place?) -> Name? {
        guard let place = target ?? Self.caller(in: calling(address)) ?? search.places(at: address).last else {
            return nil
        }
        let demangled = Demangler.demangled(place.function)
        let symbol = Self.symbol(demangled ?? place.function)
        let module = demangled.flatMap(SymbolText.module(of:))
        guard let path = place.file, let line = place.line else {
            return (symbol + Self.mergedMark(demangled), "", 0, module, nil, nil)
        }
        return (symbol, Self.file(path, module: module), line, module, Self.package(of: path), path)
    }

    /// The calling function among functions that were inlined into each other: the innermost one that was written for
    /// the program.
    static func caller(in places: [SymbolSearch.Place]) -> SymbolSearch.Place? {
        let written = places.lazy.filter { $0.line != nil }
        return written.first { !SymbolText.isCopied(Demangler.demangled($0.function)) } ?? written.first ?? places.first
    }

    /// Functions of the Swift runtime that begin a task and call its code.
    private static let taskBegins = ["future_adapter(", "non_future_adapter(", "__swift_run_job", "swift_job_run"]

    private static func symbol(_ function: String) -> String {
        if taskBegins.contains(where: function.hasPrefix) { return "Swift task" }
        // The task that the compiler generates for an async main, which is a copy of a thunk.
        if function.has("async_Main") { return "main task" }
        if function.has("reabstraction thunk helper ") {
            return propagatedClosure(function) ?? "closure behind a thunk"
        }
        return SymbolText.brief(function)
    }

    /// The closure of a specialized thunk: `[Constant Propagated Function : closure #1 () -> () in News.run() -> ()]`.
    private static func propagatedClosure(_ function: String) -> String? {
        guard let mark = Substring(function).firstPlace(of: " Propagated Function : ") else { return nil }
        let rest = function[mark.upperBound...]
        guard rest.hasPrefix("closure #"), let end = SymbolText.closingBracket(in: rest) else { return nil }
        return SymbolText.brief(String(rest[..<end]))
    }

    /// The addition to the name of a function that the compiler merged with functions of the same machine code. Such a
    /// function has no line, and its symbol is the symbol of one of them.
    private static func mergedMark(_ demangled: String?) -> String {
        demangled?.hasPrefix("merged ") == true ? " (merged)" : ""
    }

    /// The form of `#fileID`: the names of the module and the file, or only the name of the file.
    private static func file(_ path: String, module: String?) -> String {
        let name = path.lastPathComponent.map(String.init) ?? path
        return module.map { "\($0)/\(name)" } ?? name
    }

    /// The package of a file that SwiftPM or Xcode fetched. They put each package into a folder of `checkouts`.
    static func package(of path: String) -> String? {
        let folders = path.split(separator: "/")
        guard let place = folders.firstIndex(of: "checkouts"), folders.count > place + 2 else { return nil }
        return String(folders[place + 1])
    }

    // MARK: Forwarders

    /// The symbol of the closure that a partial apply forwarder calls; nil for any other symbol.
    ///
    /// A closure that captures values is called through such a forwarder. The compiler generates it, so it has no line.
    /// Its symbol is the symbol of the closure followed by `TA`, and by a number when LLVM made several copies. In
    /// optimized code the closure can be inlined into the forwarder, or into a function that several forwarders were
    /// merged into.
    static func closure(ofForwarder symbol: String) -> String? {
        var name = Substring(symbol)
        if let dot = name.lastIndex(of: "."), name[dot...].dropFirst().allSatisfy(\.isNumber) { name = name[..<dot] }
        return name.hasPrefix("$s") && name.hasSuffix("TA") ? String(name.dropLast("TA".count)) : nil
    }

    /// The symbol of the closure for which the compiler specialized a thunk; nil for any other symbol.
    ///
    /// A task with a preferred executor, for example, begins in such a thunk, and the closure is inlined into it. The
    /// symbol of the thunk contains the symbol of the closure after its length: `…TG516$s4NewsSiyYacfU_Tf3npf_n`.
    static func closure(ofThunk symbol: String) -> String? {
        let text = symbol.dropFirst(2)
        guard symbol.hasPrefix("$s"), let mark = text.firstPlace(of: "$s") else { return nil }
        let head = text[..<mark.lowerBound]
        let digits = head[(head.lastIndex { !$0.isNumber }.map { head.index(after: $0) } ?? head.startIndex)...]
        // The digit before the length belongs to another part of the symbol.
        let names = digits.indices.lazy.compactMap { Int(digits[$0...]) }.map {
            String(text[mark.lowerBound...].prefix($0))
        }
        return names.first { Demangler.demangled($0)?.hasPrefix("closure #") == true }
    }

    /// The functions into which the closure of a thunk can be inlined: the thunk, and the parts after its suspensions.
    private static func parts(ofThunk symbol: String) -> [String] {
        ["", "TY0_", "TY1_", "TY2_", "TQ0_", "TQ1_"].map { symbol + $0 }
    }

    /// Maps the addresses of forwarders to the closures that they call.
    private mutating func forwarded(_ addresses: [UInt64]) -> [UInt64: SymbolSearch.Place] {
        var wanted: [Image: Set<String>] = [:]
        var forwarders: [UInt64: (target: String, hosts: [String], image: Image)] = [:]
        for address in Set(addresses) {
            // A call site in a closure that was inlined into its forwarder has a line.
            guard let place = search.places(at: address).last, place.line == nil,
                Self.caller(in: calling(address))?.line == nil, let image = search.readableImage(holding: address)
            else { continue }
            if let target = Self.closure(ofForwarder: place.function) {
                forwarders[address] = (target, [target + "TA", target + "TATm"], image)
            } else if let target = Self.closure(ofThunk: place.function) {
                forwarders[address] = (target, Self.parts(ofThunk: place.function), image)
            }
            if let forwarder = forwarders[address] {
                wanted[image, default: []].formUnion([forwarder.target] + forwarder.hosts)
            }
        }
        var symbols: [Image: [String: ELFFile.Symbol]] = [:]
        for (image, names) in wanted { symbols[image] = search.functions(named: names, in: image) }
        var candidates: [UInt64: [UInt64]] = [:]
        for (address, (target, hosts, image)) in forwarders {
            let known = symbols[image] ?? [:]
            if let closure = known[target] {
                candidates[address] = [closure.address &+ image.base]
            } else {
                // The closure was inlined: one of these addresses has its line.
                candidates[address] = hosts.compactMap { known[$0] }.flatMap { host in
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

    // MARK: Inlined awaits

    /// The beginning of a function that resumes after an await, in bytes: a prologue, and code of the await.
    private static let resumeBytes: UInt64 = 64

    /// Maps functions that resume after the await of a continuation to the function that contains the await.
    ///
    /// The compiler divides an async function at its awaits. When the function with the await is inlined into another,
    /// the part after the await has the symbol and the first line of the other function. Its first code that was
    /// inlined from `withCheckedContinuation`, or a similar function, is called by the function with the await.
    private mutating func inlinedAwaits(_ resumes: Set<UInt64>) -> [UInt64: SymbolSearch.Place] {
        let offsets = stride(from: 0, to: Self.resumeBytes, by: 4)
        search.lookUp(resumes.flatMap { resume in offsets.map { resume &+ $0 } })
        var found: [UInt64: SymbolSearch.Place] = [:]
        for resume in resumes {
            let symbol = search.places(at: resume).last?.function
            for offset in offsets {
                let places = search.places(at: resume &+ offset)
                guard let outermost = places.last else { continue }
                guard let symbol, outermost.function == symbol else { break }
                guard let maker = places.firstIndex(where: { ImageFunctions.makesContinuation($0.function) }) else {
                    continue
                }
                let caller = Self.caller(in: Array(places[(maker + 1)...]))
                if let caller, caller.function != symbol { found[resume] = caller }
                break
            }
        }
        return found
    }

    // MARK: Missing names

    private mutating func noteUnreadable(_ address: UInt64) {
        guard let image = images.image(holding: address), !unreadable.contains(where: { $0.image.path == image.path })
        else { return }
        unreadable.append((image, search.refusal(of: image)))
    }

    /// One sentence that states how to get missing names; nil when no name is missing.
    var hint: String? { Self.hint(unreadable, readable: readable) }

    /// - Parameters:
    ///   - unreadable: images with code that has no name, and the reason.
    ///   - readable: the paths of the images in which other code has a name. They have symbols.
    static func hint(_ unreadable: [(image: Image, refusal: SymbolSources.Refusal?)], readable: Set<String>) -> String?
    {
        let unreadable = unreadable.filter { $0.refusal != nil || !readable.contains($0.image.path) }
        guard let (image, refusal) = unreadable.first else { return nil }
        let others = unreadable.count == 1 ? "" : " (and of \(unreadable.count - 1) more images)"
        let what = "Code of \(image.path)\(others) is shown as module and offset: "
        switch refusal {
        case .missing:
            return what + "copy the recorded file to this path, or name its folder with --symbols, and report again."
        case .otherBuild:
            return what + "the file at this path is not the recorded build. Name the folder of the recorded file with "
                + "--symbols, and report again."
        case nil: return what + "it has no symbols; record a build that is not stripped."
        }
    }
}
