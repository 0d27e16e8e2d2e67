/// Maps the position of a queue, a lock or a code in the model to the position of an observer's own row.
struct PlaceTable {
    private var places: [Int32] = []

    /// The position of the row; -1 if there is none.
    subscript(position: Int) -> Int {
        @inline(__always)
        get { position < places.count ? Int(places[position]) : -1 }
        set {
            places.reach(position, -1)
            places[position] = Int32(newValue)
        }
    }
}
