/// Resolves the syntax of types: replaces names by types and checks attributes.
struct TypeResolver {
    let source: MetadataSource
    /// Byte order of numbers without a `byte_order` attribute.
    let isBigEndian: Bool
    private(set) var scope = TypeScope()
    private var declared: Set<String> = []

    init(source: MetadataSource, isBigEndian: Bool) {
        self.source = source
        self.isBigEndian = isBigEndian
    }

    /// Runs `body` in a scope of its own.
    mutating func block<T>(_ body: (inout TypeResolver) throws(CTFError) -> T) throws(CTFError) -> T {
        var inner = self
        inner.declared = []
        return try body(&inner)
    }

    // MARK: Declarations

    /// Adds the type names of a declaration. The caller handles fields.
    mutating func declare(_ declaration: DeclarationSyntax) throws(CTFError) {
        switch declaration {
        case .alias(let name, let type, let offset):
            try declare(name, try resolve(type), at: offset)
        case .type(let type):
            _ = try resolve(type)
        case .field: break
        }
    }

    private mutating func declare(_ name: String, _ type: ResolvedType, at offset: Int) throws(CTFError) {
        guard scope.declare(name, type, in: &declared) else {
            throw source.error(.duplicate, at: offset, "The type '\(name)' is declared twice in the same block")
        }
    }

    private func find(_ name: String, at offset: Int) throws(CTFError) -> ResolvedType {
        guard let type = scope[name] else {
            throw source.error(.unknownType, at: offset, "The type '\(name)' is not declared before this place")
        }
        return type
    }

    // MARK: Types

    /// Resolves a type.
    mutating func resolve(_ syntax: TypeSyntax) throws(CTFError) -> ResolvedType {
        switch syntax {
        case .named(let name, let offset): return try find(name, at: offset)
        case .integer(let attributes, let offset):
            let type = try NumberAttributes(attributes, source, isBigEndian).integer(at: offset)
            return ResolvedType(type: .integer(type), depth: 1, weight: 1)
        case .float(let attributes, let offset):
            let type = try NumberAttributes(attributes, source, isBigEndian).float(at: offset)
            return ResolvedType(type: .float(type), depth: 1, weight: 1)
        case .string(let attributes):
            let encoding = try NumberAttributes(attributes, source, isBigEndian).encoding(default: .utf8)
            return ResolvedType(type: .string(encoding), depth: 1, weight: 1)
        case .structure(let name, let body, let alignment, let offset):
            return try structure(name, body, alignment, at: offset)
        case .variant(let name, let tag, let body, let offset):
            return try variant(name, tag, body, at: offset)
        case .enumeration(let name, let container, let body, let offset):
            return try enumeration(name, container, body, at: offset)
        case .array(let element, let count, let offset):
            let element = try resolve(element)
            guard count >= 0, count <= Int128(UInt32.max) else {
                throw source.error(
                    .invalidAttribute, at: offset,
                    "An array must have between 0 and \(UInt32.max) elements, not \(count)")
            }
            return try composed(.array(element: element.type, count: UInt64(count)), of: [element], at: offset)
        case .sequence(let element, let length):
            let element = try resolve(element)
            return try composed(.sequence(element: element.type, length: length), of: [element], at: length.offset)
        }
    }

    private func composed(
        _ type: CTFFieldType, of parts: [ResolvedType], at offset: Int
    ) throws(CTFError) -> ResolvedType {
        try ResolvedType.composed(type, of: parts, source, at: offset)
    }

    private mutating func structure(
        _ name: String?, _ body: [DeclarationSyntax]?, _ alignment: Int128?, at offset: Int
    ) throws(CTFError) -> ResolvedType {
        guard let body else {
            var found = try find("struct \(name ?? "")", at: offset)
            if let alignment, case .structure(var structure) = found.type {
                structure.minimumAlignment = try max(structure.minimumAlignment, checked(alignment, at: offset))
                found.type = .structure(structure)
            }
            return found
        }
        let (fields, parts) = try members(of: body)
        let structure = CTFStructureType(fields: fields, minimumAlignment: try checked(alignment ?? 1, at: offset))
        let result = try composed(.structure(structure), of: parts, at: offset)
        if let name { try declare("struct \(name)", result, at: offset) }
        return result
    }

    private func checked(_ alignment: Int128, at offset: Int) throws(CTFError) -> Int {
        try NumberAttributes.checkedAlignment(alignment, source, at: offset)
    }

