import DispatchModel
import Synchronization

/// Names code for several analyses, one at a time under a lock. Their lookups share a cache.
final class SerializedCodeNaming: CodeNaming {
    private let naming: any CodeNaming
    private let turn = Mutex(())

    init(_ naming: any CodeNaming) { self.naming = naming }

    func nameCode(of model: DispatchModel) -> [String] { turn.withLock { _ in naming.nameCode(of: model) } }

    var functions: (any FunctionKinds)? { naming.functions }
}
