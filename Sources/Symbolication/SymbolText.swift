/// Shortens demangled Swift symbols to the form of source code.
package enum SymbolText {
    /// The symbol without module names, types and additions of the compiler. Names and labels are kept.
    ///
    /// `closure #1 @Sendable (News.Socket) -> News.Line in News.Service.run(on: News.Socket) throws -> ()` becomes
    /// `closure #1 in Service.run(on:)`. C++ symbols are shortened by ``CxxSymbolText``. Other symbols are not changed.
    package static func brief(_ symbol: String) -> String {
        let symbol = CxxSymbolText.withoutClones(symbol)
        return initialization(symbol) ?? parts(of: symbol)?.text ?? CxxSymbolText.brief(symbol)
    }

    /// The base name of a short symbol, without the type of the function, its labels and closure numbers: `save` for
    /// `closure #1 in Store.save(to:)`. It is used next to a file and line.
    package static func name(of brief: String) -> String {
        if brief.has("::") { return brief }
        var rest = Substring(brief)
        while let (_, outer) = numberedHead(of: rest) { rest = outer }
        if rest.hasSuffix(")"), let open = rest.firstIndex(of: "(") { rest = rest[..<open] }
        return String(rest.lastIndex(of: ".").map { rest[rest.index(after: $0)...] } ?? rest)
    }

    /// `initialization of queue` for the function that initializes the global `queue` at its first use.
    private static func initialization(_ symbol: String) -> String? {
        let prefix = "one-time initialization function for "
        guard symbol.hasPrefix(prefix), let (name, rest) = component(of: symbol.dropFirst(prefix.count)), rest.isEmpty
        else { return nil }
        return "initialization of \(name)"
    }

    /// The module that declares the symbol; nil when unknown.
    package static func module(of symbol: String) -> String? { parts(of: symbol)?.module }

    /// The names of the types and of the function that contains the code: `Pool`, `withLock`.
    static func path(of symbol: String) -> [String] {
        let brief = Substring(brief(symbol))
        let function = brief.ranges(of: " in ").last.map { brief[$0.upperBound...] } ?? brief
        return function.prefix { $0 != "(" }.split(separator: ".").map(String.init)
    }

    /// Modules of the Swift toolchain, whose functions the compiler copies into the program.
    private static let copiedModules: Set = [
        "Swift", "_Concurrency", "Dispatch", "Synchronization", "FoundationEssentials", "Foundation",
    ]

    /// Whether the function belongs to a module of the Swift toolchain, wherever its code is. False for nil.
    static func isCopied(_ symbol: String?) -> Bool { comesWithSwift(symbol.flatMap(module(of:))) }

    /// Whether the module is part of the Swift toolchain.
    static func comesWithSwift(_ module: String?) -> Bool { module.map(copiedModules.contains) ?? false }

    private typealias Parts = (text: String, module: String)

    private static func parts(of symbol: String) -> Parts? {
        // Names of C++ look similar, but their parentheses contain types.
        if symbol.has("::") { return nil }
        var rest = Substring(symbol)
        while let inner = withoutWrapper(rest) { rest = inner }
        var heads: [String] = []
        while let (head, outer) = numberedHead(of: rest) {
            heads.append(head)
            rest = outer
        }
        // Code outside of any function, which has the name of its module.
        if !heads.isEmpty, !rest.isEmpty, rest.allSatisfy(isIdentifier) {
            return ((heads + [String(rest)]).joined(separator: " in "), String(rest))
        }
        guard let declaration = declaration(rest) else { return nil }
        return ((heads + [declaration.text]).joined(separator: " in "), declaration.module)
    }

    /// Prefixes that the compiler adds to the name of a function from which it generated another one.
    private static let wrappers = [
        "partial apply forwarder for ", "dispatch thunk of ", "protocol witness for ", "merged ", "specialized ",
        "async function pointer to ", "distributed thunk ", "distributed accessor for ", "@objc ",
    ]

    /// The symbol after a prefix; nil when there is no prefix.
    private static func withoutWrapper(_ text: Substring) -> Substring? {
        if let wrapper = wrappers.first(where: text.hasPrefix) { return text.dropFirst(wrapper.count) }
        // Forms: `generic specialization <News.Key> of`, `(2) await resume partial function for`.
        if text.hasPrefix("("), let mark = text.firstPlace(of: " resume partial function for ") {
            return text[mark.upperBound...]
        }
        guard text.hasPrefix("generic ") || text.hasPrefix("function signature "),
            let open = text.firstIndex(of: "<"), text[..<open].hasSuffix("specialization ")
        else { return nil }
        let mark = "> of "
        if let close = end(ofBracketAt: open, in: text), text[close...].hasPrefix(mark) {
            return text[close...].dropFirst(mark.count)
        }
        // For a propagated closure, the demangler omits a closing bracket.
        return text[open...].firstPlace(of: mark).map { text[$0.upperBound...] }
    }

    /// Splits `closure #1`, `implicit closure #2` or `local #1` from the enclosing declaration.
    private static func numberedHead(of text: Substring) -> (head: String, outer: Substring)? {
        guard let number = text.firstPlace(of: " #") else { return nil }
        let name = text[..<number.lowerBound]
        let digits = text[number.upperBound...].prefix(while: \.isNumber)
        guard !digits.isEmpty, name == "implicit closure" || name.allSatisfy(isIdentifier),
            let outer = contextMark(in: text[digits.endIndex...])
        else { return nil }
        return ("\(name) #\(digits)", text[outer.upperBound...])
    }

    /// The first `]` outside of all brackets.
    static func closingBracket(in text: Substring) -> Substring.Index? {
        var index = text.startIndex
        while index < text.endIndex, text.utf8[index] != UInt8(ascii: "]") {
            if isOpening(text.utf8[index]) {
                guard let close = end(ofBracketAt: index, in: text) else { return nil }
                index = close
            }
            index = text.utf8.index(after: index)
        }
        return index < text.endIndex ? index : nil
    }

    /// The first ` in ` outside of all brackets.
    private static func contextMark(in text: Substring) -> Range<Substring.Index>? {
        var index = text.startIndex
        while index < text.endIndex {
            if isOpening(text.utf8[index]) {
                guard let close = end(ofBracketAt: index, in: text) else { return nil }
                index = close
            } else if text.utf8[index] == UInt8(ascii: " "), text[index...].hasPrefix(" in ") {
                return index..<text.utf8.index(index, offsetBy: 4)
            }
            index = text.utf8.index(after: index)
        }
        return nil
    }

    /// Parses `static Module.Type.name(label: Type) -> Result` and keeps names and labels.
    private static func declaration(_ text: Substring) -> Parts? {
        let keyword = text.hasPrefix("static ") ? "static " : ""
        var rest = text.dropFirst(keyword.count)
        var module: String?
        // Form: `(extension in Module):OtherModule.Type.name`.
        if rest.hasPrefix("(extension in "), let close = rest.firstPlace(of: "):") {
            module = String(rest[..<close.lowerBound].dropFirst("(extension in ".count))
            rest = rest[close.upperBound...]
        }
        var path: [Substring] = []
        repeat {
            if let initializer = privateInitializer(rest) { rest = initializer }
            guard let (name, after) = component(of: rest) else { return nil }
            path.append(name)
            rest = after
            if rest.hasPrefix("<") {
                guard let close = end(ofBracketAt: rest.startIndex, in: rest) else { return nil }
                rest = rest[rest.index(after: close)...]
            }
        } while rest.popFirst(".")
        rest = withoutAttributes(rest, after: &path[path.count - 1])
        // A name without a module is a name of C or of another language.
        guard path.count > 1 else { return nil }
        let name = keyword + path.dropFirst().joined(separator: ".")
        var labels = ""
        if rest.hasPrefix("(") {
            guard let close = end(ofBracketAt: rest.startIndex, in: rest) else { return nil }
            labels = "(" + Self.labels(rest[rest.index(after: rest.startIndex)..<close]) + ")"
            rest = rest[rest.index(after: close)...]
        }
        let ends = labels.isEmpty ? [" : "] : [" -> ", " async", " throws"]
        guard rest.isEmpty || (ends + [" with unmangled suffix "]).contains(where: rest.hasPrefix) else { return nil }
        return (name + labels, module ?? String(path[0]))
    }

    /// The text from the parameters on. The demangler writes the attributes of a function at the end of its name:
    /// `News.run@Swift.MainActor @Sendable (Swift.Int) -> ()`, `News.runnonisolated(nonsending) () async -> ()`.
    private static func withoutAttributes(_ text: Substring, after name: inout Substring) -> Substring {
        var rest = text
        let (keyword, argument) = ("nonisolated", "(nonsending) ")
        if rest.hasPrefix(argument), name.hasSuffix(keyword), name.count > keyword.count {
            name = name.dropLast(keyword.count)
            rest = rest.dropFirst(argument.count)
        }
        while rest.hasPrefix("@"), let space = rest.firstIndex(of: " ") { rest = rest[rest.index(after: space)...] }
        return rest
    }

    /// The text from `init` on, for a private initializer after its type; nil for another declaration.
    ///
    /// Form: `(in _E5AB…).init`. For an initializer without parameters, the demangler puts its type before the bracket:
    /// `() -> News.Store(in _E5AB…).init`.
    private static func privateInitializer(_ text: Substring) -> Substring? {
        guard text.hasPrefix("("), let mark = text.firstPlace(of: "(in _"),
            let close = text[mark.upperBound...].firstPlace(of: ").")
        else { return nil }
        if mark.lowerBound > text.startIndex {
            guard let end = end(ofBracketAt: text.startIndex, in: text), end < mark.lowerBound,
                [" -> ", " async", " throws"].contains(where: text[end...].dropFirst().hasPrefix),
                text[close.upperBound...].hasPrefix("init(")
            else { return nil }
        }
        return text[close.upperBound...]
    }

    /// A name, `(name in _E5AB…)` for a private name, or `== infix` for an operator.
    private static func component(of text: Substring) -> (name: Substring, rest: Substring)? {
        if text.hasPrefix("(") {
            guard let mark = text.firstPlace(of: " in _"),
                let close = text[mark.upperBound...].firstIndex(of: ")"),
                let (name, rest) = component(of: text[text.index(after: text.startIndex)...]),
                rest.startIndex == mark.lowerBound
            else { return nil }
            return (name, text[text.index(after: close)...])
        }
        let name = identifier(text)
        if !name.isEmpty { return (name == "__allocating_init" ? "init" : name, text[name.endIndex...]) }
        let symbol = text.prefix { "/=-+!*%<>&|^~?.".contains($0) || $0.isMathSymbol }
        let rest = text[symbol.endIndex...]
        guard !symbol.isEmpty, let fixity = [" infix", " prefix", " postfix"].first(where: rest.hasPrefix) else {
            return nil
        }
        return (symbol, rest.dropFirst(fixity.count))
    }

    /// The labels `on:_:` of `on: News.Socket, Swift.Int`.
    private static func labels(_ parameters: Substring) -> String {
        var labels = ""
        var rest = parameters
        while !rest.isEmpty {
            let label = identifier(rest)
            labels += rest[label.endIndex...].hasPrefix(": ") ? label + ":" : "_:"
            var index = rest.startIndex
            while index < rest.endIndex, rest.utf8[index] != UInt8(ascii: ",") {
                if isOpening(rest.utf8[index]) { index = end(ofBracketAt: index, in: rest) ?? index }
                index = rest.utf8.index(after: index)
            }
            rest = rest[index...].drop { $0 == "," || $0 == " " }
        }
        return labels
    }

    /// The bracket that closes the bracket at `open`.
    private static func end(ofBracketAt open: Substring.Index, in text: Substring) -> Substring.Index? {
        var depth = 0
        var previous = UInt8(ascii: " ")
        for index in text[open...].utf8.indices {
            let byte = text.utf8[index]
            if isOpening(byte) { depth += 1 }
            // The head of an arrow (`->`) is not a closing bracket.
            let isClosing = byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]")
            if isClosing || byte == UInt8(ascii: ">") && previous != UInt8(ascii: "-") { depth -= 1 }
            if depth == 0 { return index }
            previous = byte
        }
        return nil
    }

    private static func isOpening(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "<")
    }

    /// The identifier at the begin of a text; empty when there is none.
    private static func identifier(_ text: Substring) -> Substring {
        // Fast path for ASCII. Other characters require a lookup of their properties.
        let end = text.utf8.firstIndex { !isIdentifier($0) } ?? text.endIndex
        if end < text.endIndex, text.utf8[end] >= 0x80 { return text.prefix(while: isIdentifier) }
        return text[..<end]
    }

    private static func isIdentifier(_ character: Character) -> Bool {
        character.asciiValue.map(isIdentifier) ?? (character.isLetter || character.isNumber)
    }

    private static func isIdentifier(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
            true
        default: false
        }
    }
}

extension Substring {
    /// Removes the character at the begin. Returns whether it was there.
    fileprivate mutating func popFirst(_ character: Character) -> Bool {
        guard first == character else { return false }
        removeFirst()
        return true
    }
}
