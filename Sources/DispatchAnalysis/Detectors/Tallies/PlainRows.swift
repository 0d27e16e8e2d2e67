/// Array of trivial values in memory owned by one detector. A write needs no uniqueness check, unlike a write to an
/// `Array`.
///
/// A reference type: copies share storage. `Row` must be trivial (`BitwiseCopyable`).
final class PlainRows<Row> {
    // Only one thread at a time uses the detector, and no access calls other code.
    @exclusivity(unchecked) private var base: UnsafeMutablePointer<Row>
    @exclusivity(unchecked) private var capacity: Int
    @exclusivity(unchecked) private(set) var count = 0

    init(minimumCapacity: Int = 16) {
        assert(_isPOD(Row.self))
        capacity = minimumCapacity
        base = .allocate(capacity: minimumCapacity)
    }

    deinit { base.deallocate() }

    /// The row at a position. A position out of bounds traps.
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

    /// Adds copies of a row up to a position, if it does not exist yet.
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

    /// Removes a row. Later rows move up.
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

    /// Sorts the rows. The order of equal rows is stable.
    func sort(by precedes: (Row, Row) -> Bool) {
        var rows = UnsafeMutableBufferPointer(start: base, count: count)
        rows.sort(by: precedes)
    }

    /// Removes all rows and frees their memory.
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
