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
    struct Waiter {
        /// Its complement for the jobs of an executor that is a queue: they do not wait for each other here, as their
        /// tasks wait for the actor.
        let code: Int32
        var count: Int32 = 0
        /// How many more wait on queues that are suspended: the hierarchy does not keep these waiting.
        var suspended: Int32 = 0
        /// The next one of the same hierarchy, -1 for none.
        var next: Int32
        var since: Int64 = 0
        var area: Int64 = 0
    }
    struct Domain {
        let queue: Int32
        var holder: Int32 = -1
        /// It is such a job.
        var isHeldByJob = false
        /// Since when.
        var heldSince: Int64 = 0
        /// The first of the codes that wait for it, -1 for none, and how many they are.
        var first: Int32 = -1
        var count: Int32 = 0
        /// How many items wait for it.
        var waiting: Int32 = 0
        /// Who waits has changed during this holding.
        var isOwed = false
    }

    /// Codes that wait for one hierarchy, and pairs of codes; the rest is booked to unknown code.
    private static let waiterLimit = 16
    private static let pairLimit = 65_536

    private var domains = RowTable<Domain>()
    private var waiters = RowTable<Waiter>()
    private var pairs: [QueueBlame] = []
    /// By how much of their time the queue of each pair leads over the others.
    private var lead: [Int64] = []
    private var pairPlaces = IdentifierTable(minimumCapacity: 256)
    /// What waits on queues that were suspended, by the place of their suspensions.
    var suspensible: [SuspensibleQueue] = []
    /// Places of codes that waited that are free.
    private var freeWaiters = RowTable<Int32>()

    /// Begins to add up anew; who waits and who holds stays known.
    mutating func forgetTimes(before time: Int64) {
        pairs = []
        lead = []
        pairPlaces = IdentifierTable(minimumCapacity: 256)
        for waiter in waiters.indices {
            waiters[waiter].area = 0
            waiters[waiter].since = time
        }
    }

    /// A place for the hierarchy of an exclusion queue, or for a concurrent queue.
    mutating func add(_ queue: Int) -> Int32 {
        domains.append(Domain(queue: Int32(queue)))
        return Int32(domains.count - 1)
    }

    /// An item of this code waits from now on. `queue` is the place of its queue's suspensions, -1 for none.
    ///
    /// - Returns: the code that it is booked to.
    mutating func wait(for domain: Int, code: Int32, on queue: Int32, at time: Int64) -> Int32 {
        let waiter = waiter(of: domain, code: code, at: time)
        count(waiter, of: domain, by: 1, on: queue, at: time)
        return waiter.pointee.code
    }

    /// An item that is booked to this code waits no more.
    mutating func stopWaiting(for domain: Int, code: Int32, on queue: Int32, at time: Int64) {
        count(waiter(of: domain, code: code, at: time), of: domain, by: -1, on: queue, at: time)
    }

    @inline(__always)
    private mutating func count(
        _ waiter: UnsafeMutablePointer<Waiter>, of domain: Int, by change: Int32, on queue: Int32, at time: Int64
    ) {
        if queue >= 0, Int(queue) < suspensible.count, suspensible[Int(queue)].isFollowed {
            suspensible[Int(queue)].count(waiter.pointee.code, by: change)
            if suspensible[Int(queue)].isSuspended {
                waiter.pointee.suspended += change
                return
            }
        }
        self.change(domain, waiter, by: change, at: time)
    }

    /// Items of this code, which wait for the hierarchy, do so on a queue that is suspended now, or not any more.
    mutating func suspend(_ isSuspended: Bool, _ items: Int32, of domain: Int, code: Int32, at time: Int64) {
        let waiter = waiter(of: domain, code: code, at: time)
        change(domain, waiter, by: isSuspended ? -items : items, at: time)
        waiter.pointee.suspended += isSuspended ? items : -items
    }

    @inline(__always)
    private func change(_ domain: Int, _ waiter: UnsafeMutablePointer<Waiter>, by change: Int32, at time: Int64) {
        let domain = domains.place(of: domain)
        if domain.pointee.holder >= 0 {
            waiter.pointee.area += waiter.pointee.area(until: time, heldSince: domain.pointee.heldSince)
            waiter.pointee.since = time
            domain.pointee.isOwed = true
        }
        waiter.pointee.count += change
        domain.pointee.waiting += change
    }

    /// Where those of this code are that wait for a hierarchy, until others are added.
    @inline(__always)
    private mutating func waiter(of domain: Int, code: Int32, at time: Int64) -> UnsafeMutablePointer<Waiter> {
        var position = domains.place(of: domain).pointee.first
        while position >= 0 {
            let waiter = waiters.place(of: Int(position))
            if waiter.pointee.code == code { return waiter }
            position = waiter.pointee.next
        }
        return addWaiter(to: domain, code: code, at: time)
    }

    @inline(never)
    private mutating func addWaiter(to domain: Int, code: Int32, at time: Int64) -> UnsafeMutablePointer<Waiter> {
        if domains[domain].count >= Self.waiterLimit {
            // Codes that do not wait now make room, as long as a holding has not ended that they waited for.
            removeWaiters(of: domain) { $0.isIdle && $0.area == 0 && $0.code != 0 }
        }
        if domains[domain].count >= Self.waiterLimit, code != 0 { return waiter(of: domain, code: 0, at: time) }
        let waiter = Waiter(code: code, next: domains[domain].first, since: time)
        let place = freeWaiters.popLast() ?? Int32(waiters.count)
        if Int(place) < waiters.count { waiters[Int(place)] = waiter } else { waiters.append(waiter) }
        domains[domain].first = place
        domains[domain].count += 1
        return waiters.place(of: Int(place))
    }

    private mutating func removeWaiters(of domain: Int, where isUnwanted: (Waiter) -> Bool) {
        var kept: Int32 = -1
        var position = domains[domain].first
        while position >= 0 {
            let next = waiters[Int(position)].next
            if isUnwanted(waiters[Int(position)]) {
                freeWaiters.append(position)
                domains[domain].count -= 1
            } else {
                waiters[Int(position)].next = kept
                kept = position
            }
            position = next
        }
        domains[domain].first = kept
    }

    /// An item of this code holds the hierarchy from now on; -1 is one that nobody has waited for yet.
    @inline(__always)
    mutating func hold(_ place: Int32, code: Int32, isJob: Bool = false, at time: Int64) {
        guard place >= 0 else { return }
        if domains.place(of: Int(place)).pointee.holder >= 0 { book(Int(place), at: time) }
        let domain = domains.place(of: Int(place))
        domain.pointee.holder = code
        domain.pointee.isHeldByJob = isJob
        domain.pointee.heldSince = time
    }

    /// The holder gives it back.
    @inline(__always)
    mutating func letGo(_ place: Int32, at time: Int64) {
        guard place >= 0, domains.place(of: Int(place)).pointee.holder >= 0 else { return }
        book(Int(place), at: time)
        domains.place(of: Int(place)).pointee.holder = -1
    }

    @inline(__always)
    private mutating func book(_ place: Int, at time: Int64) {
        let domain = domains.place(of: place)
        guard domain.pointee.waiting > 0 || domain.pointee.isOwed else { return }
        domain.pointee.isOwed = false
        var position = domain.pointee.first
        while position >= 0 {
            let waiter = waiters.place(of: Int(position))
            let area = waiter.pointee.area + waiter.pointee.area(until: time, heldSince: domain.pointee.heldSince)
            waiter.pointee.area = 0
            waiter.pointee.since = time
            let (code, isJob) = (waiter.pointee.code, waiter.pointee.code < 0)
            if area > 0, !(isJob && domain.pointee.isHeldByJob) {
                add(area, waiter: isJob ? ~code : code, holder: domain.pointee.holder, queue: domain.pointee.queue)
            }
            position = waiter.pointee.next
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

extension BlameTracker.Waiter {
    /// Nobody is booked to it.
    var isIdle: Bool { count == 0 && suspended == 0 }

    /// Waiting time for the current holder, of all waiting items, since their number last changed.
    @inline(__always)
    func area(until time: Int64, heldSince: Int64) -> Int64 { Int64(count) * max(0, time - max(since, heldSince)) }
}
