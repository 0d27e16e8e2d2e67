/// Demangled Swift symbols as people write them.
enum SymbolText {
    /// The symbol without the types of its parameters and result, and without module names.
    ///
    /// `closure #1 @Sendable (News.Socket, Swift.Int) -> News.Line in News.Service.run(on: News.Socket) throws -> ()` becomes
    /// `closure #1 in Service.run(on:)`. What does not look like such a symbol stays as it is.
    static func brief(_ symbol: String) -> String {
        guard symbol.contains("(") || symbol.contains(" in ") else { return symbol }
        return contexts(of: symbol).map(declaration).joined(separator: " in ")
    }

    /// The text between the ` in ` that stand outside of all brackets.
    private static func contexts(of symbol: String) -> [String] {
        var contexts = [""]
        var depth = 0
        for word in symbol.split(separator: " ", omittingEmptySubsequences: false) {
            if word == "in", depth == 0 {
                contexts.append("")
                continue
            }
            depth += nesting(word)
            contexts[contexts.count - 1] += (contexts[contexts.count - 1].isEmpty ? "" : " ") + word
        }
        return contexts
    }

    private static func nesting(_ text: some StringProtocol) -> Int {
        var depth = 0
        var previous: Character = " "
        for character in text {
            if "([<".contains(character) { depth += 1 }
            // The head of an arrow closes nothing.
            if ")]".contains(character) || character == ">" && previous != "-" { depth -= 1 }
            previous = character
        }
        return depth
    }

    private static func declaration(_ text: String) -> String {
        // `closure #1 @Sendable (A) -> B`: the number says which, the type adds nothing.
        if text.hasPrefix("closure #") { return text.split(separator: " ").prefix(2).joined(separator: " ") }
        guard let open = parameterList(in: text) else { return withoutModule(text) }
        let name = withoutDiscriminators(String(text[..<open]))
        return withoutModule(name) + "(" + labels(text[text.index(after: open)...]) + ")"
    }

    /// Where the parameters begin: the first parenthesis that follows a name. `(name in _1234)` is a private name instead.
    private static func parameterList(in text: String) -> String.Index? {
        var previous: Character = "."
        for index in text.indices {
            if text[index] == "(", previous != ".", previous != " " { return index }
            previous = text[index]
        }
        return nil
    }

    /// The labels of the parameters, up to the parenthesis that ends them.
    private static func labels(_ parameters: Substring) -> String {
        var labels = ""
        var word = ""
        var depth = 0
        var isInType = false
        for character in parameters {
            if character == ")", depth == 0 { break }
            depth += nesting(String(character)) * (character == ">" ? 0 : 1)
            if character == "<" { depth -= 1 }
            if depth > 0 { continue }
            switch character {
            case ":" where !isInType:
                labels += word.trimmingPrefix(" ") + ":"
                isInType = true
            case ",":
                if !isInType { labels += "_:" }
                (word, isInType) = ("", false)
            default: word.append(character)
            }
        }
        return isInType || word.isEmpty ? labels : labels + "_:"
    }

    /// `Type.(name in _E5AB…)` is `Type.name`.
    private static func withoutDiscriminators(_ name: String) -> String {
        guard let open = name.range(of: "("), let mark = name.range(of: " in _"), open.upperBound <= mark.lowerBound,
            let close = name[mark.upperBound...].firstIndex(of: ")")
        else { return name }
        return String(
            name[..<open.lowerBound] + name[open.upperBound..<mark.lowerBound] + name[name.index(after: close)...])
    }

    /// The first component of a dotted name is its module; `static` may stand before it.
    private static func withoutModule(_ name: String) -> String {
        let keyword = name.hasPrefix("static ") ? "static " : ""
        let path = name.dropFirst(keyword.count)
        let module = path.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        let rest = path.dropFirst(module.count)
        return !module.isEmpty && rest.hasPrefix(".") && rest.count > 1 ? keyword + rest.dropFirst() : name
    }
}
