import DispatchModel

// One function per kind of observation.
extension PerfettoExport {
    /// The ids of the two flows of an item, which differ in the last bit.
    private static func enqueueFlow(_ item: ItemNumber) -> UInt64 { UInt64(bitPattern: item.rawValue) << 1 }
    private static func handoffFlow(_ item: ItemNumber) -> UInt64 { UInt64(bitPattern: item.rawValue) << 1 | 1 }

    func write(_ item: Item) {
        var flows: [UInt64] = []
        // The wait of a sync is a slice on its own thread, so it needs no flow.
        if let enqueuer = item.enqueuedOn, !item.isSync {
            let flow = Self.enqueueFlow(item.number)
            instant(on: .thread(enqueuer), at: item.enqueuedAt, .queue(item.queue), .enqueue, flow: flow)
            flows.append(flow)
        }
        if item.isSync, let caller = item.enqueuedOn, item.wait > .zero {
            let end = caller == item.thread ? item.beganAt : item.endedAt
            slice(
                on: .thread(caller), item.enqueuedAt, end, .text("sync waits"), .wait,
                annotations: [.named("queue", number: Int64(item.queue.position))])
        }
        if let handoff = handoffs.removeValue(forKey: item.number) {
            let flow = Self.handoffFlow(item.number)
            instant(
                on: .thread(handoff.from), at: handoff.releasedAt ?? handoff.grantedAt, .text("hands off"), .handoff,
                flow: flow)
            flows.append(flow)
        }
        counts.flows += flows.count
        let track = queueLanes.track(of: item.queue.position, begin: item.beganAt, end: item.endedAt)
        slice(
            on: track, item.beganAt, item.endedAt, .code(item.code), .item, terminating: flows,
            annotations: Self.annotations(of: item))
        slice(on: .thread(item.thread), item.beganAt, item.endedAt, .queue(item.queue), .item)
        depth(of: item.queue.position, from: item.enqueuedAt, to: item.beganAt)
    }

    private static func annotations(of item: Item) -> [PerfettoAnnotation] {
        var annotations: [PerfettoAnnotation] = [
            .named("kind", "\(item.kind)"), .named("wait_ns", number: item.wait.count),
        ]
        for part in item.waitParts.named where part.value > .zero {
            annotations.append(.named("wait.\(part.name)_ns", number: part.value.count))
        }
        if item.isBarrier { annotations.append(.named("barrier", number: 1)) }
        if !item.isFinished { annotations.append(.named("finished", number: 0)) }
        return annotations
    }

    func write(_ iteration: ApplyIteration) {
        let track = queueLanes.track(of: iteration.queue.position, begin: iteration.begin, end: iteration.end)
        slice(
            on: track, iteration.begin, iteration.end, .code(iteration.code), .item,
            annotations: [.named("iteration", number: Int64(clamping: iteration.index))])
        slice(on: .thread(iteration.thread), iteration.begin, iteration.end, .queue(iteration.queue), .item)
    }

    /// Writes the acquisition of a lock. Acquisitions of exclusion queues are omitted, because they are items.
    func write(_ acquisition: Acquisition, in model: DispatchModel) {
        guard case .lock(let lock) = acquisition.domain else { return }
        if acquisition.requestedAt < acquisition.grantedAt {
            slice(
                on: .thread(acquisition.thread), acquisition.requestedAt, acquisition.grantedAt, .text("lock waits"),
                .wait)
        }
        // Locks can be released in any order, so slices on the track of the thread would not nest. Use an instant.
        instant(
            on: .thread(acquisition.thread), at: acquisition.grantedAt, .lock(lock), .lock,
            annotations: [.named("held_ns", number: (acquisition.releasedAt - acquisition.grantedAt).count)])
    }

    func write(_ wait: BlockedWait) {
        let name =
            switch wait.object {
            case .group, .semaphore, .item: "\(wait.object.kind.title) wait"
            case .queue: "sync waits"
            case .lock: "lock waits"
            }
        slice(
            on: .thread(wait.thread), wait.begin, wait.end, .text(name), .wait,
            annotations: wait.timedOut ? [.named("timed_out", number: 1)] : [])
    }

    func write(_ signpost: Signpost) {
        let message: [PerfettoAnnotation] =
            signpost.message.isEmpty ? [] : [.named("message", signpost.message)]
        let track = signpostLanes.track(of: 0, begin: signpost.begin, end: signpost.end)
        if signpost.isEvent {
            instant(on: track, at: signpost.begin, .text(signpost.name), .signpost, annotations: message)
        } else {
            slice(on: track, signpost.begin, signpost.end, .text(signpost.name), .signpost, annotations: message)
        }
    }

    func write(_ misuse: Misuse) {
        let name =
            switch misuse.kind {
            case .mutationAfterActivation: "mutation after activation"
            case .retargetAfterActivation: "retarget after activation"
            case .nonLeafRetarget: "non-leaf retarget"
            case .overResume: "over-resume"
            case .releaseWhileSuspended: "release while suspended"
            }
        instant(on: .thread(misuse.thread), at: misuse.time, .text(name), .misuse)
    }

    /// Writes a scheduling slice. Between two slices of the program, the processor is idle or used by another process;
    /// both are written as Perfetto's idle process, the swapper.
    func write(_ slice: ProcessorSlice, in model: DispatchModel) {
        guard let processor = slice.processor else { return }
        // A processor runs one thread at a time. When a record was lost and two slices overlap, cut the begin of the
        // later one.
        let begin = max(slice.begin, processorsFreeAt[processor] ?? .zero)
        guard begin < slice.end else { return }
        processorsFreeAt[processor] = slice.end
        let thread = PerfettoSwitch.Thread(
            tid: Int32(truncatingIfNeeded: model[slice.thread].tid), name: model[slice.thread].name)
        counts.schedulingSlices += 1
        file.append(
            .switches(
                processor: UInt64(clamping: processor),
                [
                    PerfettoSwitch(time: begin, previous: .idle, next: thread),
                    PerfettoSwitch(
                        time: slice.end, previous: thread, next: .idle, previousSleeps: slice.ending == .blocked),
                ]))
    }
}
