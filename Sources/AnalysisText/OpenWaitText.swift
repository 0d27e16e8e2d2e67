import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// Words about a wait that was open at the end of the trace.
package struct OpenWaitText {
    private let model: DispatchModel
    private let symbols: SymbolTable

    /// - Parameters:
    ///   - model: the entities that the waits refer to.
    ///   - symbols: the names of the code.
    package init(model: DispatchModel, symbols: SymbolTable) {
        self.model = model
        self.symbols = symbols
    }

    /// `main 4711`, `task 12`, `3 items on app.state`.
    package func waiter(_ wait: OpenWait) -> String {
        switch wait.waiter {
        case .thread(let thread): ThreadName.of(thread, in: model)
        case .task(let number): "task \(number)"
        case .items(let queue, let count):
            "\(CompactNumber.counted(count, "item")) on \(QueueName.of(queue, in: model))"
        }
    }

    /// `in semaphore wait`, `in sync to app.state`, `on a continuation`.
    package func cause(_ wait: OpenWait) -> String {
        switch wait.cause {
        case .object(.queue(let queue)): "in sync to \(QueueName.of(queue, in: model))"
        case .object(.lock(let lock)): "for \(WaitObjectName.of(.lock(lock), in: model))"
        case .object(.group): "in group wait"
        case .object(.semaphore): "in semaphore wait"
        case .object(.item): "in work item wait"
        case .continuation: "on a continuation"
        case .task(let number): "for task \(number)"
        case .taskGroup: "for its task group"
        case .actor(let actor): "for actor \(DisplayText.escaped(model[actor].name))"
        case .suspendedQueue: "for a resume of the queue"
        case .heldQueue: "for the queue"
        case .thread: "for a thread"
        case .call(let call, let function): self.call(call, function, on: wait.descriptor)
        case .unknown: "for an unrecorded reason"
        }
    }

    /// `in usleep`, `in the system call read`, `in a futex wait`. With a recorded kind of descriptor: `to read from a
    /// pipe`, `to read from a TCP socket in recv`.
    private func call(_ call: String, _ function: CodeIndex, on descriptor: DescriptorKind) -> String {
        let name = function == .unknown ? "" : CodeName.brief(function, in: model, symbols: symbols)
        if let purpose = DescriptorText.purpose(of: call, on: descriptor) {
            return purpose + (name.isEmpty || name == call ? "" : " in \(name)")
        }
        if !name.isEmpty { return "in \(name)" }
        switch call {
        case "": return "in a system call"
        case "futex": return "in a futex wait"
        default: return "in the system call \(DisplayText.escaped(call))"
        }
    }

    /// ` at App/Main.swift:12`, or empty when the code is unknown.
    func place(_ code: CodeIndex) -> String {
        code == .unknown ? "" : " at \(CodeName.of(code, in: model, symbols: symbols))"
    }

    /// `held by worker 7, which is in waitpid at App/Main.swift:9`; nil when it is unknown.
    func releaser(_ wait: OpenWait) -> String? {
        guard let releaser = wait.releaser else { return nil }
        let others = releaser.count > 1 ? " and \(CompactNumber.grouped(releaser.count - 1)) more" : ""
        switch releaser.kind {
        case .owner, .awaited:
            let name =
                releaser.task.map { "task \($0)" } ?? releaser.thread.map { ThreadName.of($0, in: model) } ?? "unknown"
            let prefix = releaser.kind == .owner ? "held by " : "ends with "
            let call =
                releaser.call.isEmpty
                ? "" : " in \(DisplayText.escaped(releaser.call))\(DescriptorText.place(of: releaser.descriptor))"
            let place = releaser.code == .unknown && call.isEmpty ? "" : ", which is\(call)\(place(releaser.code))"
            return prefix + name + others + place
        case .pendingItem:
            let queue = releaser.queue.map { " on \(QueueName.of($0, in: model))" } ?? ""
            return "ends with an item\(queue)\(place(releaser.code)), which has not begun"
        case .lastSignal: return "last signalled\(place(releaser.code))"
        }
    }

    /// `for mutex 0x7f…, in Store.swift:9; held by worker 7, which is in read at Store.swift:12`
    ///
    /// The cause without the waiter and its time. A task is part of it, because its number identifies another wait.
    package func description(of wait: OpenWait) -> String {
        let object =
            if case .object(let object) = wait.cause {
                "for \(WaitObjectName.of(object, in: model))"
            } else {
                cause(wait)
            }
        let place = wait.code == .unknown ? "" : ", in \(CodeName.of(wait.code, in: model, symbols: symbols))"
        return object + place + (releaser(wait).map { "; \($0)" } ?? "")
    }

    /// The line of the verdict: `main 4711 for 6.90 s in semaphore wait at App.swift:12.`
    package func sentence(_ wait: OpenWait) -> String {
        let releaser = releaser(wait).map { "; \($0)" } ?? ""
        return "\(waiter(wait)) for \(wait.duration) \(cause(wait))\(place(wait.code))\(releaser)."
    }
}
