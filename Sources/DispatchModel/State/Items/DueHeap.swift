/// The delayed items, ordered by due time, in a binary heap.
struct DueHeap {
    struct Entry {
        let due: Int64
        let slot: Slot
        /// Identifies the delayed item, because the slot may hold another item by now.
        let number: Int64
    }

    private var entries: [Entry] = []

    /// When the next item becomes due; `Int64.max` for an empty heap.
    @inline(__always)
    var nextDue: Int64 { entries.isEmpty ? .max : entries[0].due }

    mutating func insert(_ entry: Entry) {
        entries.append(entry)
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard Self.precedes(entries[child], entries[parent]) else { break }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes and returns the item with the earliest due time. The heap must not be empty.
    mutating func removeFirst() -> Entry {
        let first = entries[0]
        let last = entries.removeLast()
        guard !entries.isEmpty else { return first }
        entries[0] = last
        var parent = 0
        while true {
            var smallest = parent
            for child in (2 * parent + 1)...(2 * parent + 2) where child < entries.count {
                if Self.precedes(entries[child], entries[smallest]) { smallest = child }
            }
            guard smallest != parent else { return first }
            entries.swapAt(parent, smallest)
            parent = smallest
        }
    }

    private static func precedes(_ left: Entry, _ right: Entry) -> Bool {
        left.due != right.due ? left.due < right.due : left.number < right.number
    }
}
