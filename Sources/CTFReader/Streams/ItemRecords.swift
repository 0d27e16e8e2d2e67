import Dispatch

/// A record with which an item begins, or is submitted.
struct ItemRecord {
    var id: UInt64
    var clock: UInt64
    var isBegin: Bool

    /// Spreads ids.
    @inline(__always)
    static func hash(_ id: UInt64) -> UInt64 { id &* 0x9E37_79B9_7F4A_7C15 }
}

/// Records of items, spread over parts by their ids: what is known of a part's items fits into a processor's own
/// caches.
struct SpreadRecords {
    static let partCount = 256

    /// Those of the first part, then those of the second.
    private let records: [ItemRecord]
    /// Where each part begins, and the end.
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

/// The first record of every item, by parts as ``SpreadRecords`` has them.
struct FirstRecords {
    private var parts = Array(repeating: Part(), count: SpreadRecords.partCount)

    /// Open addressing.
    private struct Part {
        private var slots: [ItemRecord] = []
        private var count = 0

        var items: some Sequence<ItemRecord> { slots.lazy.filter { $0.id != .max } }

        /// Notes records; of those of equal time it is the one that is noted first.
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
            // All of it is over when concurrentPerform returns, and every iteration has parts of its own.
            nonisolated(unsafe) let parts = parts
            let shareCount = 8
            DispatchQueue.concurrentPerform(iterations: shareCount) { share in
                for part in stride(from: share, to: SpreadRecords.partCount, by: shareCount) {
                    for records in records { parts[part].note(records.part(part)) }
                }
            }
        }
    }

    /// Those with which items begin: these were submitted earlier.
    var begins: [ItemRecord] { parts.flatMap { $0.items.filter(\.isBegin) } }
}

/// Items whose submissions are wanted, by their ids: open addressing, as every record of an item is looked up.
struct WantedItems {
    private var slots: [ItemRecord]
    private let mask: Int
    /// How many there are, and when the latest begins.
    let count: Int
    let latest: UInt64

    init(_ begins: [ItemRecord]) {
        count = begins.count
        latest = begins.reduce(0) { max($0, $1.clock) }
        mask = max(count * 4, 16).nextPowerOfTwo - 1
        slots = Array(repeating: ItemRecord(id: .max, clock: 0, isBegin: false), count: mask + 1)
        for begin in begins { slots[place(of: begin.id)] = begin }
    }

    /// The numbers of items are below this.
    var capacity: Int { slots.count }

    @inline(__always)
    private func place(of id: UInt64) -> Int {
        var place = Int(truncatingIfNeeded: ItemRecord.hash(id) >> 24) & mask
        while slots[place].id != id, slots[place].id != .max { place = (place + 1) & mask }
        return place
    }

    /// The number of an item that begins not before a record; nil for one that does not, or is not wanted.
    @inline(__always)
    func number(of id: UInt64, from clock: UInt64) -> Int? {
        let place = place(of: id)
        return slots[place].isBegin && slots[place].id == id && clock <= slots[place].clock ? place : nil
    }
}

extension Int {
    fileprivate var nextPowerOfTwo: Int { self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
