/// Invariants that hold in every complete trace, checked while the model is built. Each has the number of checks and of
/// violations.
public struct ModelInvariants: Sendable {
    /// The result of checking one invariant.
    public struct Tally: Sendable, Equatable {
        /// Number of checks.
        public internal(set) var checked = 0
        /// Number of violations.
        public internal(set) var violations = 0

        @inline(__always)
        mutating func check(_ holds: Bool) {
            checked += 1
            if !holds { violations += 1 }
        }
    }

    /// Items that exclude each other did not run at the same time.
    public internal(set) var exclusion = Tally()
    /// Items of a serial queue began in the order of their submission.
    public internal(set) var order = Tally()
    /// Submission, begin and end of an item were recorded in this order.
    public internal(set) var times = Tally()
    /// A sync returned after its item had ended.
    public internal(set) var syncReturns = Tally()
    /// An item that began had been submitted.
    public internal(set) var enqueues = Tally()
    /// An item that ended had begun.
    public internal(set) var ends = Tally()
    /// For each queue, the number of waiting items integrated over time equals the sum of the waits (Little's law).
    public internal(set) var littlesLaw = Tally()

    init() {}
}
