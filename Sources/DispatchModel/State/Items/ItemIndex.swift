/// A hash table from ids to open items. The buckets are linked lists of slots.
///
/// ```
///   buckets   [ -1 | 7 | -1 | 3 | … ]      items[7].bucketNext = 12, items[12].bucketNext = -1
/// ```
///
/// A look-up reads four bytes in addition to the item, which the caller reads anyway. With 100,000 items in flight, a
/// table that stores ids would not fit into the processor's caches. Items that are submitted one after the other
/// usually have consecutive ids (numbers or addresses), and the buckets of sixteen consecutive ids share one cache
/// line.
struct ItemIndex: ~Copyable {
    private var buckets: UnsafeMutablePointer<Int32>
    /// The number of buckets is 2 to the power of this.
    private var bits = 10
    private var count = 0
    /// Ids from this value on are usually addresses of blocks and continuations, which are multiples of 32.
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
        // The hash selects the cache line; the low four bits of the id select the bucket within it.
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

    /// Adds an item whose id is not in the index. The caller sets `hasID` afterwards.
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

    /// Removes an item from the index.
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

    /// Doubles the number of buckets, so that at least half of them are empty.
    @inline(never)
    private mutating func grow(_ items: borrowing RowTable<OpenItem>) {
        buckets.deallocate()
        bits += 1
        buckets = Self.buckets(bits)
        for slot in items.indices where items.place(of: slot).pointee.hasID { link(slot, in: items) }
    }
}
