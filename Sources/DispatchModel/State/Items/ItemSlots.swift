/// The open items. Slots of ended items are reused, so memory grows with the items in flight only.
struct ItemSlots: ~Copyable {
    private var rows = RowTable<OpenItem>(minimumCapacity: 256)
    private let template = ItemTemplate()
    private var detailsPool = DetailsPool()
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

    /// Gives the item in a slot details of its own, if it has none.
    @inline(__always)
    mutating func giveDetails(to slot: Int) {
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
    mutating func join(_ slot: Int, to parent: Int) {
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
            rows.append(template.place.pointee)
        }
        let item = rows.place(of: slot)
        item.pointee = template.place.pointee
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
    mutating func releaseID(of slot: Int) {
        let item = rows.place(of: slot)
        guard item.pointee.hasID else { return }
        item.pointee.hasID = false
        index.remove(slot, in: rows)
    }

    /// Releases the slot of an item that has ended.
    @inline(__always)
    mutating func recycle(_ slot: Int) {
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
        free.append(Int32(truncatingIfNeeded: slot))
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
