/// Collects the requests for exclusive domains that are made while other domains are held. Requests with the same shape
/// are counted, so memory grows with the number of shapes.
struct DomainOrderTracker: ~Copyable {
    /// Limit of the number of shapes. Programs have some hundreds; further shapes are counted as omitted.
    private static let limit = 16_384
    /// Limit of the shapes that differ only in their queues. Without it, queues of 100,000 connections could displace
    /// all other shapes.
    private static let sameCodesLimit = 256

    /// Whether an observer needs the orders.
    let isFollowed: Bool
    private var shapes = IdentifierTable()
    /// Number of shapes, by the hash of their codes.
    private var shapesPerCodes: [UInt64: Int] = [:]
    private(set) var orders: [DomainOrder] = []
    private(set) var omitted = 0

    init(isFollowed: Bool) { self.isFollowed = isFollowed }

    /// Counts a request of a known shape, or of a shape beyond the limits. Returns false for a new shape that is to be
    /// added.
    @inline(__always)
    private mutating func repeats(_ shape: ShapeHash, thread: ThreadIndex, operation: Int64, at time: Int64) -> Bool {
        guard let known = shapes[shape.value] else {
            guard orders.count >= Self.limit || shapesPerCodes[shape.codes, default: 0] >= Self.sameCodesLimit
            else { return false }
            omitted += 1
            return true
        }
        orders[known].count += 1
        orders[known].last = Timestamp(nanoseconds: time)
        if orders[known].thread != thread { orders[known].isOnSeveralThreads = true }
        if (orders[known].operation?.rawValue ?? -1) != operation { orders[known].isOneOperation = false }
        return true
    }

    /// Counts or adds the request of a thread, unless the thread holds no other domain.
    ///
    /// - Parameters:
    ///   - innermost: the innermost item that runs on the thread.
    ///   - held: the locks and semaphores that the thread holds.
    mutating func request(
        _ wanted: HeldDomain.Domain, code: CodeIndex, at moment: Moment, innermost: Slot, of items: borrowing ItemSlots,
        held: [HeldDomain]
    ) {
        var hash = ShapeHash(wanted, code: code)
        let nothingHeld = hash.value
        var slot = innermost
        while !slot.isNone {
            if !items[slot].domain.isNone {
                hash.mix(.queue(items[slot].queue), code: items[slot].code.rawValue)
            }
            slot = items[slot].enclosing
        }
        for domain in held { hash.mix(domain.domain, code: domain.code.rawValue) }
        guard hash.value != nothingHeld else { return }
        let operation = innermost.isNone ? -1 : items[innermost].operation
        if repeats(hash, thread: moment.thread, operation: operation, at: moment.time) { return }
        let order = DomainOrder(
            held: Self.heldDomains(innermost, of: items, held), wanted: wanted, code: code, thread: moment.thread,
            first: moment.timestamp, last: moment.timestamp, operation: operation < 0 ? nil : ItemNumber(operation))
        add(order, shape: hash)
    }

    /// The domains that a thread holds, the most recently acquired first.
    private static func heldDomains(
        _ innermost: Slot, of items: borrowing ItemSlots, _ others: [HeldDomain]
    ) -> [HeldDomain] {
        var held = others
        var slot = innermost
        while !slot.isNone {
            if !items[slot].domain.isNone {
                held.append(
                    HeldDomain(
                        domain: .queue(items[slot].queue), code: items[slot].code,
                        since: Timestamp(nanoseconds: items[slot].beganAt), item: ItemNumber(items[slot].number)))
            }
            slot = items[slot].enclosing
        }
        return held.enumerated().sorted { ($1.element.since, $0.offset) < ($0.element.since, $1.offset) }.map(\.element)
    }

    private mutating func add(_ order: DomainOrder, shape: ShapeHash) {
        shapes.insert(shape.value, orders.count)
        shapesPerCodes[shape.codes, default: 0] += 1
        orders.append(order)
    }
}

/// Two hashes of the shape of a request: of its domains and codes, and of its codes only.
struct ShapeHash {
    private(set) var value: UInt64
    private(set) var codes: UInt64 = 0

    init(_ domain: HeldDomain.Domain, code: CodeIndex) {
        value = 0
        mix(domain, code: code.rawValue)
    }

    @inline(__always)
    mutating func mix(_ domain: HeldDomain.Domain, code: Int32) {
        let place: UInt64 =
            switch domain {
            case .queue(let queue): UInt64(UInt32(bitPattern: queue.rawValue))
            case .lock(let lock): UInt64(UInt32(bitPattern: lock.rawValue)) | 1 << 62
            case .semaphore(let semaphore): UInt64(UInt32(bitPattern: semaphore.rawValue)) | 1 << 61
            }
        Self.mix(place, into: &value)
        Self.mix(UInt64(UInt32(bitPattern: code)), into: &value)
        Self.mix(UInt64(UInt32(bitPattern: code)), into: &codes)
    }

    @inline(__always)
    private static func mix(_ part: UInt64, into hash: inout UInt64) {
        hash = (hash ^ part &+ 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
        hash ^= hash >> 29
    }
}
