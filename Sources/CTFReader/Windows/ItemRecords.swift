import Dispatch

/// A record that begins or submits an item.
struct ItemRecord {
    var id: UInt64
    var clock: UInt64
    var isBegin: Bool

    /// Hashes an id.
    @inline(__always)
    static func hash(_ id: UInt64) -> UInt64 { id &* 0x9E37_79B9_7F4A_7C15 }
}

/// Item records, partitioned by the hash of the item id. The state of one partition's items fits into the caches of a
/// processor.
struct SpreadRecords {
    static let partCount = 256

    /// The records in the order of the partitions.
    private let records: [ItemRecord]
    /// The start of each partition, and the end of the last one.
    private let begins: [Int]

    init(_ records: [ItemRecord]) {
        func part(_ record: ItemRecord) -> Int { Int(ItemRecord.hash(record.id) >> 56) }
        var next = Array(repeating: 0, count: Self.partCount + 1)
        for record in records { next[part(record) + 1] += 1 }
        for part in 1...Self.partCount { next[part] += next[part - 1] }
        begins = next
        self.records = Array(unsafeUninitializedCapacity: records.count) { spread, count in
            for record in records {
                let part = part(record)
                spread.initializeElement(at: next[part], to: record)
                next[part] += 1
            }
            count = records.count
        }
    }

    func part(_ part: Int) -> ArraySlice<ItemRecord> { records[begins[part]..<begins[part + 1]] }
}

/// The first record of each item, in the partitions of ``SpreadRecords``.
struct FirstRecords {
    private var parts = Array(repeating: Part(), count: SpreadRecords.partCount)

    /// A hash table with open addressing.
    private struct Part {
        private var slots: [ItemRecord] = []
        private var count = 0

        var items: some Sequence<ItemRecord> { slots.lazy.filter { $0.id != .max } }

        /// Adds records. At equal times, the first record is kept.
        mutating func note(_ records: some Sequence<ItemRecord>) {
            for record in records {
                if count * 2 >= slots.count { grow() }
                var place = Int(truncatingIfNeeded: ItemRecord.hash(record.id) >> 24) & (slots.count - 1)
                while slots[place].id != record.id, slots[place].id != .max { place = (place + 1) & (slots.count - 1) }
                if slots[place].id == .max { count += 1 } else if slots[place].clock <= record.clock { continue }
                slots[place] = record
            }
        }

        private mutating func grow() {
            let old = slots
            slots = Array(repeating: ItemRecord(id: .max, clock: 0, isBegin: false), count: max(old.count * 2, 16))
            count = 0
            note(old.lazy.filter { $0.id != .max })
        }
    }

    mutating func note(_ records: [SpreadRecords]) {
        parts.withUnsafeMutableBufferPointer { parts in
            // concurrentPerform returns after all iterations, and each iteration uses its own partitions.
            nonisolated(unsafe) let parts = parts
            let shareCount = 8
            DispatchQueue.concurrentPerform(iterations: shareCount) { share in
                for part in stride(from: share, to: SpreadRecords.partCount, by: shareCount) {
                    for records in records { parts[part].note(records.part(part)) }
                }
            }
        }
    }

    /// The items whose first record is a begin. Their submissions are earlier.
    var begins: [ItemRecord] { parts.flatMap { $0.items.filter(\.isBegin) } }
}

/// The items whose submissions are searched for, in a hash table with open addressing: each item record needs a lookup.
struct WantedItems {
    private var slots: [ItemRecord]
    private let mask: Int
    /// Number of items, and the time of the latest begin.
    let count: Int
    let latest: UInt64

    init(_ begins: [ItemRecord]) {
        count = begins.count
        latest = begins.reduce(0) { max($0, $1.clock) }
        // The next power of two, minus one.
        mask = (1 << (Int.bitWidth - (max(count * 4, 16) - 1).leadingZeroBitCount)) - 1
        slots = Array(repeating: ItemRecord(id: .max, clock: 0, isBegin: false), count: mask + 1)
        for begin in begins { slots[place(of: begin.id)] = begin }
    }

    /// Upper bound of the item numbers.
    var capacity: Int { slots.count }

    @inline(__always)
    private func place(of id: UInt64) -> Int {
        var place = Int(truncatingIfNeeded: ItemRecord.hash(id) >> 24) & mask
        while slots[place].id != id, slots[place].id != .max { place = (place + 1) & mask }
        return place
    }

    /// The number of an item that begins at or after `clock`; nil for other items.
    @inline(__always)
    func number(of id: UInt64, from clock: UInt64) -> Int? {
        let place = place(of: id)
        return slots[place].isBegin && slots[place].id == id && clock <= slots[place].clock ? place : nil
    }
}
