/// The position of an open item in ``ItemSlots``.
struct Slot: Hashable, RowIndex {
    let rawValue: Int32
    @inline(__always)
    init(_ position: Int) { rawValue = Int32(truncatingIfNeeded: position) }
    @inline(__always)
    var position: Int { Int(rawValue) }
    @inline(__always)
    static func < (left: Slot, right: Slot) -> Bool { left.rawValue < right.rawValue }
}

/// The open items. Slots of ended items are reused, so memory grows with the items in flight only.
struct ItemSlots: ~Copyable {
    private var rows = RowTable<OpenItem>(minimumCapacity: 256)
    private let template = ItemTemplate()
    private var detailsPool = DetailsPool()
    private var free = RowTable<Slot>(minimumCapacity: 256)
    private var index = ItemIndex()
    private var nextNumber: Int64 = 0

    /// All slots, also the free ones.
    var indices: [Slot] { rows.indices.map { Slot($0) } }

    /// The address of the item in a slot. It is valid until a slot is taken.
    @inline(__always)
    func place(of slot: Slot) -> UnsafeMutablePointer<OpenItem> { rows.place(of: slot) }

    subscript(slot: Slot) -> OpenItem {
        @inline(__always)
        unsafeAddress { UnsafePointer(rows.place(of: slot)) }
        @inline(__always)
        unsafeMutableAddress { rows.place(of: slot) }
    }

    /// Prefetches the item in a slot.
    @inline(__always)
    func prepare(_ slot: Slot) { rows.prepare(slot.position) }

    /// Gives the item in a slot details of its own, if it has none.
    @inline(__always)
    mutating func giveDetails(to slot: Slot) {
        let item = rows.place(of: slot)
        guard !item.pointee.hasOwnDetails else { return }
        let own = detailsPool.take(like: item.pointee.details)
        if item.pointee.sharesDetails { release(item.pointee.details) }
        item.pointee.take(own)
    }

    private mutating func release(_ shared: UnsafeMutablePointer<OpenItem.Details>) {
        shared.pointee.references -= 1
        if shared.pointee.references == 0 { detailsPool.recycle(shared) }
    }

    /// Records that the running item `parent` submitted the item in `slot`. The first submitted item gets details of
    /// its own. Further asyncs share their details, because they can fill a queue.
    @inline(__always)
    mutating func join(_ slot: Slot, to parent: Slot) {
        let (item, outer) = (rows.place(of: slot), rows.place(of: parent))
        let isOwn = item.pointee.isSync || item.pointee.hasOwnDetails || item.pointee.sharesDetails
        if isOwn || !outer.pointee.hasSubmitted {
            giveDetails(to: slot)
            item.pointee.details.pointee.join(outer.pointee)
            outer.pointee.hasSubmitted = true
        } else {
            if outer.pointee.childDetails == nil { makeChildDetails(outer) }
            item.pointee.share(outer.pointee.childDetails!)
        }
    }

    private mutating func makeChildDetails(_ parent: UnsafeMutablePointer<OpenItem>) {
        let common = detailsPool.take(like: template.place.pointee.details)
        common.pointee.join(parent.pointee)
        common.pointee.references = 1
        parent.pointee.childDetails = common
    }

    /// The slot of the item with an id; nil when there is none.
    @inline(__always)
    func slot(of id: UInt64) -> Slot? {
        let position = index.slot(of: id, in: rows)
        return position < 0 ? nil : Slot(position)
    }

    /// Takes a slot for a new item without an id.
    @inline(__always)
    mutating func take(kind: ItemKind, queue: QueueIndex, at time: Int64) -> Slot {
        let slot: Slot
        if let reused = free.popLast() {
            slot = reused
            if free.count > 0 { rows.prepare(free[free.count - 1].position) }
        } else {
            slot = Slot(rows.count)
            rows.append(template.place.pointee)
        }
        let item = rows.place(of: slot)
        item.pointee = template.place.pointee
        item.pointee.number = takeNumber()
        item.pointee.state = .announced
        item.pointee.kind = kind
        item.pointee.queue = queue
        item.pointee.enqueuedAt = time
        return slot
    }

    /// Numbers the items in the order of their first record.
    @inline(__always)
    mutating func takeNumber() -> Int64 {
        nextNumber += 1
        return nextNumber - 1
    }

    /// Adds the item to the index under an id that no other item has.
    @inline(__always)
    mutating func give(_ id: UInt64, to slot: Slot) {
        let item = rows.place(of: slot)
        item.pointee.id = id
        index.insert(slot.position, in: rows)
        item.pointee.hasID = true
    }

    /// Removes the item's id from the index, because the recorder can reuse it.
    @inline(__always)
    mutating func releaseID(of slot: Slot) {
        let item = rows.place(of: slot)
        guard item.pointee.hasID else { return }
        item.pointee.hasID = false
        index.remove(slot.position, in: rows)
    }

    /// Releases the slot of an item that has ended.
    @inline(__always)
    mutating func recycle(_ slot: Slot) {
        releaseID(of: slot)
        let item = rows.place(of: slot)
        item.pointee.state = .free
        if item.pointee.hasOwnDetails {
            if let common = item.pointee.childDetails { release(common) }
            detailsPool.recycle(item.pointee.details)
        } else if item.pointee.sharesDetails {
            release(item.pointee.details)
        }
        item.pointee.clearDetails()
        free.append(slot)
    }
}

/// The initial value of an item. It is in allocated memory, because Swift would copy a large value to the stack.
struct ItemTemplate: ~Copyable {
    let place = UnsafeMutablePointer<OpenItem>.allocate(capacity: 1)

    init() { place.initialize(to: OpenItem()) }

    deinit { place.deallocate() }
}

/// Allocates details at stable addresses. Few more are needed than there are threads, unless items
/// need them before they begin.
struct DetailsPool: ~Copyable {
    private static let blockSize = 64
    private var blocks: [UnsafeMutablePointer<OpenItem.Details>] = []
    /// The head of the free list, which is linked through `childDetails`.
    private var free: UnsafeMutablePointer<OpenItem.Details>?

    deinit { for block in blocks { block.deallocate() } }

    /// A copy of other details, which no item shares yet.
    @inline(__always)
    mutating func take(like other: UnsafeMutablePointer<OpenItem.Details>) -> UnsafeMutablePointer<OpenItem.Details> {
        if free == nil { addBlock() }
        let details = free!
        free = details.pointee.childDetails
        details.pointee = other.pointee
        details.pointee.references = 0
        return details
    }

    @inline(__always)
    mutating func recycle(_ details: UnsafeMutablePointer<OpenItem.Details>) {
        details.pointee.childDetails = free
        free = details
    }

    @inline(never)
    private mutating func addBlock() {
        let block = UnsafeMutablePointer<OpenItem.Details>.allocate(capacity: Self.blockSize)
        block.initialize(repeating: OpenItem.Details(), count: Self.blockSize)
        blocks.append(block)
        for place in (0..<Self.blockSize).reversed() { recycle(block + place) }
    }
}
