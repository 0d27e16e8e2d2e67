/// The streams that still have records, the one with the earliest next record first.
///
/// Streams are numbers; the lower number comes first where keys are equal.
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

    /// Creates an empty heap with room for a number of streams.
    init(capacity: Int) {
        entries = .allocate(capacity: max(capacity, 1))
        entries.initialize(repeating: Entry(key: 0, stream: 0), count: max(capacity, 1))
    }

    func deallocate() { entries.deallocate() }

    /// The stream with the earliest next record, nil when none is left.
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

    /// The earliest time of all streams but the first; the largest number when there is no other.
    var rivalKey: UInt64 {
        guard count > 1 else { return .max }
        return count > 2 ? min(entries[1].key, entries[2].key) : entries[1].key
    }

    /// Gives the first stream the time of its next record. It may have had others since, earlier than ``rivalKey``.
    ///
    /// - Returns: the stream that is first now.
    @inline(__always)
    mutating func settleFirst(key: UInt64) -> Int {
        sink(Entry(key: key, stream: entries[0].stream))
        return entries[0].stream
    }

    /// Puts an entry in the place of the first one, and then where it belongs.
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
