/// The decoding plan of a stream class: packets and event headers.
final class StreamPlan {
    let id: UInt64
    let packetContext: FieldNode?
    let eventHeader: FieldNode?
    /// The clock of the time stamps; nil without a clock.
    let clock: ClockClass?
    /// The fast path for event headers; nil when it cannot read them.
    let headerPlan: UnsafePointer<HeaderPlan>?
    /// Indices of the trace's event classes by id, for small ids; -1 for an undeclared id.
    let classTable: UnsafeBufferPointer<Int32>
    private let largeIDs: [UInt64: Int]

    /// Ids below this limit are looked up in a table. The limit grows with the number of classes.
    private static func tableLimit(_ classes: Int) -> UInt64 { UInt64(min(64 + 8 * classes, 65536)) }

    init(id: UInt64, packetContext: FieldNode?, eventHeader: FieldNode?, classes: [UInt64: Int], clock: ClockClass?) {
        self.id = id
        self.clock = clock
        self.packetContext = packetContext
        self.eventHeader = eventHeader
        headerPlan = eventHeader.flatMap { HeaderPlan($0) }.map {
            let pointer = UnsafeMutablePointer<HeaderPlan>.allocate(capacity: 1)
            pointer.initialize(to: $0)
            return UnsafePointer(pointer)
        }
        let limit = Self.tableLimit(classes.count)
        let largest = classes.keys.filter { $0 < limit }.max().map { Int($0) } ?? -1
        let table = UnsafeMutableBufferPointer<Int32>.allocate(capacity: largest + 1)
        table.initialize(repeating: -1)
        for (id, index) in classes where id < limit { table[Int(id)] = Int32(index) }
        classTable = UnsafeBufferPointer(table)
        largeIDs = classes.filter { $0.key >= limit }
    }

    deinit {
        headerPlan?.deallocate()
        classTable.deallocate()
    }

    /// The index of an event class in the trace's event classes; nil when the metadata does not declare the id.
    func classIndex(of id: UInt64) -> Int? {
        if id < UInt64(classTable.count) {
            let index = classTable[Int(id)]
            return index < 0 ? nil : Int(index)
        }
        return largeIDs[id]
    }
}
