/// An interval that has begun: hand it to `Signposter.endInterval`.
public struct SignpostIntervalState: Sendable {
    /// The interval's id in the trace; `.exclusive` when it began while nothing recorded.
    public let id: SignpostID

    @usableFromInline
    init(id: SignpostID) { self.id = id }
}
