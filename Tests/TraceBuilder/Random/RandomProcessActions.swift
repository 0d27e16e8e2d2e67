import DispatchModel

// The random actions of a running thread.
extension RandomProcess {
    mutating func act(_ thread: Int) {
        switch Int.random(in: 0..<30, using: &random) {
        case 0..<8: submit(thread)
        case 8..<12: sync(thread)
        case 12..<14: signal(thread)
        case 14..<16: wait(thread)
        case 16: changeGroup(thread)
        case 17..<19: lock(thread)
        case 19: apply(thread)
        case 20..<22: changeSource(thread)
        case 22: suspendOrResume(thread)
        case 23: signpost(thread)
        case 24: note(thread)
        case 25: misuse(thread)
        case 26: setUpQueue(thread)
        case 27: submitSwiftJob(thread)
        default: break
        }
    }

    private mutating func queue() -> Int { Int.random(in: queues.indices, using: &random) }

    private mutating func submit(_ thread: Int) {
        let queue = queue()
        let id = trace.item()
        let group = chance(4) ? Int.random(in: groups.indices, using: &random) : nil
        let delay = group == nil && chance(5) ? Double(Int.random(in: 1...40, using: &random)) : 0
        let isBarrier = delay == 0 && queues[queue].isConcurrent && chance(3)
        if let group { enter(group, thread) }
        record(
            .itemEnqueue(
                .init(
                    item: id, queue: queues[queue].serial, code: site(), kind: delay > 0 ? .after : .async,
                    qos: chance(3) ? .userInitiated : .default)), thread)
        if delay > 0 { record(.itemDelay(.init(item: id, delay: UInt64(delay * 1_000))), thread) }
        if isBarrier { record(.itemBarrier(.init(item: id)), thread) }
        if chance(10) { record(.workerRequest(.init(root: root, count: 1)), thread) }
        if chance(20) { record(.workerCreate(.init(root: root)), thread) }
        unfinished.insert(id)
        queues[queue].pending.append(
            Pending(id: id, due: now + delay, isSync: false, isBarrier: isBarrier, group: group))
        if delay == 0, group == nil, chance(30) {
            record(.itemCancel(.init(item: id)), thread)
            queues[queue].pending.removeLast()
            unfinished.remove(id)
        }
    }

    private mutating func submitSwiftJob(_ thread: Int) {
        let id = trace.item()
        record(
            .itemEnqueue(.init(item: id, queue: queues[3].serial, code: site(), kind: .swiftJob, qos: .default)), thread
        )
        unfinished.insert(id)
        queues[3].pending.append(Pending(id: id, due: now, isSync: false, isBarrier: false, group: nil))
    }

    private mutating func sync(_ thread: Int) {
        let queue = queue()
        guard mayTake(queue, thread), mayWait(thread) else { return }
        let serial = queues[queue].serial
        let exclusive = !queues[queue].isConcurrent
        let isFree = isFree(queue, exclusive: exclusive) && !isSuspended(queue) && firstDue(queue) == nil
        if isFree, chance(2) {
            record(.syncBegin(.init(queue: serial, code: site(), barrier: exclusive ? 1 : 0)), thread)
            take(queue, exclusive: exclusive, thread)
            threads[thread].frames.append(.sync(id: nil, queue: queue, waited: false))
            return
        }
        let id = trace.item()
        let holder = domains[queues[queue].domain]?.holder ?? 0
        let code = site()
        if isFree {
            record(.syncEnter(.init(item: id, queue: serial, code: code, kind: .asyncAndWait, qos: .default)), thread)
            record(.itemBegin(.init(item: id, queue: serial)), thread)
            take(queue, exclusive: exclusive, thread)
            threads[thread].frames.append(.sync(id: id, queue: queue, waited: true))
        } else {
            if chance(2) {
                record(.syncEnter(.init(item: id, queue: serial, code: code, kind: .sync, qos: .default)), thread)
                record(.syncBlock(.init(item: id, queue: serial, holderTid: holder)), thread)
            } else {
                record(
                    .syncWait(
                        .init(
                            item: id, queue: serial, code: code, kind: .sync, qos: .default, level: serial,
                            holderTid: holder)), thread)
            }
            queues[queue].pending.append(Pending(id: id, due: now, isSync: true, isBarrier: false, group: nil))
            threads[thread].want = .sync(id, queue: queue)
        }
        unfinished.insert(id)
    }

