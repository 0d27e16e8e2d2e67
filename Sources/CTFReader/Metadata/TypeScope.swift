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
