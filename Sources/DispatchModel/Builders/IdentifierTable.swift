/// Maps the recorder's ids (item ids, serial numbers, tids …) to dense indices.
///
/// Open addressing with linear probing, the entries of a run in the order of their homes (Robin Hood hashing), and
/// deletion by shifting back: one multiplication and, at a load of at most one half, one or two probes per look-up. Every
/// item event takes this path, so it must not pay for the seeded hashing of a `Dictionary`.
struct IdentifierTable: ~Copyable {
    /// A key that no id has: ids are 48 bits at most.
    private static let empty = UInt64.max

    private struct Entry {
        var key: UInt64
        var value: Int
    }

    private var entries: UnsafeMutablePointer<Entry>
    private var mask: Int
    private(set) var count = 0

    /// - Parameter minimumCapacity: ids to hold without growing.
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

    /// Most ids are addresses, and blocks that were allocated one after the other come and go one after the other. So
    /// the addresses of a page are neighbours, as a backlog of 100,000 items would cost three cache misses each
    /// otherwise; the multiplication spreads the pages. Numbers that are no addresses share a page and differ in their
    /// low bits.
    @inline(__always)
    private func home(_ key: UInt64) -> Int {
        let inPage = (key & 0xfff) >> 4 | (key & 0xf) << 8
        return Int(truncatingIfNeeded: ((key >> 12) &* 0x9E37_79B9_7F4A_7C15) >> 32 &+ inPage) & mask
    }

    /// The index of an id, nil when it has none. Complexity: O(1).
    @inline(__always)
    subscript(key: UInt64) -> Int? {
        let position = find(key)
        return position < 0 ? nil : entries[position].value
    }

    /// How far an entry is from its home.
    @inline(__always)
    private func distance(_ key: UInt64, at position: Int) -> Int { (position &- home(key)) & mask }

    @inline(__always)
    private func find(_ key: UInt64) -> Int {
        guard key != Self.empty else { return -1 }
        var position = home(key)
        var found = entries[position].key
        if found == key { return position }
        var steps = 0
        while found != Self.empty, distance(found, at: position) >= steps {
            position = (position &+ 1) & mask
            steps &+= 1
            found = entries[position].key
            if found == key { return position }
        }
        return -1
    }

    /// Gives an id an index, replacing the one that it had.
    @inline(__always)
    mutating func insert(_ key: UInt64, _ value: Int) {
        guard key != Self.empty else { return }
        if (count &+ 1) &* 2 > mask { grow() }
        let position = home(key)
        if entries[position].key == Self.empty {
            entries[position] = Entry(key: key, value: value)
            count &+= 1
        } else {
            place(Entry(key: key, value: value), from: position)
        }
    }

    /// The entry comes before those that are nearer to their homes, which go on.
    @inline(never)
    private mutating func place(_ new: Entry, from home: Int) {
        var (entry, position, steps) = (new, home, 0)
        while entries[position].key != Self.empty {
            if entries[position].key == entry.key {
                entries[position] = entry
                return
            }
            let known = distance(entries[position].key, at: position)
            if known < steps {
                swap(&entry, &entries[position])
                steps = known
            }
            position = (position &+ 1) & mask
            steps &+= 1
        }
        entries[position] = entry
        count &+= 1
    }

    /// Removes an id and returns the index that it had.
    @inline(__always) @discardableResult
    mutating func remove(_ key: UInt64) -> Int? {
        var hole = find(key)
        guard hole >= 0 else { return nil }
        let removed = entries[hole].value
        count &-= 1
        // Close the gap: entries move towards their homes, up to one that is there.
        var next = (hole &+ 1) & mask
        while entries[next].key != Self.empty, distance(entries[next].key, at: next) > 0 {
            entries[hole] = entries[next]
            hole = next
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
