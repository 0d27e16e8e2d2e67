/// Finds open items by their ids: buckets of slots, linked through the items.
///
/// ```
///   buckets   [ -1 | 7 | -1 | 3 | … ]      items[7].bucketNext = 12, items[12].bucketNext = -1
/// ```
///
/// A look-up reads four bytes besides the item itself, which its caller reads anyway: with 100,000 items in flight, a
/// table of ids would not fit into a processor's caches. Items that are submitted one after the other mostly have ids
/// that follow each other, as addresses or as numbers, and sixteen such ids have the buckets of one cache line.
struct ItemIndex: ~Copyable {
    private var buckets: UnsafeMutablePointer<Int32>
    /// The number of buckets is 2 to the power of this.
    private var bits = 10
    private var count = 0
    /// Ids from here on are mostly addresses, of blocks and continuations: multiples of 32.
    private static let firstAddress: UInt64 = 1 << 44

    init() { buckets = Self.buckets(bits) }

    deinit { buckets.deallocate() }

    private static func buckets(_ bits: Int) -> UnsafeMutablePointer<Int32> {
        let size = MemoryLayout<Int32>.stride << bits
        let buckets = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
        return buckets.initializeMemory(as: Int32.self, repeating: -1, count: 1 << bits)
    }

    @inline(__always)
    private func bucket(_ id: UInt64) -> Int {
        let number = id >= Self.firstAddress ? id &>> 5 | id &<< 59 : id
        // Which line, and where its sixteen ids begin in it.
        let hash = ((number &>> 4) &* 0x9E37_79B9_7F4A_7C15) &>> UInt64(truncatingIfNeeded: 64 &- bits)
        return Int(truncatingIfNeeded: hash ^ (number & 15))
    }

    /// The slot of the open item with an id, -1 for none. Complexity: O(1).
    @inline(__always)
    func slot(of id: UInt64, in items: borrowing RowTable<OpenItem>) -> Int {
        var slot = Int(buckets[bucket(id)])
        while slot >= 0 {
            let item = items.place(of: slot)
            if item.pointee.id == id { return slot }
            slot = Int(item.pointee.bucketNext)
        }
        return -1
    }

    /// Adds an item, whose id no other one has, and whose `hasID` is set afterwards.
    @inline(__always)
    mutating func insert(_ slot: Int, in items: borrowing RowTable<OpenItem>) {
        if count >> (bits - 1) > 0 { grow(items) }
        count += 1
        link(slot, in: items)
    }

    @inline(__always)
    private func link(_ slot: Int, in items: borrowing RowTable<OpenItem>) {
        let item = items.place(of: slot)
        let bucket = bucket(item.pointee.id)
        item.pointee.bucketNext = buckets[bucket]
        buckets[bucket] = Int32(truncatingIfNeeded: slot)
    }

    /// Removes an item that was added.
    @inline(__always)
    mutating func remove(_ slot: Int, in items: borrowing RowTable<OpenItem>) {
        count -= 1
        let item = items.place(of: slot)
        let bucket = bucket(item.pointee.id)
        if Int(buckets[bucket]) == slot {
            buckets[bucket] = item.pointee.bucketNext
        } else {
            unlink(slot, from: Int(buckets[bucket]), in: items)
        }
    }

    @inline(never)
    private func unlink(_ slot: Int, from first: Int, in items: borrowing RowTable<OpenItem>) {
        var before = first
        while before >= 0, Int(items.place(of: before).pointee.bucketNext) != slot {
            before = Int(items.place(of: before).pointee.bucketNext)
        }
        if before >= 0 { items.place(of: before).pointee.bucketNext = items.place(of: slot).pointee.bucketNext }
    }

    /// Twice as many buckets, so that half of them are empty at least.
    @inline(never)
    private mutating func grow(_ items: borrowing RowTable<OpenItem>) {
        buckets.deallocate()
        bits += 1
        buckets = Self.buckets(bits)
        for slot in items.indices where items.place(of: slot).pointee.hasID { link(slot, in: items) }
    }
}
