/// Maps the recorder's ids (item ids, serial numbers, tids …) to dense indices.
///
/// Open addressing with linear probing and deletion by shifting back: one multiplication and, at a load of at most one
/// half, one or two probes per look-up. Every item event takes this path, so it must not pay for the seeded hashing of
/// a `Dictionary`.
struct IdentifierTable {
    /// A key that no id has: ids are 48 bits at most.
    private static let empty = UInt64.max

    private var keys: [UInt64]
    private var values: [Int32]
    private var mask: Int
    private(set) var count = 0

    /// - Parameter minimumCapacity: ids to hold without growing.
    init(minimumCapacity: Int = 16) {
        var capacity = 32
        while capacity < minimumCapacity * 2 { capacity *= 2 }
        keys = Array(repeating: Self.empty, count: capacity)
        values = Array(repeating: 0, count: capacity)
        mask = capacity - 1
    }

    /// Ids differ mostly in their low or middle bits; the multiplication spreads both over the high half.
    @inline(__always)
    private func home(_ key: UInt64) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    }

    /// The index of an id, nil when it has none. Complexity: O(1).
    @inline(__always)
    subscript(key: UInt64) -> Int? {
        let position = find(key)
        return position < 0 ? nil : Int(values[position])
    }

    @inline(__always)
    private func find(_ key: UInt64) -> Int {
        var position = home(key)
        return keys.withUnsafeBufferPointer { keys in
            while true {
                let found = keys[position]
                if found == Self.empty { return -1 }
                if found == key { return position }
                position = (position + 1) & mask
            }
        }
    }

    /// Gives an id an index, replacing the one that it had.
    mutating func insert(_ key: UInt64, _ value: Int) {
        guard key != Self.empty else { return }
        if (count + 1) * 2 > keys.count { grow() }
        var position = home(key)
        while keys[position] != Self.empty, keys[position] != key { position = (position + 1) & mask }
        if keys[position] == Self.empty { count += 1 }
        keys[position] = key
        values[position] = Int32(truncatingIfNeeded: value)
    }

    /// Removes an id and returns the index that it had.
    @discardableResult
    mutating func remove(_ key: UInt64) -> Int? {
        var hole = find(key)
        guard hole >= 0 else { return nil }
        let removed = Int(values[hole])
        count -= 1
        // Close the gap: an entry further on moves into the hole unless its home lies behind the hole.
        var next = (hole + 1) & mask
        while keys[next] != Self.empty {
            if (next - home(keys[next])) & mask >= (next - hole) & mask {
                keys[hole] = keys[next]
                values[hole] = values[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        keys[hole] = Self.empty
        return removed
    }

    private mutating func grow() {
        let oldKeys = keys
        let oldValues = values
        keys = Array(repeating: Self.empty, count: oldKeys.count * 2)
        values = Array(repeating: 0, count: oldKeys.count * 2)
        mask = keys.count - 1
        count = 0
        for (position, key) in oldKeys.enumerated() where key != Self.empty {
            insert(key, Int(oldValues[position]))
        }
    }
}
