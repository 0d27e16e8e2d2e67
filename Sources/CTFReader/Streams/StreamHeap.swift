/// A heap of the streams that have records left, ordered by the time of their next record.
///
/// Streams are numbers. At equal keys, the lower number comes first.
struct StreamHeap {
    private struct Entry {
        var key: UInt64
        var stream: Int

        /// Whether this entry comes before another one.
        @inline(__always)
        func precedes(_ other: Entry) -> Bool {
            key != other.key ? key < other.key : stream < other.stream
        }
    }

    private let entries: UnsafeMutablePointer<Entry>
    private var count = 0

    /// Creates an empty heap for a number of streams.
    init(capacity: Int) {
        entries = .allocate(capacity: max(capacity, 1))
        entries.initialize(repeating: Entry(key: 0, stream: 0), count: max(capacity, 1))
    }

    func deallocate() { entries.deallocate() }

    /// The stream with the earliest next record; nil when the heap is empty.
    var first: Int? { count > 0 ? entries[0].stream : nil }

    /// Adds a stream.
    ///
    /// - Parameters:
    ///   - stream: a number that is not in the heap.
    ///   - key: the time of its next record.
    mutating func insert(_ stream: Int, key: UInt64) {
        let entry = Entry(key: key, stream: stream)
        var place = count
        count += 1
        while place > 0, entry.precedes(entries[(place - 1) / 2]) {
            entries[place] = entries[(place - 1) / 2]
            place = (place - 1) / 2
        }
        entries[place] = entry
    }

    /// The earliest key of all streams except the first; the maximum when there is no other stream.
    var rivalKey: UInt64 {
        guard count > 1 else { return .max }
        return count > 2 ? min(entries[1].key, entries[2].key) : entries[1].key
    }

    /// Sets the key of the first stream to the time of its next record and restores the order. The stream may have
    /// delivered records before ``rivalKey`` since the last call.
    ///
    /// - Returns: the new first stream.
    @inline(__always)
    mutating func updateFirst(key: UInt64) -> Int {
        sink(Entry(key: key, stream: entries[0].stream))
        return entries[0].stream
    }

    /// Replaces the first entry and sifts the new entry down.
    @inline(__always)
    private mutating func sink(_ entry: Entry) {
        var place = 0
        while true {
            var child = 2 &* place &+ 1
            guard child < count else { break }
            if child &+ 1 < count, entries[child &+ 1].precedes(entries[child]) { child &+= 1 }
            guard entries[child].precedes(entry) else { break }
            entries[place] = entries[child]
            place = child
        }
        entries[place] = entry
    }

    /// Removes the first stream.
    mutating func removeFirst() {
        count -= 1
        if count > 0 { sink(entries[count]) }
    }
}
