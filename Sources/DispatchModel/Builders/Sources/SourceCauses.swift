/// Why sources run their handlers, where the program itself is the cause, for the path of causes.
///
/// ```
///   thread A   source_merge ┄┄┄┄┄┄┄┄╮   source_merge (its data comes along)
///   thread B                       source_fire ├─ event handler ─┤
///   thread A   source_cancel ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄╮
///   thread B                       item_enqueue ├─ cancel handler ─┤
/// ```
///
/// The submission of a cancel handler does not name its source. It is that of the queue's sources which was cancelled
/// first.
struct SourceCauses {
    /// By position of the source: the mark of the first data since its handler ran last.
    private var data: [Int: Int32] = [:]
    /// Sources whose cancel handlers are to run, in the order of their cancellation, with marks of it.
    private var cancellations: [(source: Int, mark: Int32)] = []

    /// A thread hands data to a source.
    mutating func merge(
        _ source: Int, at time: Int64, thread: Int, items: borrowing ItemTracker, in state: inout ModelState
    ) {
        guard state.paths.isFollowed, data[source] == nil, state.model.sources[source].cancelledAt == nil
        else { return }
        data[source] = items.markPath(of: thread, at: time, in: &state)
    }

    /// A thread activates a source, or resumes it: what it was given before comes to its handler only now.
    mutating func release(
        _ source: Int, at time: Int64, thread: Int, items: borrowing ItemTracker, in state: inout ModelState
    ) {
        if let known = data[source] {
            state.paths.release(known)
            data[source] = items.markPath(of: thread, at: time, in: &state)
        }
        guard let known = cancellations.firstIndex(where: { $0.source == source }) else { return }
        state.paths.replace(&cancellations[known].mark, with: items.markPath(of: thread, at: time, in: &state))
    }

    /// A thread cancels a source for the first time.
    mutating func cancel(
        _ source: Int, at time: Int64, thread: Int, items: borrowing ItemTracker, in state: inout ModelState
    ) {
        guard state.paths.isFollowed else { return }
        forgetData(of: source, in: &state)
        // Of a source that existed before the session the handlers are not known.
        let entity = state.model.sources[source]
        guard entity.handlers.contains(.cancel) || !entity.isCreationKnown else { return }
        cancellations.append((source, items.markPath(of: thread, at: time, in: &state)))
    }

    /// The event handler of a source is about to run as the item in a slot.
    mutating func fire(_ source: Int, slot: Int, in state: inout ModelState) {
        guard !data.isEmpty, let mark = data.removeValue(forKey: source) else { return }
        state.paths.submit(slot, because: mark)
    }

    /// The cancel handler of some source is about to run on a queue, as the item in a slot.
    mutating func finish(on queue: QueueIndex, slot: Int, in state: inout ModelState) {
        guard
            let known = cancellations.firstIndex(where: { state.model.sources[$0.source].queue == queue })
        else { return }
        state.paths.submit(slot, because: cancellations.remove(at: known).mark)
    }

    /// A source is gone, but for a cancel handler that is to run.
    mutating func forgetData(of source: Int, in state: inout ModelState) {
        if let mark = data.removeValue(forKey: source) { state.paths.release(mark) }
    }
}

extension PathRecorder {
    /// The item in a slot was submitted at a mark, which nobody keeps any more.
    fileprivate mutating func submit(_ slot: Int, because mark: Int32) {
        add(PathStep(number: Int64(mark), place: Int32(truncatingIfNeeded: slot), kind: .submitAtMark))
        release(mark)
    }
}
