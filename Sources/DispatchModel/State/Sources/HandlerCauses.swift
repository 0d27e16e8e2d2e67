/// Finds the causes of handler runs for the critical path, if the program itself is the cause.
///
/// ```
///   thread A   source_merge ┄┄┄┄┄┄┄┄╮   source_merge (coalesced with the first one)
///   thread B                       source_fire ├─ event handler ─┤
///   thread A   source_cancel ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄╮
///   thread B                       item_enqueue ├─ cancel handler ─┤
/// ```
///
/// The submission of a cancel handler does not name its source. The model assumes the source of that queue that was
/// cancelled first.
struct HandlerCauses {
    /// Path mark of the first merge since the handler ran last, by position of the source.
    private var data: [Int: Int32] = [:]
    /// Sources whose cancel handlers have not run yet, in the order of their cancellation, with the path marks of the
    /// cancellations.
    private var cancellations: [(source: Int, mark: Int32)] = []

    /// A thread merges data into a source.
    mutating func merge(_ source: Int, at moment: Moment, in state: inout ModelState) {
        guard state.paths.isFollowed, data[source] == nil, state.model.sources[source].cancelledAt == nil
        else { return }
        data[source] = state.mark(at: moment)
    }

    /// A thread activates or resumes a source. Only now can its handler run for earlier data, so this is the cause.
    mutating func release(_ source: Int, at moment: Moment, in state: inout ModelState) {
        if let known = data[source] {
            state.paths.release(known)
            data[source] = state.mark(at: moment)
        }
        guard let known = cancellations.firstIndex(where: { $0.source == source }) else { return }
        state.paths.replace(&cancellations[known].mark, with: state.mark(at: moment))
    }

    /// A thread cancels a source for the first time.
    mutating func cancel(_ source: Int, at moment: Moment, in state: inout ModelState) {
        guard state.paths.isFollowed else { return }
        forgetData(of: source, in: &state)
        // The handlers of a source that existed before the session are unknown.
        let entity = state.model.sources[source]
        guard entity.handlers.contains(.cancel) || !entity.isCreationKnown else { return }
        cancellations.append((source, state.mark(at: moment)))
    }

    /// The event handler of a source is about to run as the item in a slot.
    mutating func fire(_ source: Int, slot: Slot, in state: inout ModelState) {
        guard !data.isEmpty, let mark = data.removeValue(forKey: source) else { return }
        state.paths.submit(slot, because: mark)
    }

    /// The cancel handler of a source is about to run on a queue, as the item in a slot.
    mutating func finish(on queue: QueueIndex, slot: Slot, in state: inout ModelState) {
        guard
            let known = cancellations.firstIndex(where: { state.model.sources[$0.source].queue == queue })
        else { return }
        state.paths.submit(slot, because: cancellations.remove(at: known).mark)
    }

    /// Removes the data mark of a source that was cancelled or disposed. A pending cancel handler is kept.
    mutating func forgetData(of source: Int, in state: inout ModelState) {
        if let mark = data.removeValue(forKey: source) { state.paths.release(mark) }
    }
}

extension PathRecorder {
    /// Records that the item in a slot was submitted at a mark, and releases the mark.
    fileprivate mutating func submit(_ slot: Slot, because mark: Int32) {
        add(PathStep(number: Int64(mark), place: slot.rawValue, kind: .submitAtMark))
        release(mark)
    }
}
