/// The open items. Slots of ended ones are used again, so memory grows with the items in flight.
struct ItemSlots: ~Copyable {
    private var rows = RowTable<OpenItem>(minimumCapacity: 256)
    private let fresh = FreshItem()
    private var rests = RestPool()
    private var free = RowTable<Int32>(minimumCapacity: 256)
    private var index = ItemIndex()
    private var nextNumber: Int64 = 0

    var indices: Range<Int> { rows.indices }

    /// Where the item in a slot is, until a slot is taken.
    @inline(__always)
    func place(of slot: Int) -> UnsafeMutablePointer<OpenItem> { rows.place(of: slot) }

    subscript(slot: Int) -> OpenItem {
        @inline(__always)
        unsafeAddress { UnsafePointer(rows.place(of: slot)) }
        @inline(__always)
        unsafeMutableAddress { rows.place(of: slot) }
    }

    /// The item in a slot will be needed soon.
    @inline(__always)
    func prepare(_ slot: Int) { rows.prepare(slot) }

    /// Sees to it that the item in a slot has a rest of its own.
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

    /// A running item has submitted the one in a slot. Where it has submitted others, too, these share what there is to
    /// tell of it: it may fill a queue.
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

    /// The slot of the item with an id; nil when none has it.
    @inline(__always)
    func slot(of id: UInt64) -> Int? {
        let slot = index.slot(of: id, in: rows)
        return slot < 0 ? nil : slot
    }

    /// A slot for a new item that no id finds.
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

    /// Items are numbered in the order in which they become known.
    @inline(__always)
    mutating func takeNumber() -> Int64 {
        nextNumber += 1
        return nextNumber - 1
    }

    /// From now on the id, which no other item has, finds the item.
    @inline(__always)
    mutating func give(_ id: UInt64, to slot: Int) {
        let item = rows.place(of: slot)
        item.pointee.id = id
        index.insert(slot, in: rows)
        item.pointee.hasID = true
    }

    /// The recorder may give the item's id to another one from now on.
    @inline(__always)
    mutating func giveBackID(of slot: Int) {
        let item = rows.place(of: slot)
        guard item.pointee.hasID else { return }
        item.pointee.hasID = false
        index.remove(slot, in: rows)
    }

    /// Gives back the slot of an item that has ended.
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

/// What a new item has. In memory of its own, like what else is large: Swift copies what it works on to the stack.
struct FreshItem: ~Copyable {
    let place = UnsafeMutablePointer<OpenItem>.allocate(capacity: 1)

    init() { place.initialize(to: OpenItem()) }

    deinit { place.deallocate() }
}

/// Memory for rests, which stays where it is: few more than there are threads, unless items have one before they begin.
struct RestPool: ~Copyable {
    private static let blockSize = 64
    private var blocks: [UnsafeMutablePointer<OpenItem.Rest>] = []
    /// The one given back last; `ofChildren` is the one given back before it.
    private var free: UnsafeMutablePointer<OpenItem.Rest>?

    deinit { for block in blocks { block.deallocate() } }

    /// One like another, which nobody else keeps.
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
