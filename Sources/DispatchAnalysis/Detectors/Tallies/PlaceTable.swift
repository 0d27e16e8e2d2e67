/// Where an observer keeps what it knows of a queue, a lock or a piece of code, by the position of that in the model.
struct PlaceTable {
    private var places: [Int32] = []

    /// The place; -1 for none.
    subscript(position: Int) -> Int {
        @inline(__always)
        get { position < places.count ? Int(places[position]) : -1 }
        set {
            places.reach(position, -1)
            places[position] = Int32(newValue)
        }
    }
}
