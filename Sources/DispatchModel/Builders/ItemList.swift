/// A queue of open items, linked through their slots: O(1) to append and to remove anywhere, no memory of its own.
struct ItemList {
    /// Slot of the item submitted first, -1 when empty.
    fileprivate(set) var first: Int32 = -1
    fileprivate(set) var last: Int32 = -1
}

extension ItemTracker {
    /// Appends the item in `slot`, which is in no list.
    @inline(__always)
    mutating func append(_ slot: Int, to list: inout ItemList) {
        items[slot].previous = list.last
        items[slot].next = -1
        if list.last >= 0 { items[Int(list.last)].next = Int32(slot) } else { list.first = Int32(slot) }
        list.last = Int32(slot)
    }

    /// Removes the item in `slot`, which is in this list.
    @inline(__always)
    mutating func remove(_ slot: Int, from list: inout ItemList) {
        let previous = items[slot].previous
        let next = items[slot].next
        if previous >= 0 { items[Int(previous)].next = next } else { list.first = next }
        if next >= 0 { items[Int(next)].previous = previous } else { list.last = previous }
    }
}
