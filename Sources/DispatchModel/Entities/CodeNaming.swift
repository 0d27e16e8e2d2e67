/// A source of names for code that has only an address in the trace.
public protocol CodeNaming {
    /// Names the code of a model, before its findings are created.
    ///
    /// - Parameter model: the model of a complete trace. Its codes are changed.
    /// - Returns: notes for the reader about missing names, one sentence each.
    func nameCode(of model: DispatchModel) -> [String]

    /// Returns the kind of the function at an address; nil if no kinds are available.
    var functions: (any FunctionKinds)? { get }
}
