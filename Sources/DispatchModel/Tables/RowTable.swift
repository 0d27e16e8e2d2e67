import CMemory
import Glibc

/// Rows by position, in uniquely owned memory. An access costs a bounds check. An array would also check for uniqueness
/// at every write.
///
/// All state that events change is in such tables. A position out of bounds is a defect and traps. The row type must
/// not be private: Swift 6.3 generates incorrect code for private types in debug builds.
public struct RowTable<Row: ~Copyable>: ~Copyable {
    @usableFromInline var base: UnsafeMutablePointer<Row>
    @usableFromInline var capacity: Int
    @usableFromInline var rows = 0
    /// The number of rows.
    @inlinable public var count: Int { rows }

    /// Creates an empty table.
    ///
    /// - Parameter minimumCapacity: number of rows that fit without growing.
    public init(minimumCapacity: Int = 16) {
        capacity = max(1, minimumCapacity)
        base = Self.allocate(capacity)
    }

    /// Rows begin at a cache line, so that a row of 64 bytes occupies one line. A table of 1 MiB or more is a memory
    /// mapping: only written pages occupy memory, and growing it copies nothing.
    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Row> {
        let bytes = capacity * MemoryLayout<Row>.stride
        guard isMapped(capacity) else {
            return UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: max(64, MemoryLayout<Row>.alignment))
                .bindMemory(to: Row.self, capacity: capacity)
        }
        let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { fatalError("no memory for a table of \(bytes) bytes") }
        return memory.bindMemory(to: Row.self, capacity: capacity)
    }

    private static func isMapped(_ capacity: Int) -> Bool { capacity * MemoryLayout<Row>.stride >= 1 << 20 }

    private func deallocate() {
        if Self.isMapped(capacity) {
            munmap(base, capacity * MemoryLayout<Row>.stride)
        } else {
            base.deallocate()
        }
    }

    deinit {
        base.deinitialize(count: count)
        deallocate()
    }

    /// The row at a position.
    @inlinable
    public subscript(position: Int) -> Row {
        @inline(__always)
        unsafeAddress { address(of: position) }
        @inline(__always)
        unsafeMutableAddress {
            precondition(UInt(bitPattern: position) < UInt(bitPattern: count))
            return base + position
        }
    }

    @inlinable @inline(__always)
    func address(of position: Int) -> UnsafePointer<Row> {
        precondition(UInt(bitPattern: position) < UInt(bitPattern: count))
        return UnsafePointer(base + position)
    }

    /// The address of the row at a position, for code that accesses many of its fields. Valid until a row is added.
    @inlinable @inline(__always)
    func place(of position: Int) -> UnsafeMutablePointer<Row> {
        precondition(UInt(bitPattern: position) < UInt(bitPattern: count))
        return base + position
    }

    /// The row of an entity.
    subscript(index: some RowIndex) -> Row {
        @inline(__always)
        unsafeAddress { address(of: index.position) }
        @inline(__always)
        unsafeMutableAddress { place(of: index.position) }
    }

    /// The address of the row of an entity. Valid until a row is added.
    @inline(__always)
    func place(of index: some RowIndex) -> UnsafeMutablePointer<Row> { place(of: index.position) }

    /// Whether the table has a row of an entity.
    @inline(__always)
    func reaches(_ index: some RowIndex) -> Bool { index.position < count }

    /// Prefetches the first bytes of the row at a position into the processor's caches.
    @inline(__always)
    func prepare(_ position: Int, bytes: Int = MemoryLayout<Row>.size) {
        if UInt(bitPattern: position) < UInt(bitPattern: count) { qs_prefetch(base + position, bytes) }
    }

    /// The positions of the rows.
    @inlinable public var indices: Range<Int> { 0..<count }

    /// Adds a row at the end.
    @inlinable @inline(__always)
    public mutating func append(_ row: consuming Row) {
        if count == capacity { grow() }
        (base + count).initialize(to: row)
        rows += 1
    }

    /// Adds a row at the end and returns its uninitialised memory, so that a large row is not copied.
    @inline(__always)
    mutating func appendPlace() -> UnsafeMutablePointer<Row> {
        if count == capacity { grow() }
        rows += 1
        return base + (rows - 1)
    }

    /// Removes the last row; nil when there is none.
    @inlinable @inline(__always)
    public mutating func popLast() -> Row? {
        guard count > 0 else { return nil }
        rows -= 1
        return (base + count).move()
    }

    /// Adds rows until the table has one at a position.
    ///
    /// - Parameters:
    ///   - position: the position.
    ///   - row: creates the row at a position.
    @inlinable @inline(__always)
    public mutating func reach(_ position: Int, _ row: (Int) -> Row) {
        while count <= position { append(row(count)) }
    }

    /// Removes all rows and keeps the memory.
    public mutating func removeAll() {
        base.deinitialize(count: count)
        rows = 0
    }

    @inline(never) @usableFromInline
    mutating func grow() {
        if Self.isMapped(capacity) {
            let bytes = capacity * MemoryLayout<Row>.stride
            guard let moved = qs_grow_mapping(base, bytes, 2 * bytes) else {
                fatalError("no memory for a table of \(2 * bytes) bytes")
            }
            base = moved.bindMemory(to: Row.self, capacity: capacity * 2)
        } else {
            let larger = Self.allocate(capacity * 2)
            larger.moveInitialize(from: base, count: count)
            deallocate()
            base = larger
        }
        capacity *= 2
    }
}