    private mutating func members(
        of body: [DeclarationSyntax]
    ) throws(CTFError) -> (fields: [CTFField], parts: [ResolvedType]) {
        try block { resolver throws(CTFError) in
            var fields: [CTFField] = []
            var parts: [ResolvedType] = []
            var names: Set<String> = []
            for declaration in body {
                guard case .field(let name, let type, let offset) = declaration else {
                    try resolver.declare(declaration)
                    continue
                }
                guard names.insert(name).inserted else {
                    throw resolver.source.error(.duplicate, at: offset, "The field '\(name)' is declared twice")
                }
                let part = try resolver.resolve(type)
                let shown = name.hasPrefix("_") ? String(name.dropFirst()) : name
                fields.append(CTFField(name: shown, type: part.type, declaredName: name))
                parts.append(part)
            }
            return (fields, parts)
        }
    }

    private mutating func variant(
        _ name: String?, _ tag: CTFFieldReference?, _ body: [DeclarationSyntax]?, at offset: Int
    ) throws(CTFError) -> ResolvedType {
        guard let body else {
            var found = try find("variant \(name ?? "")", at: offset)
            if let tag, case .variant(var variant) = found.type {
                variant.tag = tag
                found.type = .variant(variant)
            }
            return found
        }
        let (options, parts) = try members(of: body)
        guard !options.isEmpty else {
            throw source.error(.missingAttribute, at: offset, "The variant has no options")
        }
        let result = try composed(.variant(CTFVariantType(tag: tag, options: options)), of: parts, at: offset)
        if let name { try declare("variant \(name)", result, at: offset) }
        return result
    }

    private mutating func enumeration(
        _ name: String?, _ container: TypeSyntax?, _ body: [EnumeratorSyntax]?, at offset: Int
    ) throws(CTFError) -> ResolvedType {
        guard let body else { return try find("enum \(name ?? "")", at: offset) }
        let container = try resolve(container ?? .named("int", offset: offset))
        guard case .integer(let integer) = container.type else {
            throw source.error(.invalidAttribute, at: offset, "The container of an enumeration must be an integer")
        }
        let lowest: Int128 = integer.isSigned ? -(1 << Int128(integer.size - 1)) : 0
        let highest: Int128 = (1 << Int128(integer.isSigned ? integer.size - 1 : integer.size)) - 1
        var mappings: [CTFEnumerationType.Mapping] = []
        var next: Int128 = 0
        for enumerator in body {
            let range = enumerator.range ?? (next, next)
            guard range.lower <= range.upper, range.lower >= lowest, range.upper <= highest else {
                throw source.error(
                    .invalidAttribute, at: enumerator.offset,
                    "'\(enumerator.label)' has the range \(range.lower) ... \(range.upper), which is not within "
                        + "\(lowest) ... \(highest)")
            }
            mappings.append(
                .init(
                    label: enumerator.label, lower: UInt64(truncatingIfNeeded: range.lower),
                    upper: UInt64(truncatingIfNeeded: range.upper)))
            next = range.upper + 1
        }
        guard !mappings.isEmpty else {
            throw source.error(.missingAttribute, at: offset, "The enumeration has no values")
        }
        let type = CTFFieldType.enumeration(CTFEnumerationType(container: integer, mappings: mappings))
        let result = ResolvedType(type: type, depth: 1, weight: 1)
        if let name { try declare("enum \(name)", result, at: offset) }
        return result
    }
}

/// The type names that are visible at a position of the metadata.
struct TypeScope {
    private var types: [String: ResolvedType] = [:]

    /// Finds a type by its name. The names of structures, variants and enumerations include the keyword.
    subscript(name: String) -> ResolvedType? { types[name] }

    /// Adds a name.
    ///
    /// - Returns: false when the block has declared the name before.
    mutating func declare(_ name: String, _ type: ResolvedType, in declared: inout Set<String>) -> Bool {
        guard declared.insert(name).inserted else { return false }
        types[name] = type
        return true
    }
}

/// A resolved type with its size, which limits the work of later steps.
struct ResolvedType {
    var type: CTFFieldType
    /// Levels of nesting; 1 for a type without parts.
    var depth: Int
    /// Number of types in it. A type that is used several times counts each time.
    var weight: Int

    /// Maximum nesting: more than any tracer writes, and safe for recursion.
    static let depthLimit = 64
    /// Maximum weight. A few short lines can describe extremely large types, because a type can use another type
    /// several times.
    static let weightLimit = 100_000

    /// Creates a type with parts and checks the limits.
    static func composed(
        _ type: CTFFieldType, of parts: [ResolvedType], _ source: MetadataSource, at offset: Int
    ) throws(CTFError) -> ResolvedType {
        let result = ResolvedType(
            type: type, depth: 1 + (parts.map(\.depth).max() ?? 0), weight: 1 + parts.reduce(0) { $0 + $1.weight })
        guard result.depth <= depthLimit else {
            throw source.error(.limitExceeded, at: offset, "Types are nested more than \(depthLimit) deep")
        }
        guard result.weight <= weightLimit else {
            throw source.error(.limitExceeded, at: offset, "The type consists of more than \(weightLimit) parts")
        }
        return result
    }
}