    private mutating func signal(_ thread: Int) {
        let number = Int.random(in: semaphores.indices, using: &random)
        record(.semaphoreSignal(.init(semaphore: semaphores[number].id, code: site())), thread)
        semaphores[number].value += 1
    }

    private mutating func wait(_ thread: Int) {
        guard threads[thread].frames.isEmpty || chance(4), mayWait(thread) else { return }
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            let number = Int.random(in: semaphores.indices, using: &random)
            record(.semaphoreWaitBegin(.init(semaphore: semaphores[number].id, code: site())), thread)
            threads[thread].want = .semaphore(number)
        case 1:
            let number = Int.random(in: groups.indices, using: &random)
            record(.groupWaitBegin(.init(group: groups[number].id, code: site())), thread)
            threads[thread].want = .group(number)
        default:
            guard let id = unfinished.sorted().randomElement(using: &random) else { return }
            record(.itemWaitBegin(.init(item: id, code: site())), thread)
            threads[thread].want = .item(id)
        }
    }

    private mutating func enter(_ group: Int, _ thread: Int) {
        record(.groupEnter(.init(group: groups[group].id)), thread)
        groups[group].count += 1
    }

    private mutating func changeGroup(_ thread: Int) {
        let group = Int.random(in: groups.indices, using: &random)
        let queue = queue()
        let id = trace.item()
        guard groups[group].count > 0 else { return }
        record(
            .groupNotify(.init(group: groups[group].id, item: id, queue: queues[queue].serial, code: site())), thread)
        groups[group].notify.append((id, queue))
    }

    private mutating func lock(_ thread: Int) {
        let number = Int.random(in: locks.indices, using: &random)
        guard mayLock(number, thread) else { return }
        if locks[number].holder == 0 { return acquire(number, thread) }
        record(
            .lockWait(.init(lock: locks[number].id, code: site(), holderTid: locks[number].holder)), thread)
        threads[thread].want = .lock(number)
    }

    private mutating func apply(_ thread: Int) {
        let call = Apply(id: trace.object(), iterations: Int.random(in: 1...6, using: &random))
        record(
            .applyBegin(.init(apply: call.id, queue: root, code: site(), iterations: UInt64(call.iterations))), thread)
        applies.append(call)
        threads[thread].frames.append(.apply(applies.count - 1))
    }

    private mutating func changeSource(_ thread: Int) {
        guard let number = sources.indices.randomElement(using: &random) else { return }
        let source = sources[number]
        if source.type == .timer, chance(2) {
            record(
                .timerConfigure(
                    .init(source: source.id, delay: 5_000, interval: 9_000, leeway: 100, code: site())), thread)
        } else if !source.isActive {
            record(.objectActivate(.init(object: source.id, kind: .source, code: site(), stack: 1)), thread)
            sources[number].isActive = true
        } else if source.type == .dataAdd, chance(2) {
            record(.sourceMerge(.init(source: source.id, data: 3, code: site())), thread)
        } else if source.isSuspended {
            record(.objectResume(.init(object: source.id, kind: .source, code: site())), thread)
            sources[number].isSuspended = false
        } else if chance(2) {
            record(.objectSuspend(.init(object: source.id, kind: .source, code: site(), stack: 1)), thread)
            sources[number].isSuspended = true
        } else if chance(6) {
            record(.sourceCancel(.init(source: source.id, code: site())), thread)
            record(.sourceDispose(.init(source: source.id)), thread)
            sources.remove(at: number)
        }
    }

    private mutating func suspendOrResume(_ thread: Int) {
        let queue = queues.indices.first { queues[$0].suspensions > 0 } ?? queue()
        let object = UInt64(queues[queue].serial)
        if queues[queue].suspensions > 0 {
            record(.objectResume(.init(object: object, kind: .queue, code: site())), thread)
            queues[queue].suspensions -= 1
        } else if chance(3) {
            record(.objectSuspend(.init(object: object, kind: .queue, code: site(), stack: 1)), thread)
            queues[queue].suspensions += 1
        }
    }

    private mutating func signpost(_ thread: Int) {
        let code = signpostCode
        if !signposts.isEmpty, chance(2) {
            let id = signposts.removeFirst()
            record(.signpostEnd(.init(signpost: id, log: 1, code: code, message: "")), thread)
        } else {
            let id = trace.object()
            record(.signpostBegin(.init(signpost: id, log: 1, code: code, message: "a;b\"c")), thread)
            signposts.append(id)
            record(.signpostEvent(.init(signpost: id, log: 1, code: code, message: "point")), thread)
        }
    }

    private mutating func note(_ thread: Int) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            record(
                .threadTimes(.init(tid: threads[thread].tid, onCpu: UInt64(now * 500), runDelay: 10, slices: 3)), thread
            )
        case 1: trace.add(.dispatchLog(.init(tid: threads[thread].tid, message: "a message")), at: now)
        default: if chance(8) { addTrackEvents() }
        }
    }

    /// Events of the processor track: lost switches, a pause in the recording of another thread's switches, and the
    /// clock.
    private mutating func addTrackEvents() {
        let other: UInt32 = 4_000_000
        trace.add(.switchesLost(.init(switches: 2)), at: now)
        trace.add(.switchesPauseBegin(.init(tid: other)), at: now)
        trace.add(.switchesPauseEnd(.init(tid: other)), at: now)
        trace.add(.clockSync(.init(ticks: 0, monotonic: 0, realtime: 0, boottime: 0, strayed: 0)), at: now)
        guard chance(4) else { return }
        trace.add(.recordingStop(.init()), at: now)
        // All items are recorded: other checks compare the events with the observations.
        trace.add(.samplingRate(.init(oneOf: 1, cause: .started, budget: 10_000, cost: 0)), at: now)
    }

    private mutating func misuse(_ thread: Int) {
        let (object, code) = (UInt64(queues[queue()].serial), site())
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            guard let source = sources.first else { return }
            record(
                .mutationAfterActivation(
                    .init(
                        object: source.id, kind: .source, handler: .event, code: code, stack: 1, activationCode: code,
                        activationStack: 1)), thread)
        case 1:
            record(
                .retargetAfterActivation(
                    .init(
                        object: object, kind: .queue, from: root, to: root, code: code, stack: 1, activationCode: code,
                        activationStack: 1)), thread)
        case 2:
            record(
                .nonLeafRetarget(
                    .init(
                        object: object, kind: .queue, from: root, to: root, code: code, stack: 1, activationCode: code,
                        activationStack: 1)), thread)
        case 3:
            record(
                .overResume(
                    .init(
                        object: object, kind: .queue, code: code, stack: 1, activationCode: code, activationStack: 1)),
                thread)
        default:
            record(
                .releaseWhileSuspended(
                    .init(
                        object: object, kind: .queue, inactive: 0, code: code, stack: 1, activationCode: code,
                        activationStack: 1)), thread)
        }
    }

    /// Creates a queue, sets it up and releases it.
    private mutating func setUpQueue(_ thread: Int) {
        let serial = trace.queue("app.temporary", width: 1, target: 0, flags: 16, at: now)
        record(.queueSetTarget(.init(queue: serial, target: queues[3].serial, code: site())), thread)
        record(.objectActivate(.init(object: UInt64(serial), kind: .queue, code: site(), stack: 1)), thread)
        if chance(2) { record(.queueDispose(.init(queue: serial)), thread) }
    }
}
