/// The open items. Slots of ended items are reused, so memory grows with the items in flight only.
struct ItemSlots: ~Copyable {
    private var rows = RowTable<OpenItem>(minimumCapacity: 256)
    private let fresh = FreshItem()
    private var rests = RestPool()
    private var free = RowTable<Int32>(minimumCapacity: 256)
    private var index = ItemIndex()
    private var nextNumber: Int64 = 0

    var indices: Range<Int> { rows.indices }

    /// The address of the item in a slot. It is valid until a slot is taken.
    @inline(__always)
    func place(of slot: Int) -> UnsafeMutablePointer<OpenItem> { rows.place(of: slot) }

    subscript(slot: Int) -> OpenItem {
        @inline(__always)
        unsafeAddress { UnsafePointer(rows.place(of: slot)) }
        @inline(__always)
        unsafeMutableAddress { rows.place(of: slot) }
    }

    /// Prefetches the item in a slot.
    @inline(__always)
    func prepare(_ slot: Int) { rows.prepare(slot) }

    /// Gives the item in a slot a rest of its own, if it has none.
    @inline(__always)
    mutating func giveRest(to slot: Int) {
        let item = rows.place(of: slot)
        guard !item.pointee.hasRest else { return }
        let own = rests.take(like: item.pointee.rest)
        if item.pointee.sharesRest { release(item.pointee.rest) }
        item.pointee.take(own)
    }

    private mutating func release(_ shared: UnsafeMutablePointer<OpenItem.Rest>) {
        shared.pointee.keepers -= 1
        if shared.pointee.keepers == 0 { rests.giveBack(shared) }
    }

    /// Records that the running item `parent` submitted the item in `slot`. The first submitted item gets a rest of its
    /// own. Further asyncs share one rest, because they can fill a queue.
    @inline(__always)
    mutating func join(_ slot: Int, to parent: Int) {
        let (item, outer) = (rows.place(of: slot), rows.place(of: parent))
        let isOwn = item.pointee.isSync || item.pointee.hasRest || item.pointee.sharesRest
        if isOwn || !outer.pointee.hasSubmitted {
            giveRest(to: slot)
            item.pointee.rest.pointee.join(outer.pointee)
            outer.pointee.hasSubmitted = true
        } else {
            if outer.pointee.ofChildren == nil { makeRestOfChildren(outer) }
            item.pointee.share(outer.pointee.ofChildren!)
        }
    }

    private mutating func makeRestOfChildren(_ parent: UnsafeMutablePointer<OpenItem>) {
        let common = rests.take(like: fresh.place.pointee.rest)
        common.pointee.join(parent.pointee)
        common.pointee.keepers = 1
        parent.pointee.ofChildren = common
    }

    /// The slot of the item with an id; nil when there is none.
    @inline(__always)
    func slot(of id: UInt64) -> Int? {
        let slot = index.slot(of: id, in: rows)
        return slot < 0 ? nil : slot
    }

    /// Takes a slot for a new item without an id.
    @inline(__always)
    mutating func take(kind: ItemKind, queue: Int, at time: Int64) -> Int {
        let slot: Int
        if let reused = free.popLast() {
            slot = Int(reused)
            if free.count > 0 { rows.prepare(Int(free[free.count - 1])) }
        } else {
            slot = rows.count
            rows.append(fresh.place.pointee)
        }
        let item = rows.place(of: slot)
        item.pointee = fresh.place.pointee
        item.pointee.number = takeNumber()
        item.pointee.state = .announced
        item.pointee.kind = kind
        item.pointee.queue = Int32(truncatingIfNeeded: queue)
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
    mutating func give(_ id: UInt64, to slot: Int) {
        let item = rows.place(of: slot)
        item.pointee.id = id
        index.insert(slot, in: rows)
        item.pointee.hasID = true
    }

    /// Removes the item's id from the index, because the recorder can reuse it.
    @inline(__always)
    mutating func giveBackID(of slot: Int) {
        let item = rows.place(of: slot)
        guard item.pointee.hasID else { return }
        item.pointee.hasID = false
        index.remove(slot, in: rows)
    }

    /// Releases the slot of an item that has ended.
    @inline(__always)
    mutating func giveBack(_ slot: Int) {
        giveBackID(of: slot)
        let item = rows.place(of: slot)
        item.pointee.state = .free
        if item.pointee.hasRest {
            if let common = item.pointee.ofChildren { release(common) }
            rests.giveBack(item.pointee.rest)
        } else if item.pointee.sharesRest {
            release(item.pointee.rest)
        }
        item.pointee.dropRest()
        free.append(Int32(truncatingIfNeeded: slot))
    }
}

/// The initial value of an item. It is in allocated memory, because Swift would copy a large value to the stack.
struct FreshItem: ~Copyable {
    let place = UnsafeMutablePointer<OpenItem>.allocate(capacity: 1)

    init() { place.initialize(to: OpenItem()) }

    deinit { place.deallocate() }
}

/// Allocates rests at stable addresses. There are few more than threads, unless items need one before they begin.
struct RestPool: ~Copyable {
    private static let blockSize = 64
    private var blocks: [UnsafeMutablePointer<OpenItem.Rest>] = []
    /// The head of the free list, which is linked through `ofChildren`.
    private var free: UnsafeMutablePointer<OpenItem.Rest>?

    deinit { for block in blocks { block.deallocate() } }

    /// A copy of another rest that no item shares yet.
    @inline(__always)
    mutating func take(like other: UnsafeMutablePointer<OpenItem.Rest>) -> UnsafeMutablePointer<OpenItem.Rest> {
        if free == nil { addBlock() }
        let rest = free!
        free = rest.pointee.ofChildren
        rest.pointee = other.pointee
        rest.pointee.keepers = 0
        return rest
    }

    @inline(__always)
    mutating func giveBack(_ rest: UnsafeMutablePointer<OpenItem.Rest>) {
        rest.pointee.ofChildren = free
        free = rest
    }

    @inline(never)
    private mutating func addBlock() {
        let block = UnsafeMutablePointer<OpenItem.Rest>.allocate(capacity: Self.blockSize)
        block.initialize(repeating: OpenItem.Rest(), count: Self.blockSize)
        blocks.append(block)
        for place in (0..<Self.blockSize).reversed() { giveBack(block + place) }
    }
}
