import DispatchModel

/// Something that knows the names of code of which a trace has only addresses.
public protocol CodeNaming {
    /// Names what it can, before findings are written about it.
    ///
    /// - Parameter model: the model of a whole trace, whose codes are changed.
    /// - Returns: what a reader of the report should know about names that are missing: one sentence each.
    func nameCode(of model: DispatchModel) -> [String]

    /// Tells what kind of function is at an address; nil when nothing does.
    var functions: (any FunctionKinds)? { get }
}
