import DispatchModel

/// Names of the objects that threads wait for.
enum WaitObjectName {
    enum Kind: String, Encodable {
        case queue, lock, mutex, group, semaphore
        case item = "work item"
    }

    /// The kind of the object and its name, not escaped.
    static func parts(of object: BlockedWait.Object, in model: DispatchModel) -> (kind: Kind, name: String) {
        func address(_ id: UInt64) -> String { "0x" + String(id, radix: 16) }
        switch object {
        case .group(let id), .semaphore(let id), .item(let id): return (object.kind, address(id))
        case .queue(let queue):
            let name = model[queue].name
            return (.queue, name.isEmpty ? "#\(model[queue].serialNumber)" : name)
        case .lock(let lock):
            let kind = model[lock].isMutex ? Kind.mutex : .lock
            return (kind, model[lock].label.isEmpty ? address(model[lock].id) : model[lock].label)
        }
    }

    /// The kind and the escaped name: `queue app.state`, `mutex 0x7f…`.
    static func of(_ object: BlockedWait.Object, in model: DispatchModel) -> String {
        let (kind, name) = parts(of: object, in: model)
        return "\(kind.rawValue) \(DisplayText.escaped(name))"
    }
}

extension BlockedWait.Object {
    /// The kind without the distinction between a mutex and another lock, which requires the model.
    var kind: WaitObjectName.Kind {
        switch self {
        case .group: .group
        case .semaphore: .semaphore
        case .item: .item
        case .queue: .queue
        case .lock: .lock
        }
    }
}
