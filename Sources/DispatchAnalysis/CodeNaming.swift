import DispatchModel
import Synchronization

/// Something that knows the names of code of which a trace has only addresses.
public protocol CodeNaming {
    /// Loads what naming needs, while the trace is read. May be called again and again, or never.
    ///
    /// - Parameters:
    ///   - codes: the code that is known by then.
    ///   - images: the executables and libraries that are.
    func prepare(for codes: [Code], in images: [Image])

    /// Names what it can, before findings are written about it.
    ///
    /// - Parameter model: the model of a whole trace, whose codes are changed.
    /// - Returns: what a reader of the report should know about names that are missing: one sentence each.
    func nameCode(of model: DispatchModel) -> [String]

    /// Tells what kind of function is at an address; nil when nothing does.
    var functions: (any FunctionKinds)? { get }
}

extension CodeNaming {
    public func prepare(for codes: [Code], in images: [Image]) {}
}

/// Names code for one analysis after the other: what it looks up it keeps for the next.
final class SerializedCodeNaming: CodeNaming {
    private let naming: any CodeNaming
    private let turn = Mutex(())

    init(_ naming: any CodeNaming) { self.naming = naming }

    func nameCode(of model: DispatchModel) -> [String] { turn.withLock { _ in naming.nameCode(of: model) } }

    var functions: (any FunctionKinds)? { naming.functions }
}
