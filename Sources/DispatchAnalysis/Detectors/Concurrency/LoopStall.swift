import DispatchModel

/// A long iteration of an event loop.
struct LoopStall {
    /// A recorded activity of the loop's thread during the iteration.
    struct Part {
        enum Kind { case item, job, wait(BlockedWait.Object), call(String) }
        let kind: Kind
        let queue: QueueIndex?
        let code: CodeIndex
        let begin: Timestamp
        let end: Timestamp
        var length: Nanoseconds { end - begin }

        /// Whether the thread is blocked in this part.
        var isWait: Bool {
            switch kind {
            case .item, .job: false
            case .wait, .call: true
            }
        }
    }

    let loop: QueueIndex
    let thread: ThreadIndex
    let begin: Timestamp
    let end: Timestamp
    /// Length without preempted time.
    let length: Nanoseconds
    let times: ProcessorTimes?
    /// The longest part; nil when no part of at least a quarter was recorded.
    var part: Part?
    /// Time from the wake-up by another thread to the end of the iteration; nil without a wake-up.
    var waited: Nanoseconds?
    /// Whether the next poll found an event ready.
    var foundReady = false
    /// Whether the loop has not polled again by the end of the trace.
    var isOpen = false

    /// Whether its thread was blocked for at least half of it; false without context switches.
    var isBlocked: Bool { times.map { $0.blocked.count * 2 >= length.count } ?? false }

    /// Whether the thread of a run loop may have left the loop between two polls.
    func mayHaveLeft(in model: DispatchModel) -> Bool {
        guard model.loops.contains(where: { $0.queue == loop && $0.kind == .runLoop }) else { return false }
        return part?.isWait ?? true
    }
}

extension LoopStall.Part {
    init(_ wait: ThreadHistory.Wait) {
        let kind: Kind =
            switch wait.place.kind {
            case .object(let object): .wait(object)
            case .systemCall(let call): .call(call)
            }
        self.init(kind: kind, queue: nil, code: wait.place.code, begin: wait.begin, end: wait.end)
    }
}

// MARK: - Texts

extension LoopStall {
    /// A clause about the activity of the thread; nil when nothing was recorded.
    func doing(in model: DispatchModel) -> String? {
        if let part { return part.doing(in: model) }
        return times.map { _ in isBlocked ? "its thread is blocked" : "its thread computes" }
    }

    func evidence(in model: DispatchModel) -> Evidence {
        var detail = "\(model.name(of: loop)) does not poll for \(length)"
        if end - begin > length { detail += ", plus \(end - begin - length) off-CPU" }
        if let part {
            detail += ": for \(part.length) of that \(part.doing(in: model))"
        } else if let times {
            detail += isBlocked ? ": for \(times.blocked) of that its thread is blocked" : ": its thread computes"
        }
        if isOpen, let waited {
            detail += ", until the end of the trace; a thread woke it \(waited) before that"
        } else if let waited {
            detail += "; a thread that woke it waits \(waited) for the next poll"
        } else if foundReady {
            detail += "; an event is ready when it polls again"
        }
        return Evidence(time: begin, thread: thread, event: "loop_poll_end", detail: detail + ".")
    }
}

extension LoopStall.Part {
    /// `it runs an item of app.work at App/Main.swift:12`.
    func doing(in model: DispatchModel) -> String {
        let place = model.place(of: code)
        let queue = queue.map { model.name(of: $0) } ?? ""
        return switch kind {
        case .item: "it runs an item of \(queue)\(place)"
        case .job: "it runs a Swift job\(queue.isEmpty ? "" : " of \(queue)")\(place)"
        case .wait(let object): "it waits in \(model.kindName(of: object))\(place)"
        case .call(let call): "it waits in \(BlockedTask.name(ofCall: call))\(place)"
        }
    }
}
