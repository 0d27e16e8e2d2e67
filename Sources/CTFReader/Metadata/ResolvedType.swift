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
