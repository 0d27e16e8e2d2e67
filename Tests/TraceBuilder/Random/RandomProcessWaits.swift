import DispatchModel

// The ends of operations and of waits.
extension RandomProcess {
    /// Ends the innermost operation of a thread.
    mutating func end(_ thread: Int) {
        switch threads[thread].frames.removeLast() {
        case .item(let id, let queue, let short, let group):
            record(short ? .calloutEnd(.init()) : .itemEnd(.init(item: id)), thread)
            unfinished.remove(id)
            giveBack(queue)
            if let group { leave(group, thread) }
        case .sync(let id, let queue, let waited):
            record(id == nil ? .calloutEnd(.init()) : .itemEnd(.init(item: id!)), thread)
            giveBack(queue)
            if let id {
                unfinished.remove(id)
                if waited { record(.syncReturn(.init(item: id)), thread) }
            }
        case .apply(let number):
            if applies[number].next < applies[number].iterations {
                threads[thread].frames.append(.apply(number))
                iterate(number, thread)
            } else if applies[number].running == 0 {
                record(.applyEnd(.init(apply: applies[number].id, threads: 1)), thread)
            } else {
                threads[thread].frames.append(.apply(number))
            }
        case .iteration(let number):
            record(.applyIterationEnd(.init(apply: applies[number].id)), thread)
            applies[number].running -= 1
        case .lock(let number):
            record(.lockRelease(.init(lock: locks[number].id)), thread)
            locks[number].holder = 0
        }
    }

    mutating func iterate(_ number: Int, _ thread: Int) {
        record(
            .applyIterationBegin(.init(apply: applies[number].id, iteration: UInt64(applies[number].next))), thread)
        applies[number].next += 1
        applies[number].running += 1
        threads[thread].frames.append(.iteration(number))
    }

    mutating func leave(_ group: Int, _ thread: Int) {
        record(.groupLeave(.init(group: groups[group].id)), thread)
        groups[group].count -= 1
        guard groups[group].count == 0 else { return }
        for (item, queue) in groups[group].notify {
            record(
                .itemEnqueue(
                    .init(item: item, queue: queues[queue].serial, code: 0, kind: .notify, qos: .default)), thread)
            queues[queue].pending.append(Pending(id: item, due: now, isSync: false, isBarrier: false, group: nil))
        }
        groups[group].notify = []
    }

    /// Lets a waiting thread continue when its condition is true, or time out.
    mutating func goOn(_ thread: Int) {
        let givesUp: UInt8 = chance(8) ? 1 : 0
        switch threads[thread].want! {
        case .semaphore(let number):
            guard semaphores[number].value > 0 || givesUp == 1 else { return }
            if givesUp == 0 { semaphores[number].value -= 1 }
            record(.semaphoreWaitEnd(.init(semaphore: semaphores[number].id, timedOut: givesUp)), thread)
        case .group(let number):
            guard groups[number].count == 0 || givesUp == 1 else { return }
            let timedOut: UInt8 = groups[number].count == 0 ? 0 : 1
            record(.groupWaitEnd(.init(group: groups[number].id, timedOut: timedOut)), thread)
        case .item(let id):
            guard !unfinished.contains(id) || givesUp == 1 else { return }
            record(.itemWaitEnd(.init(item: id, timedOut: unfinished.contains(id) ? 1 : 0)), thread)
        case .lock(let number):
            guard locks[number].holder == 0 else { return }
            acquire(number, thread)
        case .sync(let id, let queue):
            let exclusive = !queues[queue].isConcurrent
            guard let first = firstDue(queue), queues[queue].pending[first].id == id,
                isFree(queue, exclusive: exclusive), !isSuspended(queue)
            else { return }
            queues[queue].pending.remove(at: first)
            let from = domains[queues[queue].domain]?.holder ?? 0
            record(.syncHandoff(.init(item: id, queue: queues[queue].serial, fromTid: from)), thread)
            record(.itemBegin(.init(item: id, queue: queues[queue].serial)), thread)
            take(queue, exclusive: exclusive, thread)
            threads[thread].frames.append(.sync(id: id, queue: queue, waited: true))
        }
        threads[thread].want = nil
    }

    mutating func acquire(_ number: Int, _ thread: Int) {
        record(.lockAcquire(.init(lock: locks[number].id, code: site())), thread)
        locks[number].holder = threads[thread].tid
        threads[thread].frames.append(.lock(number))
    }

    /// Lets an idle worker search for work.
    mutating func work(_ thread: Int) {
        guard threads[thread].isStarted else {
            record(.workerStart(.init(root: root)), thread)
            threads[thread].isStarted = true
            return
        }
        if threads[thread].isParked {
            record(.workerUnpark(.init(root: root)), thread)
            threads[thread].isParked = false
            return
        }
        if let number = applies.indices.last(where: { applies[$0].next < applies[$0].iterations }), chance(2) {
            return iterate(number, thread)
        }
        if let number = sources.indices.randomElement(using: &random), sources[number].isActive,
            !sources[number].isSuspended, chance(3)
        {
            return fire(number, thread)
        }
        for queue in queues.indices.shuffled(using: &random) {
            if runFirst(of: queue, thread) { return }
        }
        if chance(40) {
            record(.workerExit(.init(root: root)), thread)
            record(.threadExit(.init(tid: threads[thread].tid)), thread)
            threads[thread].isStarted = false
        } else {
            record(.workerPark(.init(root: root)), thread)
            threads[thread].isParked = true
        }
    }

    private mutating func runFirst(of queue: Int, _ thread: Int) -> Bool {
        guard let first = firstDue(queue), !isSuspended(queue) else { return false }
        let next = queues[queue].pending[first]
        guard !next.isSync else { return false }
        let exclusive = !queues[queue].isConcurrent || next.isBarrier
        guard isFree(queue, exclusive: exclusive) else { return false }
        queues[queue].pending.remove(at: first)
        let short = chance(2)
        record(
            short
                ? .calloutBegin(.init(item: next.id))
                : .itemBegin(.init(item: next.id, queue: queues[queue].serial)), thread)
        take(queue, exclusive: exclusive, thread)
        threads[thread].frames = [.item(id: next.id, queue: queue, short: short, group: next.group)]
        return true
    }

    private mutating func fire(_ number: Int, _ thread: Int) {
        let source = sources[number]
        guard isFree(source.queue, exclusive: true), !isSuspended(source.queue) else { return }
        let id = trace.item()
        if source.type == .timer { record(.timerFire(.init(source: source.id, fires: 1)), thread) }
        let serial = queues[source.queue].serial
        record(.sourceFire(.init(source: source.id, item: id, queue: serial, code: site(), data: 1)), thread)
        record(.itemBegin(.init(item: id, queue: serial)), thread)
        take(source.queue, exclusive: true, thread)
        threads[thread].frames = [.item(id: id, queue: source.queue, short: false, group: nil)]
    }
}
