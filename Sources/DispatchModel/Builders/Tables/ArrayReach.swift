extension Array {
    /// Appends elements until the array has one at a position.
    @inlinable @inline(__always)
    package mutating func reach(_ position: Int, _ element: @autoclosure () -> Element) {
        while count <= position { append(element()) }
    }
}
