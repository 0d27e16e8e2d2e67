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
}

extension ModelObserver {
    public var followed: ObservationKinds { .all }
}
