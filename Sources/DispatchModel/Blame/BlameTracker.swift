/// Adds up who waits for whom, by code, without a visit to every waiting item.
///
/// ```
///   held by     ├──── a ─────┤├─ b ─┤
///   waiting of c   1    2  2    1        items
///   area           ├────┴────┤           the number of waiting items, integrated over one holding
/// ```
///
/// A hierarchy knows how many items of each code wait for it. When its holder gives it back, the area under that count
/// is how long they waited for the holder, all together. The cost per item is the number of different codes that wait.
struct BlameTracker: ~Copyable {
    private struct Waiter {
        let code: Int32
        var count: Int32 = 0
        var since: Int64 = 0
        var area: Int64 = 0
    }
    private struct Domain {
        let queue: Int32
        var holder: Int32 = -1
        var waiters: [Waiter] = []
    }

    /// Codes that wait for one hierarchy, and pairs of codes; the rest is booked to unknown code.
    private static let waiterLimit = 16
    private static let pairLimit = 65_536

    private var domains: [Domain] = []
    private var pairs: [QueueBlame] = []
    /// By how much of their time the queue of each pair leads over the others.
    private var lead: [Int64] = []
    private var pairPlaces = IdentifierTable(minimumCapacity: 256)

    /// Begins to add up anew; who waits and who holds stays known.
    mutating func forgetTimes(before time: Int64) {
        pairs = []
        lead = []
        pairPlaces = IdentifierTable(minimumCapacity: 256)
        for domain in domains.indices {
            for waiter in domains[domain].waiters.indices {
                domains[domain].waiters[waiter].area = 0
                domains[domain].waiters[waiter].since = time
            }
        }
    }

    /// A place for the hierarchy of an exclusion queue, or for a concurrent queue.
    mutating func add(_ queue: Int) -> Int32 {
        domains.append(Domain(queue: Int32(queue)))
        return Int32(domains.count - 1)
    }

    /// An item of this code waits from now on. Returns the code that it is booked to.
    mutating func wait(for domain: Int, code: Int32, at time: Int64) -> Int32 {
        let waiter = waiter(of: domain, code: code, at: time)
        change(domain, waiter, by: 1, at: time)
        return domains[domain].waiters[waiter].code
    }

    /// An item that is booked to this code waits no more.
    mutating func stopWaiting(for domain: Int, code: Int32, at time: Int64) {
        let waiter = waiter(of: domain, code: code, at: time)
        change(domain, waiter, by: -1, at: time)
    }

    @inline(__always)
    private mutating func change(_ domain: Int, _ waiter: Int, by change: Int32, at time: Int64) {
        if domains[domain].holder >= 0 {
            let passed = max(0, time - domains[domain].waiters[waiter].since)
            domains[domain].waiters[waiter].area += Int64(domains[domain].waiters[waiter].count) * passed
            domains[domain].waiters[waiter].since = time
        }
        domains[domain].waiters[waiter].count += change
    }

    @inline(__always)
    private mutating func waiter(of domain: Int, code: Int32, at time: Int64) -> Int {
        for position in domains[domain].waiters.indices where domains[domain].waiters[position].code == code {
            return position
        }
        return addWaiter(to: domain, code: code, at: time)
    }

    @inline(never)
    private mutating func addWaiter(to domain: Int, code: Int32, at time: Int64) -> Int {
        let isFull = domains[domain].waiters.count >= Self.waiterLimit
        if isFull {
            // Codes that do not wait now make room, as long as a holding has not ended that they waited for.
            domains[domain].waiters.removeAll { $0.count == 0 && $0.area == 0 && $0.code != 0 }
        }
        if domains[domain].waiters.count >= Self.waiterLimit, code != 0 {
            return waiter(of: domain, code: 0, at: time)
        }
        domains[domain].waiters.append(Waiter(code: code, since: time))
        return domains[domain].waiters.count - 1
    }

    /// An item of this code holds the hierarchy from now on; -1 is one that nobody has waited for yet.
    @inline(__always)
    mutating func hold(_ place: Int32, code: Int32, at time: Int64) {
        guard place >= 0 else { return }
        let domain = Int(place)
        if domains[domain].holder >= 0 { book(domain, at: time) }
        domains[domain].holder = code
        for waiter in domains[domain].waiters.indices { domains[domain].waiters[waiter].since = time }
    }

    /// The holder gives it back.
    @inline(__always)
    mutating func letGo(_ place: Int32, at time: Int64) {
        guard place >= 0, case let domain = Int(place), domains[domain].holder >= 0 else { return }
        book(domain, at: time)
        domains[domain].holder = -1
    }

