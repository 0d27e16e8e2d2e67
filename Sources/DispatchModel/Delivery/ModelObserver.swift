/// A consumer of the model, such as a detector, a table of statistics or a timeline.
public protocol ModelObserver {
    /// The kinds of observations that it reads. The model skips expensive kinds that no observer reads. Default: all.
    var followed: ObservationKinds { get }

    /// Called for every batch of observations, possibly on another thread than the model's, but by one thread at a
    /// time.
    ///
    /// - Parameters:
    ///   - batch: the observations in order.
    ///   - model: the entities at the time of the observations. It contains every entity that the batch refers to.
    mutating func observe(_ batch: borrowing ObservationBatch, in model: DispatchModel)

    /// Called for every observation of a batch, unless the observer implements the method for batches. Items come in
    /// the order of their ends, and acquisitions in the order of their releases.
    ///
    /// - Parameters:
    ///   - observation: the observation.
    ///   - model: the entities known so far. It contains every entity that the observation refers to.
    mutating func observe(_ observation: Observation, in model: DispatchModel)

    /// Called for every item, instead of the method for observations. Items are the most frequent kind.
    ///
    /// - Parameters:
    ///   - item: an item that ended, or that was running at the end of the trace.
    ///   - model: the entities known so far.
    mutating func observe(_ item: Item, in model: DispatchModel)
}

extension ModelObserver {
    /// Passes on one observation after the other: all items, and the followed kinds of other observations. A batch
    /// contains the kinds that all observers of a pass follow together.
    public mutating func observe(_ batch: borrowing ObservationBatch, in model: DispatchModel) {
        let followed = followed
        var next = 0
        for position in 0...batch.otherCount {
            let end = position < batch.otherCount ? batch.itemsBefore(other: position) : batch.itemCount
            while next < end {
                let item = batch.row(next)
                observe(item.copy, in: model)
                if followed.contains(.queueAcquisitions), let acquisition = item.acquisition {
                    observe(.acquisition(acquisition), in: model)
                }
                next += 1
            }
            if position < batch.otherCount, !followed.isDisjoint(with: batch.kind(ofOther: position)) {
                observe(batch[other: position], in: model)
            }
        }
    }

    /// Passes the item on as an observation.
    public mutating func observe(_ item: Item, in model: DispatchModel) { observe(.item(item), in: model) }

    public var followed: ObservationKinds { .all }
}
