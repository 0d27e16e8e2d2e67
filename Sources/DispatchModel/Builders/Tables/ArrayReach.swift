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
