import DispatchModel

/// The last eight rows of each queue, such as the items that held it. The storage of a disposed queue is reused.
struct RecentRows<Row> {
    /// Rows kept for each queue, a power of two.
    private static var limit: Int { 8 }

    /// By position of the queue.
    private var places = PlaceTable()
    /// By place: the number of rows added, kept between 8 and 15 once it exceeds the limit.
    private let counts = PlainRows<Int32>()
    /// Eight rows per place, at their number modulo the limit.
    private let rows = PlainRows<Row>()
    private var free: [Int] = []

    /// Adds a row, which replaces the oldest one.
    @inline(__always)
    mutating func add(_ row: Row, to queue: QueueIndex) {
        var place = places[queue.position]
        if place < 0 { place = begin(queue, row) }
        let count = counts[place]
        rows[place * Self.limit + Int(count) & (Self.limit - 1)] = row
        counts[place] = count == 2 * Self.limit - 1 ? Int32(Self.limit) : count + 1
    }

    @inline(never)
    private mutating func begin(_ queue: QueueIndex, _ row: Row) -> Int {
        let place = free.popLast() ?? counts.count
        counts.reach(place, 0)
        counts[place] = 0
        rows.reach(place * Self.limit + Self.limit - 1, row)
        places[queue.position] = place
        return place
    }

    /// Frees the rows of a disposed queue.
    mutating func forget(_ queue: QueueIndex) {
        let place = places[queue.position]
        guard place >= 0 else { return }
        free.append(place)
        places[queue.position] = -1
    }

    /// Calls `body` with the rows of a queue, oldest first.
    @inline(__always)
    func forEach(of queue: QueueIndex, _ body: (Row) -> Void) {
        let place = places[queue.position]
        guard place >= 0 else { return }
        let count = Int(counts[place])
        for number in max(0, count - Self.limit)..<count {
            body(rows[place * Self.limit + number & (Self.limit - 1)])
        }
    }

    /// The rows of a queue, in storage order.
    func rows(of queue: QueueIndex) -> some Collection<Row> {
        let place = places[queue.position]
        let count = place < 0 ? 0 : min(Int(counts[place]), Self.limit)
        return (0..<count).lazy.map { rows[place * Self.limit + $0] }
    }
}
