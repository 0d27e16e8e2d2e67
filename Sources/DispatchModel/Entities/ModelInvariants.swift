/// Facts that hold in every complete trace, checked while the model is built: how often, and how often in vain.
public struct ModelInvariants: Sendable {
    /// How often an invariant was checked.
    public struct Tally: Sendable, Equatable {
        /// Facts that were checked.
        public internal(set) var checked = 0
        /// Facts that violate the invariant.
        public internal(set) var violations = 0

        @inline(__always)
        mutating func check(_ holds: Bool) {
            checked += 1
            if !holds { violations += 1 }
        }
    }

    /// Items that may not run at the same time did not.
    public internal(set) var exclusion = Tally()
    /// Items of a serial queue began in the order they were submitted.
    public internal(set) var order = Tally()
    /// Submission, begin and end of an item came in this order.
    public internal(set) var times = Tally()
    /// A sync returned after its item had ended.
    public internal(set) var syncReturns = Tally()
    /// An item that began had been submitted.
    public internal(set) var enqueues = Tally()
    /// An item that ended had begun.
    public internal(set) var ends = Tally()
    /// Per queue: the number of waiting items integrated over time is the sum of the waits (Little's law).
    public internal(set) var littlesLaw = Tally()

    init() {}
}
