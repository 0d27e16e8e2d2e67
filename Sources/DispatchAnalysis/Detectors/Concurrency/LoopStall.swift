import DispatchModel

/// A long iteration of an event loop.
struct LoopStall {
    /// Something that took part of it.
    struct Part {
        enum Kind { case item, job, wait(BlockedWait.Object), call(String) }
        let kind: Kind
        let queue: QueueIndex?
        let code: CodeIndex
        let begin: Timestamp
        let end: Timestamp
        var length: Nanoseconds { end - begin }

        /// Its thread does nothing meanwhile.
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
    /// Without the time in which others had the processor.
    let length: Nanoseconds
    let times: ProcessorTimes?
    /// What took most of it; nil when nothing of it was recorded.
    var part: Part?
    /// Time for which a thread waited that had woken the loop; nil when none had.
    var waited: Nanoseconds?
    /// The next poll found something ready.
    var foundReady = false
    /// The loop has not polled again.
    var isOpen = false

    /// Its thread was off its processor of its own accord for most of it, as far as that is known.
    var isBlocked: Bool { times.map { $0.blocked.count * 2 >= length.count } ?? false }

    /// Whether a run loop's thread may have done something else between two polls.
    func mayHaveLeft(in model: DispatchModel) -> Bool {
        guard model.loops.contains(where: { $0.queue == loop && $0.kind == .runLoop }) else { return false }
        return part?.isWait ?? true
    }
}

// MARK: - Texts

extension LoopStall {
    /// What its thread did; nil when nothing of it was recorded.
    func doing(in model: DispatchModel) -> String? {
        if let part { return part.doing(in: model) }
        return times.map { _ in isBlocked ? "its thread is blocked" : "its thread computes" }
    }

    func evidence(in model: DispatchModel) -> Evidence {
        var detail = "\(model.name(of: loop)) does not poll for \(length)"
        if end - begin > length { detail += ", besides \(end - begin - length) without a processor" }
        if let part {
            detail += ": for \(part.length) of that \(part.doing(in: model))"
        } else if let times {
            detail += isBlocked ? ": for \(times.blocked) of it its thread is blocked" : ": its thread computes"
        }
        if isOpen, let waited {
            detail += ", until the trace ends; a thread woke it \(waited) before"
        } else if let waited {
            detail += "; a thread that woke it waits \(waited) for the end"
        } else if foundReady {
            detail += "; something is ready when it polls again"
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
