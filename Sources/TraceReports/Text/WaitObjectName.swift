import DispatchModel

/// Names of the objects that threads wait for.
enum WaitObjectName {
    /// The words for the kind of the object, with a distinction between a mutex and another lock; and its name, not
    /// escaped.
    static func parts(of object: BlockedWait.Object, in model: DispatchModel) -> (kind: String, name: String) {
        func address(_ id: UInt64) -> String { "0x" + String(id, radix: 16) }
        switch object {
        case .group(let id), .semaphore(let id), .item(let id): return (object.kind.title, address(id))
        case .queue(let queue):
            let name = model[queue].name
            return (object.kind.title, name.isEmpty ? "#\(model[queue].serialNumber)" : name)
        case .lock(let lock):
            return (model[lock].kindName, model[lock].label.isEmpty ? address(model[lock].id) : model[lock].label)
        }
    }

    /// The kind and the escaped name: `queue app.state`, `mutex 0x7f…`.
    static func of(_ object: BlockedWait.Object, in model: DispatchModel) -> String {
        let (kind, name) = parts(of: object, in: model)
        return "\(kind) \(DisplayText.escaped(name))"
    }
}
