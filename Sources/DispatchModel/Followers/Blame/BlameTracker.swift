/// Sums the waiting times by pairs of waiting code and holding code, without visiting every waiting item.
///
/// ```
///   held by     ├──── a ─────┤├─ b ─┤
///   waiting of c   1    2  2    1        items
///   area           ├────┴────┤           number of waiting items, integrated over one hold
/// ```
///
/// Each hierarchy stores how many items of each code wait for it. When its holder releases it, the area under that
/// count is the total time that these items waited for the holder. The cost per item is proportional to the number of
/// different codes that wait.
struct BlameTracker: ~Copyable {
    struct Waiter {
        /// The code. For jobs of an executor with a queue, its bitwise complement: such jobs do not wait for each other
        /// here, because their tasks wait for the actor.
        let code: Int32
        var count: Int32 = 0
        /// Additional items that wait on suspended queues. They do not wait for the hierarchy.
        var suspended: Int32 = 0
        /// The next waiter of the same hierarchy; -1 for none.
        var next: Int32
        var since: Int64 = 0
        var area: Int64 = 0
    }
    struct Domain {
        let queue: QueueIndex
        var holder: Int32 = -1
        /// Whether the holder is a job of an executor with a queue.
        var isHeldByJob = false
        /// When the hold began.
        var heldSince: Int64 = 0
        /// The first of the codes that wait for it (-1 for none), and the number of these codes.
        var first: Int32 = -1
        var count: Int32 = 0
        /// Number of items that wait for it.
        var waiting: Int32 = 0
        /// Whether the number of waiting items changed during this hold.
        var hasUnattributedWaits = false
    }

    /// Limits of the codes per hierarchy and of the pairs. Further waits are attributed to unknown code.
    private static let waiterLimit = 16
    private static let pairLimit = 65_536

    /// Whether the trace records which task the job of an executor runs.
    var recordsTasks = false
    private var domains = RowTable<Domain>()
    /// Free entries of `domains`.
    private var freeDomains: [Int32] = []
    private var waiters = RowTable<Waiter>()
    private var pairs: [QueueBlame] = []
    /// By pair: the lead of its queue in the majority vote, in nanoseconds.
    private var lead: [Int64] = []
    private var pairPlaces = IdentifierTable(minimumCapacity: 256)
    /// Waiting items of queues that have been suspended, by position of the queue's ``Suspension``.
    var suspensible: [SuspensibleQueue] = []
    /// Free entries of `waiters`.
    private var freeWaiters = RowTable<Int32>()

    /// Restarts the sums. Current waiters and holders are kept.
    mutating func forgetTimes(before time: Int64) {
        pairs = []
        lead = []
        pairPlaces = IdentifierTable(minimumCapacity: 256)
        for waiter in waiters.indices {
            waiters[waiter].area = 0
            waiters[waiter].since = time
        }
    }

    /// Adds the hierarchy of an exclusion queue, or a concurrent queue. Returns its position.
    mutating func add(_ queue: QueueIndex) -> Int32 {
        if let place = freeDomains.popLast() {
            domains[Int(place)] = Domain(queue: queue)
            return place
        }
        domains.append(Domain(queue: queue))
        return Int32(domains.count - 1)
    }

    /// Reuses the memory of a hierarchy, unless it is held, or items wait for it.
    ///
    /// - Returns: whether the place is free.
    mutating func remove(_ domain: Int) -> Bool {
        guard domains[domain].holder < 0, domains[domain].waiting == 0 else { return false }
        var position = domains[domain].first
        while position >= 0 {
            guard waiters[Int(position)].isIdle, waiters[Int(position)].area == 0 else { return false }
            position = waiters[Int(position)].next
        }
        removeWaiters(of: domain) { _ in true }
        freeDomains.append(Int32(domain))
        return true
    }

    /// An item of this code starts to wait. `queue` is the position of its queue's ``Suspension``, -1 for none.
    ///
    /// - Returns: the code to which the wait is attributed.
    mutating func wait(for domain: Int, code: Int32, on queue: Int32, at time: Int64) -> Int32 {
        let waiter = waiter(of: domain, code: code, at: time)
        count(waiter, of: domain, by: 1, on: queue, at: time)
        return waiter.pointee.code
    }

    /// An item whose wait is attributed to this code stops waiting.
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

    /// The queue of items of this code, which wait for the hierarchy, was suspended or resumed.
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
            domain.pointee.hasUnattributedWaits = true
        }
        waiter.pointee.count += change
        domain.pointee.waiting += change
    }

    /// The entry of a code that waits for a hierarchy. Creates it if needed. Valid until another entry is created.
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
            // Remove codes without waiting items, unless their wait for the current hold is not accounted yet.
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

    /// An item of this code starts to hold the hierarchy. A place of -1 means that no item has waited for it yet.
    @inline(__always)
    mutating func hold(_ place: Int32, code: Int32, isJob: Bool = false, at time: Int64) {
        guard place >= 0 else { return }
        if domains.place(of: Int(place)).pointee.holder >= 0 { attributeWaits(Int(place), at: time) }
        let domain = domains.place(of: Int(place))
        domain.pointee.holder = code
        domain.pointee.isHeldByJob = isJob
        domain.pointee.heldSince = time
    }

    /// The holder releases the hierarchy.
    @inline(__always)
    mutating func release(_ place: Int32, at time: Int64) {
        guard place >= 0, domains.place(of: Int(place)).pointee.holder >= 0 else { return }
        attributeWaits(Int(place), at: time)
        domains.place(of: Int(place)).pointee.holder = -1
    }

    @inline(__always)
    private mutating func attributeWaits(_ place: Int, at time: Int64) {
        let domain = domains.place(of: place)
        guard domain.pointee.waiting > 0 || domain.pointee.hasUnattributedWaits else { return }
        domain.pointee.hasUnattributedWaits = false
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

    private mutating func add(_ time: Int64, waiter: Int32, holder: Int32, queue: QueueIndex) {
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
                queue: queue, time: Nanoseconds(time), holdings: 1))
    }

    /// Boyer-Moore majority vote: finds the queue with more than half of a pair's time in constant memory.
    private mutating func vote(_ pair: Int, for queue: QueueIndex, _ time: Int64) {
        if pairs[pair].queue == queue {
            lead[pair] += time
        } else if lead[pair] >= time {
            lead[pair] -= time
        } else {
            pairs[pair].queue = queue
            lead[pair] = time - lead[pair]
        }
    }

    /// All pairs, the longest first. Call at the end of the trace, after running items have ended.
    var blame: [QueueBlame] {
        pairs.sorted {
            $0.time != $1.time ? $0.time > $1.time : ($0.waiter, $0.holder) < ($1.waiter, $1.holder)
        }
    }
}

extension BlameTracker.Waiter {
    /// Whether no wait is attributed to it.
    var isIdle: Bool { count == 0 && suspended == 0 }

    /// Waiting time of all waiting items for the current holder, since their number last changed.
    @inline(__always)
    func area(until time: Int64, heldSince: Int64) -> Int64 { Int64(count) * max(0, time - max(since, heldSince)) }
}