    private mutating func book(_ domain: Int, at time: Int64) {
        let holder = domains[domain].holder
        for waiter in domains[domain].waiters.indices {
            let entry = domains[domain].waiters[waiter]
            let area = entry.area + Int64(entry.count) * max(0, time - entry.since)
            domains[domain].waiters[waiter].area = 0
            domains[domain].waiters[waiter].since = time
            if area > 0 { add(area, waiter: entry.code, holder: holder, queue: domains[domain].queue) }
        }
    }

    private mutating func add(_ time: Int64, waiter: Int32, holder: Int32, queue: Int32) {
        var key = UInt64(UInt32(bitPattern: waiter)) << 32 | UInt64(UInt32(bitPattern: holder))
        if pairs.count >= Self.pairLimit, pairPlaces[key] == nil { key = 0 }
        if let known = pairPlaces[key] {
            pairs[known].time += Nanoseconds(time)
            pairs[known].holdings += 1
            vote(known, for: queue, time)
            return
        }
        pairPlaces.insert(key, pairs.count)
        lead.append(time)
        pairs.append(
            QueueBlame(
                waiter: CodeIndex(Int(key >> 32)), holder: CodeIndex(Int(key & 0xffff_ffff)),
                queue: QueueIndex(Int(queue)), time: Nanoseconds(time), holdings: 1))
    }

    /// Boyer and Moore's vote: the queue with more than half of a pair's time wins, in constant memory.
    private mutating func vote(_ pair: Int, for queue: Int32, _ time: Int64) {
        if pairs[pair].queue.rawValue == queue {
            lead[pair] += time
        } else if lead[pair] >= time {
            lead[pair] -= time
        } else {
            pairs[pair].queue = QueueIndex(Int(queue))
            lead[pair] = time - lead[pair]
        }
    }

    /// All pairs, the longest first. Call when the trace is over, and what runs has ended.
    var blame: [QueueBlame] {
        pairs.sorted {
            $0.time != $1.time ? $0.time > $1.time : ($0.waiter, $0.holder) < ($1.waiter, $1.holder)
        }
    }
}

// What waits for which hierarchy: an item from its submission, or its due time, to its begin.
extension ItemTracker {
    /// The item waits in its queue, and is due.
    @inline(__always)
    mutating func contend(_ slot: Int, at time: Int64, in state: inout ModelState) {
        let queue = Int(items[slot].queue)
        let exclusion = state.forest.exclusion(of: queue)
        let domain = exclusion >= 0 ? exclusion : state.forest.activity[queue].honoursBarriers ? queue : -1
        guard domain >= 0 else { return }
        if state.forest.activity[domain].blame < 0 { startBlame(of: domain, at: time, in: &state) }
        items[slot].contends = state.forest.activity[domain].blame
        items[slot].contendsAs = state.blame.wait(for: Int(items[slot].contends), code: items[slot].code, at: time)
    }

    /// Somebody waits for the hierarchy for the first time. Who holds it now is not known, unless nobody does.
    @inline(never)
    private func startBlame(of domain: Int, at time: Int64, in state: inout ModelState) {
        let place = state.blame.add(domain)
        state.forest.activity[domain].blame = place
        let activity = state.forest.activity[domain]
        guard activity.domain.isBusy || activity.writers.isBusy else { return }
        state.blame.hold(place, code: holderCode(of: domain), at: time)
    }

    /// The code of the item that holds a hierarchy. Complexity: O(items in flight), once per hierarchy.
    private func holderCode(of domain: Int) -> Int32 {
        let holder = items.indices.last { slot in
            let isWriter = items[slot].domain < 0 && items[slot].queue == domain && items[slot].isBarrier
            return items[slot].state == .running && (items[slot].domain == domain || isWriter)
        }
        return holder.map { items[$0].code } ?? 0
    }

    /// It begins, or is gone.
    @inline(__always)
    mutating func stopContending(_ slot: Int, at time: Int64, in state: inout ModelState) {
        guard items[slot].contends >= 0 else { return }
        state.blame.stopWaiting(for: Int(items[slot].contends), code: items[slot].contendsAs, at: time)
        items[slot].contends = -1
    }

    /// The hierarchy of these queues changed: what waits there waits for other queues now.
    mutating func contendAgain(on queues: [Int], at time: Int64, in state: inout ModelState) {
        for queue in queues {
            for list in [state.forest.activity[queue].ordered, state.forest.activity[queue].unordered] {
                var slot = Int(list.first)
                while slot >= 0 {
                    stopContending(slot, at: time, in: &state)
                    if !items[slot].isDelayed { contend(slot, at: time, in: &state) }
                    slot = Int(items[slot].next)
                }
            }
        }
    }
}
