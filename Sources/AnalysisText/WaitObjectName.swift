import DispatchAnalysis
import DispatchModel
import ReportText

/// Names of the objects that threads wait for.
package enum WaitObjectName {
    /// The words for the kind of the object, with a distinction between a mutex and another lock; and its name, not
    /// escaped.
    package static func parts(of object: BlockedWait.Object, in model: DispatchModel) -> (kind: String, name: String) {
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

    /// The words for the kind of the awaited object, and its name: a label, an address, a number or a system call. The
    /// name is empty for a continuation, a free thread and an unknown object.
    package static func parts(of cause: OpenWait.Cause, in model: DispatchModel) -> (kind: String, name: String) {
        switch cause {
        case .object(let object): parts(of: object, in: model)
        case .continuation: ("continuation", "")
        case .task(let number): ("task", "\(number)")
        case .taskGroup(let id): ("task group", "0x" + String(id, radix: 16))
        case .actor(let queue): ("actor", model[queue].name)
        case .suspendedQueue(let queue): ("suspended queue", QueueName.of(queue, in: model))
        case .heldQueue(let queue): ("held queue", QueueName.of(queue, in: model))
        case .thread: ("free thread", "")
        case .call(let call, _): ("system call", call)
        case .unknown: ("unknown", "")
        }
    }

    /// The kind and the escaped name: `queue app.state`, `mutex 0x7f…`.
    package static func of(_ object: BlockedWait.Object, in model: DispatchModel) -> String {
        let (kind, name) = parts(of: object, in: model)
        return "\(kind) \(DisplayText.escaped(name))"
    }
}
