import DispatchModel

/// Describes all waits of a process.
struct OpenWaitList {
    let snapshot: ProcessSnapshot
    let names: PartyNames
    let labels: CodeLabels
    private let holders: ActorHolders
    /// All waits: threads in the order of their ids, then the items of queues, then tasks.
    private(set) var waits: [InspectedWait] = []

    init(_ snapshot: ProcessSnapshot) {
        self.snapshot = snapshot
        names = PartyNames(snapshot: snapshot)
        labels = CodeLabels(
            snapshot.queues.values.flatMap { $0.items.compactMap(Self.code) }
                + snapshot.tasks.entries.flatMap { $0.functions.map(Self.code) },
            images: snapshot.images, sources: snapshot.sources)
        holders = ActorHolders(in: snapshot)
        waits =
            snapshot.threads.compactMap(wait)
            + snapshot.queues.values.sorted { $0.serialNumber < $1.serialNumber }.compactMap(wait)
            + snapshot.tasks.entries.compactMap(wait)
    }

    private static func code(_ address: UInt64) -> Code { Code(symbol: "", file: "", line: 0, address: address) }

    private static func code(_ item: DispatchRuntime.Item) -> Code? {
        switch item.content {
        case .function(let function, _): code(function)
        case .block(let invoke, 0): code(invoke)
        case .block(let invoke, let closure): Code(symbol: "", file: "", line: 0, address: closure, thunk: invoke)
        case .waiter, .object: nil
        }
    }

    // MARK: Threads

    private func wait(of thread: InspectedThread) -> InspectedWait? {
        guard let wait = snapshot.waits[thread.tid] else { return nil }
        let object: InspectedWait.Object
        let name: String
        var cause: String?
        switch wait {
        case .idle, .running, .unknown: return nil
        case .queue(let queue, let level, _):
            (object, name) = (.queue, names.queue(queue))
            if level != queue { cause = "for queue \(name), on its target queue \(names.queue(level))" }
        case .mutex(let address, _): (object, name) = (.mutex, PartyNames.hexadecimal(address))
        case .ownedFutex(let address, _): (object, name) = (.lock, PartyNames.hexadecimal(address))
        case .readWriteLock(let address, _): (object, name) = (.readWriteLock, PartyNames.hexadecimal(address))
        case .once(let address, _): (object, name) = (.once, PartyNames.hexadecimal(address))
        case .threadEnd(let other):
            (object, name) = (.thread, "\(snapshot.thread(innerID: other)?.tid ?? Int32(bitPattern: other))")
            cause = "for the end of a thread"
        case .group(let address, let enters):
            (object, name) = (.group, PartyNames.hexadecimal(address))
            if let enters {
                cause = "for group \(name) with \(Self.counted(enters, "enter")) without a leave"
            }
        case .semaphore(let address, let initial):
            (object, name) = (.semaphore, PartyNames.hexadecimal(address))
            if initial > 0 { cause = "for semaphore \(name), which was created with \(initial)" }
        case .condition(let address): (object, name) = (.condition, PartyNames.hexadecimal(address))
        case .operation(let address, let isAll):
            (object, name) = (.operation, PartyNames.hexadecimal(address))
            cause = isAll ? "for the end of all operations" : "for the end of an operation"
        case .futex(let address):
            (object, name) = (.futex, PartyNames.hexadecimal(address))
            cause = "in a futex wait"
        case .call(let call):
            (object, name) = (.systemCall, call)
            cause = "in the system call \(call)"
        }
        return InspectedWait(
            waiter: .thread(thread.tid), waiterName: names.thread(thread), object: object, objectName: name,
            cause: cause ?? "for \(object.rawValue) \(name)", place: place(of: thread), releaser: releaser(of: wait),
            mayBeIdle: wait.mayBeIdle && !(thread.tid == snapshot.process.pid && object == .condition))
    }

    /// The innermost code of the program on a stack.
    func place(of thread: InspectedThread) -> String? {
        snapshot.names.programFrames(of: thread.stack, limit: 1).first.map(StackNames.text)
    }

    private func releaser(of wait: ThreadWait) -> InspectedWait.Releaser? {
        guard let owner = wait.owner else { return nil }
        let isJoin = if case .threadEnd = wait { true } else { false }
        return InspectedWait.Releaser(
            kind: isJoin ? .awaited : .owner, thread: snapshot.thread(innerID: owner)?.tid, task: nil,
            text: (isJoin ? "ends with " : "held by ") + described(owner))
    }

    /// `worker 7, which is in nanosleep at …`
    private func described(_ innerID: UInt32) -> String {
        guard let thread = snapshot.thread(innerID: innerID) else { return names.thread(innerID: innerID) }
        return names.thread(thread) + activity(of: thread)
    }

    /// `, which is in nanosleep at App.swift:9`; empty when the thread is in no call.
    private func activity(of thread: InspectedThread) -> String {
        let call: String
        switch snapshot.waits[thread.tid] {
        case .call(let name): call = " in \(name)"
        case .queue(let queue, _, _): call = " in sync to \(names.queue(queue))"
        case .running: call = " running"
        case .idle(.worker), .idle(.manager): return ", which is idle"
        default: call = ""
        }
        let place = place(of: thread).map { " at \($0)" } ?? ""
        return call.isEmpty && place.isEmpty ? "" : ", which is\(call)\(place)"
    }

    // MARK: Items

