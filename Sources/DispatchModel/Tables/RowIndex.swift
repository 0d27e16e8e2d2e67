/// An index that a row can store without the size of an optional.
protocol RowIndex: Comparable {
    var rawValue: Int32 { get }
    init(_ position: Int)
    var position: Int { get }
}

extension RowIndex {
    /// The value of no index. Other modules get an optional instead.
    @inline(__always)
    static var none: Self { Self(-1) }
    @inline(__always)
    var isNone: Bool { rawValue < 0 }
    /// The index for other modules; nil for ``none``.
    @inline(__always)
    var known: Self? { rawValue < 0 ? nil : self }
}

extension Array {
    /// Appends elements until the array has one at a position.
    @inlinable @inline(__always)
    package mutating func reach(_ position: Int, _ element: @autoclosure () -> Element) {
        while count <= position { append(element()) }
    }

    /// Whether the array has an element of an entity.
    @inline(__always)
    func reaches(_ index: some RowIndex) -> Bool { index.position < count }

    /// The element of an entity.
    subscript(index: some RowIndex) -> Element {
        @inline(__always) _read { yield self[index.position] }
        @inline(__always) _modify { yield &self[index.position] }
    }
}
