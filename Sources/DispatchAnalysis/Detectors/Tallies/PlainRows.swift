/// Rows of plain values by position, in memory that a detector has to itself: unlike a write to an array, one to a row
/// does not ask whether others have the rows, too.
///
/// A reference: whoever has it has the same rows. They hold no references themselves.
final class PlainRows<Row> {
    // One thread at a time has the detector, and no access calls anything.
    @exclusivity(unchecked) private var base: UnsafeMutablePointer<Row>
    @exclusivity(unchecked) private var capacity: Int
    @exclusivity(unchecked) private(set) var count = 0

    init(minimumCapacity: Int = 16) {
        assert(_isPOD(Row.self))
        capacity = minimumCapacity
        base = .allocate(capacity: minimumCapacity)
    }

    deinit { base.deallocate() }

    /// The row at a position. A position out of bounds is a defect, and a trap.
    subscript(position: Int) -> Row {
        @inline(__always)
        unsafeAddress {
            precondition(UInt(bitPattern: position) < UInt(bitPattern: count))
            return UnsafePointer(base + position)
        }
        @inline(__always)
        unsafeMutableAddress {
            precondition(UInt(bitPattern: position) < UInt(bitPattern: count))
            return base + position
        }
    }

    /// Adds rows up to a position that has none yet.
    @inline(__always)
    func reach(_ position: Int, _ row: @autoclosure () -> Row) {
        if position >= count { grow(to: position + 1, row()) }
    }

    /// Adds a row at the end.
    @inline(__always)
    func append(_ row: Row) {
        if count == capacity { makeRoom(for: count + 1) }
        (base + count).initialize(to: row)
        count += 1
    }

    /// Removes a row; those behind it move up.
    @inline(__always)
    func remove(at position: Int) {
        precondition(UInt(bitPattern: position) < UInt(bitPattern: count))
        count -= 1
        if position < count { (base + position).update(from: base + position + 1, count: count - position) }
    }

    /// Removes the first rows.
    func removeFirst(_ number: Int) {
        precondition(number >= 0 && number <= count)
        guard number > 0 else { return }
        count -= number
        base.update(from: base + number, count: count)
    }

    /// Sorts the rows; of equal ones the earlier stays in front.
    func sort(by precedes: (Row, Row) -> Bool) {
        var rows = UnsafeMutableBufferPointer(start: base, count: count)
        rows.sort(by: precedes)
    }

    /// Removes all rows and gives their memory back.
    func removeAll() {
        base.deallocate()
        capacity = 16
        base = .allocate(capacity: capacity)
        count = 0
    }

    @inline(never)
    private func grow(to size: Int, _ row: Row) {
        if size > capacity { makeRoom(for: size) }
        (base + count).update(repeating: row, count: size - count)
        count = size
    }

    @inline(never)
    private func makeRoom(for size: Int) {
        capacity = max(size, capacity * 2)
        let larger = UnsafeMutablePointer<Row>.allocate(capacity: capacity)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
    }
}
