/// Shortens demangled C++ symbols, and C symbols with suffixes of the compiler.
enum CxxSymbolText {
    /// The symbol without return type, parameters, template arguments, inline namespaces and clone suffixes.
    ///
    /// `void std::__1::sort<int*, Less<int>>(int*, int*, Less<int>) [clone .cold]` becomes `std::sort`, and
    /// `app::run(int)::{lambda(int)#1}::operator()(int) const` becomes `lambda #1 in app::run`. A symbol that cannot be
    /// parsed is not changed.
    static func brief(_ symbol: String) -> String {
        let bare = withoutClones(symbol)
        let isQualified = bare.has("::")
        // A function in the global namespace: `run(int)`.
        let isFunction = bare.hasSuffix(")") && !bare.hasPrefix("(") && !bare.contains(".")
        guard isQualified || isFunction, let path = path(of: Array(bare)), !path.isEmpty else { return bare }
        var parts = path.filter { !inlineNamespaces.contains($0) }
        // The call operator of a lambda is the lambda itself.
        if parts.last == "operator()", parts.dropLast().last?.hasPrefix("lambda") == true { parts.removeLast() }
        guard let lambda = parts.firstIndex(where: { $0.hasPrefix("lambda") }), lambda > 0 else {
            return parts.joined(separator: "::")
        }
        return (parts[lambda...].reversed() + [parts[..<lambda].joined(separator: "::")]).joined(separator: " in ")
    }

    private static let inlineNamespaces: Set = ["__1", "__2", "__cxx11", "__ndk1"]

    /// Suffixes that compilers append to the symbols of functions that they split, clone or rename.
    private static let cloneMarks = [
        "part", "isra", "constprop", "cold", "llvm", "lto_priv", "resume", "destroy", "cleanup",
    ]

    static func withoutClones(_ symbol: String) -> String {
        var text = Substring(symbol)
        while true {
            if text.hasSuffix("]"), let mark = text.ranges(of: " [clone ").last {
                text = text[..<mark.lowerBound]
            } else if text.hasSuffix(")"), text.has(" (."), let mark = text.ranges(of: " (.").last {
                text = text[..<mark.lowerBound]
            } else if let mark = cloneSuffix(of: text) {
                text = text[..<mark]
            } else {
                return text.isEmpty ? symbol : String(text)
            }
        }
    }

    /// The begin of a suffix such as `.cold` or `.part.0` at the end of a name.
    private static func cloneSuffix(of text: Substring) -> Substring.Index? {
        guard let dot = text.lastIndex(of: "."), dot > text.startIndex else { return nil }
        let word = text[text.index(after: dot)...]
        if cloneMarks.contains(String(word)) { return dot }
        guard !word.isEmpty, word.allSatisfy(\.isNumber) else { return nil }
        guard let earlier = text[..<dot].lastIndex(of: ".") else {
            // The number of one of several C functions with the same name, for example of nested blocks.
            return text[..<dot].allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? dot : nil
        }
        guard cloneMarks.contains(String(text[text.index(after: earlier)..<dot])), earlier > text.startIndex
        else { return nil }
        return earlier
    }

    /// The names between `::`, each without its arguments; nil when brackets do not match.
    private static func path(of text: [Character]) -> [String]? {
        var names: [String] = []
        var name = ""
        var position = 0
        while position < text.count {
            let character = text[position]
            if hasOperator(text, at: position, after: name), let end = endOfOperator(text, from: position) {
                name += String(text[position..<end])
                position = end
            } else if character == ":", position + 1 < text.count, text[position + 1] == ":" {
                names.append(name)
                name = ""
                position += 2
            } else if "<([{'".contains(character) {
                guard let close = close(of: text, at: position) else { return nil }
                let inner = String(text[(position + 1)..<close])
                if inner == "anonymous namespace" { name = "(anonymous namespace)" }
                if inner.hasPrefix("lambda") { name = lambda(inner) }
                position = close + 1
            } else if character == " ", position + 1 < text.count, text[position + 1] == "<" {
                position += 1
            } else if character == " " {
                // The text before the space is a return type, unless only qualifiers follow.
                guard position + 1 < text.count, !isQualifier(text, from: position + 1) else { break }
                names = []
                name = ""
                position += 1
            } else {
                name.append(character)
                position += 1
            }
        }
        names.append(name)
        return names.contains("") ? nil : names
    }

    /// The name `lambda #1` for `lambda(int)#1`, `lambda` or `lambda0`.
    private static func lambda(_ text: String) -> String {
        let number = text.contains("#") ? text.split(separator: "#").last.map(String.init) : nil
        let digits = text.dropFirst("lambda".count).prefix(while: \.isNumber)
        return "lambda #\(number ?? "\((Int(digits) ?? -1) + 2)")"
    }

    private static func isQualifier(_ text: [Character], from position: Int) -> Bool {
        let rest = String(text[position...])
        return ["const", "volatile", "&", "noexcept"].contains(where: rest.hasPrefix)
    }

    private static func hasOperator(_ text: [Character], at position: Int, after name: String) -> Bool {
        let word = Array("operator")
        guard name.isEmpty, position + word.count < text.count else { return false }
        let next = text[position + word.count]
        let isWhole = !next.isLetter && !next.isNumber && next != "_"
        return isWhole && Array(text[position..<(position + word.count)]) == word
    }

    /// The end of `operator<<`, `operator()`, `operator new[]` or `operator bool`.
    private static func endOfOperator(_ text: [Character], from position: Int) -> Int? {
        var end = position + "operator".count
        if text[end] == "(" { return end + 1 < text.count ? end + 2 : nil }
        if text[end] == "[" { return end + 1 < text.count ? end + 2 : nil }
        if text[end] == " " {
            while end < text.count, text[end] != "(" { end += 1 }
            return end
        }
        // In `operator<<<int>`, the last bracket opens the template arguments.
        while end < text.count, "<>=-+*/%&|^~!,".contains(text[end]) { end += 1 }
        if end < text.count, text[end] != "(", text[end] != " ", end > position + "operator".count + 1,
            text[end - 1] == "<"
        {
            end -= 1
        }
        return end
    }

    private static func close(of text: [Character], at open: Int) -> Int? {
        if text[open] == "'" { return text[(open + 1)...].firstIndex(of: "'") }
        var depth = 0
        for position in open..<text.count {
            if "<([{".contains(text[position]) { depth += 1 }
            // The head of an arrow (`->`) is not a closing bracket.
            let isArrow = text[position] == ">" && position > 0 && text[position - 1] == "-"
            if ")]}".contains(text[position]) || text[position] == ">" && !isArrow { depth -= 1 }
            if depth == 0 { return position }
        }
        return nil
    }
}
