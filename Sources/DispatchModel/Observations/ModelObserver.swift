/// Something that follows the model: a detector, a statistics table, a timeline.
public protocol ModelObserver {
    /// The kinds of observations that it reads; the model does not work out others that cost time. All by default.
    var followed: ObservationKinds { get }

    /// Called for every observation. Items come in the order of their end, acquisitions in the order of their release.
    ///
    /// - Parameters:
    ///   - observation: the new fact.
    ///   - model: the entities known so far; everything the observation refers to is in it.
    mutating func observe(_ observation: Observation, in model: DispatchModel)

    /// Called in place of the above for items, which are by far the most frequent.
    ///
    /// - Parameters:
    ///   - item: an item that ended, or that the trace's end cut off.
    ///   - model: the entities known so far.
    mutating func observe(_ item: Item, in model: DispatchModel)
}

extension ModelObserver {
    /// Hands the item over as an observation.
    public mutating func observe(_ item: Item, in model: DispatchModel) { observe(.item(item), in: model) }

    public var followed: ObservationKinds { .all }
}
