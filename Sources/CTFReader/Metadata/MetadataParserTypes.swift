extension MetadataParser {
    // MARK: Declarations

    /// Parses the declarations up to the next semicolon.
    ///
    /// - Parameter inBody: whether fields are allowed, as in a structure.
    /// - Returns: one declaration for each name.
    /// - Throws: a ``CTFError`` for a syntax error.
    mutating func declarations(inBody: Bool) throws(CTFError) -> [DeclarationSyntax] {
        let offset = token.offset
        if take(word: "typealias") {
            let type = try array(of: try typeSpecifier())
            try expect(.assign, "between the type and its new name")
            let name = try typeName()
            try expect(.semicolon, "after the new name")
            return [.alias(name: name, type: type, offset: offset)]
        }
        if take(word: "typedef") {
            let (base, first) = try typeAndName()
            return try declarators(after: first, of: base).map {
                .alias(name: $0.name, type: $0.type, offset: $0.offset)
            }
        }
        let (base, first) = try typeAndName()
        if first == nil, take(.semicolon) { return [.type(base)] }
        // The semicolon is optional after a body at the top level.
        if first == nil, !inBody, base.hasBody { return [.type(base)] }
        guard inBody else { throw expected("';' after the type, or a block such as 'stream { … };'") }
        return try declarators(after: first, of: base).map { .field(name: $0.name, type: $0.type, offset: $0.offset) }
    }

    private mutating func declarators(
        after first: (name: String, offset: Int)?, of base: TypeSyntax
    ) throws(CTFError) -> [(name: String, type: TypeSyntax, offset: Int)] {
        var result: [(name: String, type: TypeSyntax, offset: Int)] = []
        var next = first
        repeat {
            let offset = next?.offset ?? token.offset
            let name: String
            if let next { name = next.name } else { name = try word("the name of a field") }
            next = nil
            result.append((name, try array(of: base), offset))
        } while take(.comma)
        try expect(.semicolon, "after '\(result[result.count - 1].name)'")
        return result
    }

    /// Parses the lengths in brackets after a name, and applies them to the type.
    private mutating func array(of base: TypeSyntax) throws(CTFError) -> TypeSyntax {
        var lengths: [(Int128?, CTFFieldReference?, Int)] = []
        while isNext(.openBracket) {
            let offset = token.offset
            advance()
            if case .word = token.kind {
                lengths.append((nil, try reference(), offset))
            } else {
                lengths.append(
                    (try constant("the length of an array, or the name of the field that holds it"), nil, offset))
            }
            try expect(.closeBracket, "after the length")
            guard lengths.count <= Self.nestingLimit else {
                throw source.error(.limitExceeded, at: offset, "Arrays are nested more than \(Self.nestingLimit) deep")
            }
        }
        // `x[2][3]` is an array of two arrays of three.
        var type = base
        for (count, reference, offset) in lengths.reversed() {
            if let reference {
                type = .sequence(element: type, length: reference)
            } else {
                type = .array(element: type, count: count ?? 0, offset: offset)
            }
        }
        return type
    }

    mutating func reference() throws(CTFError) -> CTFFieldReference {
        let offset = token.offset
        let name = try dottedName("the name of a field")
        return CTFFieldReference(path: name.split(separator: ".").map(String.init), offset: offset)
    }

    // MARK: Types

    /// Parses a type name of one or more words, such as `unsigned long`.
    private mutating func typeName() throws(CTFError) -> String {
        var words = [try word("the name of a type")]
        while case .word(let next) = token.kind {
            words.append(next)
            advance()
        }
        return words.joined(separator: " ")
    }

    /// Parses a type. The result includes the field name when the type is a sequence of words, because only the last
    /// word ends the type.
    private mutating func typeAndName() throws(CTFError) -> (TypeSyntax, (name: String, offset: Int)?) {
        _ = take(word: "const")
        if let type = try compoundType() { return (type, nil) }
        let offset = token.offset
        var words = [(name: try word("a type"), offset: offset)]
        while case .word(let next) = token.kind {
            words.append((next, token.offset))
            advance()
        }
        guard words.count > 1, let last = words.popLast() else { throw expected("a name after the type") }
        return (.named(words.map(\.name).joined(separator: " "), offset: offset), last)
    }

    /// Parses a type that is not followed by a name, as after `:=`.
    mutating func typeSpecifier() throws(CTFError) -> TypeSyntax {
        _ = take(word: "const")
        if let type = try compoundType() { return type }
        let offset = token.offset
        return .named(try typeName(), offset: offset)
    }

    private mutating func compoundType() throws(CTFError) -> TypeSyntax? {
        let offset = token.offset
        guard case .word(let keyword) = token.kind else { throw expected("a type") }
        switch keyword {
        case "integer":
            advance()
            return .integer(try attributes(), offset: offset)
        case "floating_point":
            advance()
            return .float(try attributes(), offset: offset)
        case "string":
            advance()
            return .string(isNext(.openBrace) ? try attributes() : [])
        case "struct":
            advance()
            return try nested(at: offset) { parser throws(CTFError) in try parser.structure(at: offset) }
        case "variant":
            advance()
            return try nested(at: offset) { parser throws(CTFError) in try parser.variant(at: offset) }
        case "enum":
            advance()
            return try nested(at: offset) { parser throws(CTFError) in try parser.enumeration(at: offset) }
        default: return nil
        }
    }

    private mutating func optionalName() -> String? {
        guard case .word(let name) = token.kind else { return nil }
        advance()
        return name
    }

    private mutating func body() throws(CTFError) -> [DeclarationSyntax] {
        try expect(.openBrace, "before the fields")
        var body: [DeclarationSyntax] = []
        while !take(.closeBrace) {
            if take(.semicolon) { continue }
            body += try declarations(inBody: true)
        }
        return body
    }

    private mutating func structure(at offset: Int) throws(CTFError) -> TypeSyntax {
        let name = token.kind == .word("align") && tokenAfter.kind == .sign(.openParenthesis) ? nil : optionalName()
        let body = isNext(.openBrace) ? try body() : nil
        guard name != nil || body != nil else { throw expected("a name or '{' after 'struct'") }
        var alignment: Int128?
        if token.kind == .word("align"), tokenAfter.kind == .sign(.openParenthesis) {
            advance()
            advance()
            alignment = try constant("an alignment in bits")
            try expect(.closeParenthesis, "after the alignment")
        }
        return .structure(name: name, body: body, alignment: alignment, offset: offset)
    }

    private mutating func variant(at offset: Int) throws(CTFError) -> TypeSyntax {
        let name = optionalName()
        var tag: CTFFieldReference?
        if take(.less) {
            tag = try reference()
            try expect(.greater, "after the tag")
        }
        let body = isNext(.openBrace) ? try body() : nil
        guard name != nil || body != nil else { throw expected("a name, '<' or '{' after 'variant'") }
        return .variant(name: name, tag: tag, body: body, offset: offset)
    }

    private mutating func enumeration(at offset: Int) throws(CTFError) -> TypeSyntax {
        let name = optionalName()
        var container: TypeSyntax?
        if take(.colon) { container = try typeSpecifier() }
        var body: [EnumeratorSyntax]?
        if take(.openBrace) {
            var enumerators: [EnumeratorSyntax] = []
            while !take(.closeBrace) {
                enumerators.append(try enumerator())
                if !take(.comma), !isNext(.closeBrace) { throw expected("',' or '}' after a value of the enumeration") }
            }
            body = enumerators
        }
        guard name != nil || body != nil else { throw expected("a name, ':' or '{' after 'enum'") }
        return .enumeration(name: name, container: container, body: body, offset: offset)
    }

    private mutating func enumerator() throws(CTFError) -> EnumeratorSyntax {
        let offset = token.offset
        let label: String
        switch token.kind {
        case .word(let word): label = word
        case .text(let text): label = text
        default: throw expected("a value of the enumeration")
        }
        advance()
        guard take(.equal) else { return EnumeratorSyntax(label: label, range: nil, offset: offset) }
        let lower = try constant("the number of '\(label)'")
        let upper = take(.ellipsis) ? try constant("the upper end of '\(label)'") : lower
        return EnumeratorSyntax(label: label, range: (lower, upper), offset: offset)
    }
}
