/// References to nodes by the position of an entity. The table can be shorter than the list of entities.
struct PathTable: ~Copyable {
    /// The node of each position; -1 for none.
    private var nodes = RowTable<Int32>()

    /// The node at a position; -1 for none.
    @inline(__always)
    subscript(position: Int32) -> Int32 {
        position >= 0 && Int(position) < nodes.count ? nodes[Int(position)] : -1
    }

    /// Removes the node at a position and passes the reference to the caller; -1 for none.
    @inline(__always)
    mutating func take(_ position: Int32) -> Int32 {
        guard Int(position) < nodes.count else { return -1 }
        let place = nodes.place(of: Int(position))
        let node = place.pointee
        place.pointee = -1
        return node
    }

    /// Replaces the node at a position. Adds a reference to the new node, and releases the old one.
    @inline(__always)
    mutating func exchange(_ position: Int32, for node: Int32, in all: inout PathNodes) {
        all.retain(node)
        nodes.reach(Int(position)) { _ in -1 }
        let place = nodes.place(of: Int(position))
        let old = place.pointee
        place.pointee = node
        if old >= 0 { all.release(old) }
    }

    /// Releases the node at a position.
    mutating func forget(_ position: Int32, in all: inout PathNodes) {
        let old = take(position)
        if old >= 0 { all.release(old) }
    }
}