    private func wait(of queue: DispatchRuntime.Queue) -> InspectedWait? {
        // Threads that wait in a sync have rows of their own.
        let own = queue.items.filter { if case .waiter = $0.content { false } else { true } }
        guard !own.isEmpty else { return nil }
        let count = queue.itemCount - queue.items.count + own.count
        let name = names.queue(queue.address)
        let object: InspectedWait.Object
        let cause: String
        var releaser: InspectedWait.Releaser?
        if queue.state.isInactive {
            (object, cause) = (.suspendedQueue, "for an activation of the queue")
        } else if queue.state.suspensions > 0 {
            (object, cause) = (.suspendedQueue, "for a resume of the queue")
        } else if let owner = queue.state.owner, let thread = snapshot.thread(innerID: owner) {
            // The items of a queue whose owner runs are served soon.
            guard snapshot.waits[thread.tid]?.isBlocked == true || isInCall(thread) else { return nil }
            (object, cause) = (.heldQueue, "for the queue")
            releaser = InspectedWait.Releaser(
                kind: .owner, thread: thread.tid, task: nil,
                text: "held by \(names.thread(thread))\(activity(of: thread))")
        } else {
            (object, cause) = (.freeThread, "for a thread")
        }
        return InspectedWait(
            waiter: .items(queue: queue.address, count: count),
            waiterName: "\(Self.counted(count, "item")) on \(name)", object: object, objectName: name,
            cause: cause, place: own.lazy.compactMap(text).first, releaser: releaser,
            mayBeIdle: object == .freeThread)
    }

    private func isInCall(_ thread: InspectedThread) -> Bool {
        if case .call = snapshot.waits[thread.tid] { true } else { false }
    }

    /// The code of an item, or the name of the thread, task or queue in it.
    func text(_ item: DispatchRuntime.Item) -> String? {
        switch item.content {
        case .waiter(let thread): return "sync of \(names.thread(innerID: thread))"
        case .object(let address, let kind):
            return kind.isQueue ? "queue \(names.queue(address))" : kind.rawValue
        case .function(let function, let context):
            if snapshot.concurrency.task(at: context) != nil {
                return names.task(context) + (snapshot.tasks[context].flatMap(place).map { " at \($0)" } ?? "")
            }
            if let actor = snapshot.concurrency.drainedActor(ofJob: context) {
                return "jobs of actor \(names.actor(actor))"
            }
            return labels.text(function)
        case .block(let invoke, let closure): return labels.text(closure == 0 ? invoke : closure)
        }
    }

    // MARK: Tasks

    private func wait(of entry: TaskStates.Entry) -> InspectedWait? {
        guard case .suspended(let awaited) = entry.state else { return nil }
        let (object, name, cause) = described(awaited)
        let releaser: InspectedWait.Releaser? =
            switch awaited {
            case .continuation: nil
            case .group: self.releaser(of: snapshot.tasks.children(of: entry.task.address))
            case .task(let other): self.releaser(of: snapshot.tasks[other].map { [$0] } ?? [])
            case .actor(let actor): self.releaser(ofActor: actor)
            }
        return InspectedWait(
            waiter: .task(entry.task.address), waiterName: names.task(entry.task.address), object: object,
            objectName: name, cause: cause, place: place(of: entry), releaser: releaser,
            mayBeIdle: object == .continuation)
    }

    private func described(
        _ awaited: ConcurrencyRuntime.Task.Awaited
    ) -> (object: InspectedWait.Object, name: String, cause: String) {
        switch awaited {
        case .continuation: (.continuation, "", "on a continuation")
        case .group: (.taskGroup, "", "for its task group")
        case .task(let other): (.task, names.task(other), "for \(names.task(other))")
        case .actor(let actor): (.actor, names.actor(actor), "for actor \(names.actor(actor))")
        }
    }

    /// The innermost function of the program in a suspended task.
    func place(of entry: TaskStates.Entry) -> String? {
        let own = entry.functions.filter { function in
            snapshot.images.image(holding: function).map { !$0.image.isOfSystem } ?? false
        }
        return (own + entry.functions).lazy.compactMap(labels.text).first { !Self.isThunk($0) }
    }

    /// Whether a text names code that the compiler or the runtime puts around the code of a task.
    private static func isThunk(_ text: String) -> Bool {
        ["Swift task", "main task", "closure behind a thunk", "completeTask", "task_group_wait", "task_future_wait"]
            .contains { text.hasPrefix($0) }
    }

    /// The tasks with whose end a wait ends: the first one and its state, and the number of the others.
    private func releaser(of entries: [TaskStates.Entry]) -> InspectedWait.Releaser? {
        guard let entry = entries.first else { return nil }
        var thread: Int32?
        let state: String
        switch entry.state {
        case .running(let tid):
            thread = tid
            let runner = snapshot.threads.first { $0.tid == tid }
            state = runner.map { ", which runs on \(names.thread($0))\(activity(of: $0))" } ?? ""
        case .queued(let queue): state = ", which waits for a thread in \(names.queue(queue))"
        case .suspended(let awaited):
            state = ", which waits \(described(awaited).cause)" + (place(of: entry).map { ", in \($0)" } ?? "")
        case .unknown: state = ""
        }
        let others = entries.count > 1 ? " and \(entries.count - 1) more" : ""
        return InspectedWait.Releaser(
            kind: .awaited, thread: thread, task: entry.task.address,
            text: "ends with \(names.task(entry.task.address))\(others)\(state)")
    }

    private func releaser(ofActor address: UInt64) -> InspectedWait.Releaser? {
        guard let thread = holders.thread(of: address) else { return nil }
        return InspectedWait.Releaser(
            kind: .owner, thread: thread.tid, task: nil, text: "held by \(names.thread(thread))\(activity(of: thread))")
    }

    static func counted(_ count: Int, _ noun: String) -> String {
        "\(count >= DispatchRuntime.mostItems ? "at least " : "")\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
