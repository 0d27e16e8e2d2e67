/// What a user can change about how a trace is read.
public struct ModelOptions: Sendable {
    /// How far the clocks of two threads may disagree before it counts as a violation of an invariant.
    ///
    /// Reason for 200 ns: one time stamp counter serves all threads, but the instruction may be executed some tens of
    /// nanoseconds before or after the store that it describes, and the counters of two processors are only
    /// synchronised to about as much. Two hundred nanoseconds is well above both and well below any real overlap.
    public var clockTolerance: Nanoseconds
    /// What to find the critical path of; nil for nothing, which saves the time.
    public var criticalPath: CriticalPath.Target?

    /// - Parameters:
    ///   - clockTolerance: how far the clocks of two threads may disagree.
    ///   - criticalPath: what to find the critical path of; nil for nothing.
    public init(clockTolerance: Nanoseconds = Nanoseconds(200), criticalPath: CriticalPath.Target? = nil) {
        self.clockTolerance = clockTolerance
        self.criticalPath = criticalPath
    }
}
