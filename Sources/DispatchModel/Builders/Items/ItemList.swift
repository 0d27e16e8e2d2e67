/// A queue of open items, linked through their slots. Appending and removing at any position is O(1) without
/// allocation.
struct ItemList {
    /// Slot of the item submitted first, -1 when empty.
    fileprivate(set) var first: Int32 = -1
    fileprivate(set) var last: Int32 = -1
}

extension ItemTracker {
    /// Appends the item in `slot`, which must not be in a list.
    @inline(__always)
    mutating func append(_ slot: Int, to list: inout ItemList) {
        let item = items.place(of: slot)
        item.pointee.previous = list.last
        item.pointee.next = -1
        if list.last >= 0 {
            items.place(of: Int(list.last)).pointee.next = Int32(truncatingIfNeeded: slot)
        } else {
            list.first = Int32(truncatingIfNeeded: slot)
        }
        list.last = Int32(truncatingIfNeeded: slot)
    }

    /// Removes the item in `slot`, which must be in this list.
    @inline(__always)
    mutating func remove(_ slot: Int, from list: inout ItemList) {
        let (previous, next) = (items.place(of: slot).pointee.previous, items.place(of: slot).pointee.next)
        if previous >= 0 { items.place(of: Int(previous)).pointee.next = next } else { list.first = next }
        if next >= 0 {
            // Usually that item begins next, so prefetch the item after it.
            let follower = items.place(of: Int(next))
            follower.pointee.previous = previous
            if follower.pointee.next >= 0 { items.prepare(Int(follower.pointee.next)) }
        } else {
            list.last = previous
        }
    }
}
