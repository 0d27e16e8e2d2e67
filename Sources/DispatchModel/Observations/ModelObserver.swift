/// Something that follows the model: a detector, a statistics table, a timeline.
public protocol ModelObserver {
    /// The kinds of observations that it reads; the model does not work out others that cost time. All by default.
    var followed: ObservationKinds { get }

    /// Called for every batch of observations, possibly on another thread than the model's, but never twice at a time.
    ///
    /// - Parameters:
    ///   - batch: what became known, in order.
    ///   - model: the entities as they were when it became known; everything the batch refers to is in it.
    mutating func observe(_ batch: borrowing ObservationBatch, in model: DispatchModel)

    /// Called for every observation of a batch, unless the observer takes whole batches. Items come in the order of their
    /// end, acquisitions in the order of their release.
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
    /// Hands over one observation after the other: every item, and of the others the kinds that are followed. A batch
    /// has what all observers of a pass follow together.
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

    /// Hands the item over as an observation.
    public mutating func observe(_ item: Item, in model: DispatchModel) { observe(.item(item), in: model) }

    public var followed: ObservationKinds { .all }
}
