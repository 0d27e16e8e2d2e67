/// Maps the recorder's ids (item ids, serial numbers, tids …) to dense indices.
///
/// Open addressing with linear probing and backward-shift deletion: a look-up takes one multiplication and, at a load
/// factor of at most one half, one or two probes. Every item event does a look-up, and the seeded hashing of
/// `Dictionary` would be slower.
struct IdentifierTable: ~Copyable {
    /// The key of an empty entry. Ids have at most 48 bits.
    private static let empty = UInt64.max

    private struct Entry {
        var key: UInt64
        var value: Int
    }

    private var entries: UnsafeMutablePointer<Entry>
    private var mask: Int
    private(set) var count = 0

    /// - Parameter minimumCapacity: number of ids that fit without growing.
    init(minimumCapacity: Int = 16) {
        var capacity = 32
        while capacity < minimumCapacity * 2 { capacity *= 2 }
        entries = Self.entries(capacity)
        mask = capacity - 1
    }

    deinit { entries.deallocate() }

    private static func entries(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
        entries.initialize(repeating: Entry(key: empty, value: 0), count: capacity)
        return entries
    }

    /// Ids differ mostly in their low or middle bits. The multiplication spreads both over the upper half.
    @inline(__always)
    private func home(_ key: UInt64) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    }

    /// The index of an id; nil for an unknown id. Complexity: O(1).
    @inline(__always)
    subscript(key: UInt64) -> Int? {
        let position = find(key)
        return position < 0 ? nil : entries[position].value
    }

    @inline(__always)
    private func find(_ key: UInt64) -> Int {
        var position = home(key)
        while true {
            let found = entries[position].key
            if found == key { return found == Self.empty ? -1 : position }
            if found == Self.empty { return -1 }
            position = (position &+ 1) & mask
        }
    }

    /// Maps an id to an index, replacing the previous index.
    @inline(__always)
    mutating func insert(_ key: UInt64, _ value: Int) {
        guard key != Self.empty else { return }
        if (count &+ 1) &* 2 > mask { grow() }
        var position = home(key)
        while entries[position].key != Self.empty, entries[position].key != key { position = (position &+ 1) & mask }
        if entries[position].key == Self.empty { count &+= 1 }
        entries[position] = Entry(key: key, value: value)
    }

    /// Removes an id and returns its index; nil for an unknown id.
    @inline(__always) @discardableResult
    mutating func remove(_ key: UInt64) -> Int? {
        var hole = find(key)
        guard hole >= 0 else { return nil }
        let removed = entries[hole].value
        count &-= 1
        // Close the gap: move a later entry into the hole, unless its home position lies after the hole.
        var next = (hole &+ 1) & mask
        while entries[next].key != Self.empty {
            if (next &- home(entries[next].key)) & mask >= (next &- hole) & mask {
                entries[hole] = entries[next]
                hole = next
            }
            next = (next &+ 1) & mask
        }
        entries[hole].key = Self.empty
        return removed
    }

    @inline(never)
    private mutating func grow() {
        let (old, size) = (entries, mask + 1)
        entries = Self.entries(size * 2)
        mask = size * 2 - 1
        count = 0
        for position in 0..<size where old[position].key != Self.empty {
            insert(old[position].key, old[position].value)
        }
        old.deallocate()
    }
}
