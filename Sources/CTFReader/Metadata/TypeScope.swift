/// A type with what bounds the work it can cause.
struct ResolvedType {
    var type: CTFFieldType
    /// Levels of nesting, 1 for a type without parts.
    var depth: Int
    /// Number of types in it, those named more than once counted each time.
    var weight: Int

    /// More than any tracer writes; keeps recursion over types shallow.
    static let depthLimit = 64
    /// A few short lines can describe astronomically large types by naming each other: this many parts are enough.
    static let weightLimit = 100_000
}

/// The names of types that can be used at a place in the metadata.
struct TypeScope {
    private var types: [String: ResolvedType] = [:]

    /// Finds a type by its name; structures, variants and enumerations have their keyword before it.
    subscript(name: String) -> ResolvedType? { types[name] }

    /// Adds a name.
    ///
    /// - Returns: whether it is new in this block.
    mutating func declare(_ name: String, _ type: ResolvedType, in declared: inout Set<String>) -> Bool {
        guard declared.insert(name).inserted else { return false }
        types[name] = type
        return true
    }
}
