/// Parses the tokens of the metadata into a syntax tree.
struct MetadataParser {
    /// Maximum nesting of types: more than any tracer writes, and safe for recursion.
    static let nestingLimit = 64

    let source: MetadataSource
    private let tokens: [MetadataToken]
    private var index = 0
    private var depth = 0

    init(_ source: MetadataSource) throws(CTFError) {
        self.source = source
        tokens = try MetadataLexer.tokens(of: source)
    }

    /// Parses the whole metadata.
    static func parse(_ source: MetadataSource) throws(CTFError) -> [MetadataBlock] {
        var parser = try MetadataParser(source)
        var blocks: [MetadataBlock] = []
        while parser.token.kind != .end { blocks += try parser.block() }
        return blocks
    }

    // MARK: Tokens

    var token: MetadataToken { tokens[index] }
    var tokenAfter: MetadataToken { tokens[min(index + 1, tokens.count - 1)] }

    mutating func advance() {
        if index < tokens.count - 1 { index += 1 }
    }

    func expected(_ what: String) -> CTFError {
        source.error(.syntax, at: token.offset, "Expected \(what), found \(token.shown)")
    }

    func isNext(_ sign: MetadataToken.Sign) -> Bool { token.kind == .sign(sign) }

    mutating func take(_ sign: MetadataToken.Sign) -> Bool {
        guard isNext(sign) else { return false }
        advance()
        return true
    }

    mutating func take(word: String) -> Bool {
        guard token.kind == .word(word) else { return false }
        advance()
        return true
    }

    mutating func expect(_ sign: MetadataToken.Sign, _ context: String) throws(CTFError) {
        guard take(sign) else { throw expected("'\(sign.rawValue)' \(context)") }
    }

    mutating func word(_ what: String) throws(CTFError) -> String {
        guard case .word(let word) = token.kind else { throw expected(what) }
        advance()
        return word
    }

    mutating func nested<T>(
        at offset: Int, _ body: (inout MetadataParser) throws(CTFError) -> T
    ) throws(CTFError) -> T {
        guard depth < Self.nestingLimit else {
            throw source.error(.limitExceeded, at: offset, "Types are nested more than \(Self.nestingLimit) deep")
        }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    // MARK: Blocks

    private mutating func block() throws(CTFError) -> [MetadataBlock] {
        let offset = token.offset
        if take(.semicolon) { return [] }
        if case .word(let name) = token.kind, tokenAfter.kind == .sign(.openBrace) {
            switch name {
            case "trace": return [.trace(try entries())]
            case "env": return [.environment(try entries())]
            case "clock": return [.clock(try entries(), offset: offset)]
            case "stream": return [.stream(try entries(), offset: offset)]
            case "event": return [.event(try entries(), offset: offset)]
            case "callsite":
                _ = try entries()
                return [.callsite]
            default: break
            }
        }
        return try declarations(inBody: false).map { .declaration($0) }
    }

    private mutating func entries() throws(CTFError) -> [MetadataEntry] {
        advance()
        try expect(.openBrace, "at the beginning of the block")
        var entries: [MetadataEntry] = []
        while !take(.closeBrace) {
            if take(.semicolon) { continue }
            entries += try entry()
        }
        _ = take(.semicolon)
        return entries
    }

    private mutating func entry() throws(CTFError) -> [MetadataEntry] {
        switch token.kind {
        case .word("typealias"), .word("typedef"), .word("struct"), .word("variant"), .word("enum"):
            return try declarations(inBody: false).map { .declaration($0) }
        case .word, .text:
            let offset = token.offset
            let name = try attributeName()
            if take(.assign) {
                let type = try typeSpecifier()
                try expect(.semicolon, "after the type of '\(name)'")
                return [.typeAssignment(name: name, type: type, offset: offset)]
            }
            return [.attribute(try attribute(named: name, at: offset))]
        default:
            throw expected("an attribute, a type or '}'")
        }
    }

    // MARK: Attributes

    private mutating func attributeName() throws(CTFError) -> String {
        if case .text(let text) = token.kind {
            advance()
            return text
        }
        return try dottedName("the name of an attribute")
    }

    mutating func dottedName(_ what: String) throws(CTFError) -> String {
        var name = try word(what)
        while take(.dot) { name += "." + (try word("a name after '.'")) }
        return name
    }

    private mutating func attribute(named name: String, at offset: Int) throws(CTFError) -> AttributeSyntax {
        guard take(.equal) || take(.assign) else { throw expected("'=' after '\(name)'") }
        let value: AttributeSyntax.Value
        switch token.kind {
        case .text(let text):
            advance()
            value = .text(text)
        case .word: value = .words(try dottedName("a value"))
        default: value = .number(try constant("a value for '\(name)'"))
        }
        try expect(.semicolon, "after the value of '\(name)'")
        return AttributeSyntax(name: name, value: value, offset: offset)
    }

    /// Parses attributes in braces, as after `integer`.
    mutating func attributes() throws(CTFError) -> [AttributeSyntax] {
        try expect(.openBrace, "before the attributes")
        var attributes: [AttributeSyntax] = []
        while !take(.closeBrace) {
            if take(.semicolon) { continue }
            let offset = token.offset
            attributes.append(try attribute(named: try dottedName("an attribute or '}'"), at: offset))
        }
        return attributes
    }

    mutating func constant(_ what: String) throws(CTFError) -> Int128 {
        var isNegative = false
        while true {
            if take(.minus) { isNegative.toggle() } else if !take(.plus) { break }
        }
        guard case .number(let magnitude) = token.kind else { throw expected(what) }
        advance()
        return isNegative ? -Int128(magnitude) : Int128(magnitude)
    }
}
