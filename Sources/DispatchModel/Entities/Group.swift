/// A dispatch group.
public struct Group: Sendable {
    /// Its place in the model.
    public let index: GroupIndex
    /// The recorder's id, which can be reused after the group is gone.
    public let id: UInt64
    /// Where the program created it; unknown when its creation was not recorded.
    public let creationCode: CodeIndex
    /// When it was created, or first seen.
    public let createdAt: Timestamp
    /// Whether its creation was recorded, so that the counts below are complete.
    public let isCreationKnown: Bool
    /// Number of enters. Asyncs in the group also enter it.
    public internal(set) var enters = 0
    /// Number of leaves.
    public internal(set) var leaves = 0
    /// Leaves without a matching enter. libdispatch terminates a process for these, so the enter is missing from the
    /// trace.
    public internal(set) var unmatchedLeaves = 0
    /// Waits that ended, including time-outs.
    public internal(set) var waits = 0
    /// Waits that timed out.
    public internal(set) var timeouts = 0
    /// Notifications that still wait for the group to become empty.
    public internal(set) var openNotifies = 0
    /// When the last leave was recorded.
    public internal(set) var lastLeave: Timestamp?
    /// The thread of the last leave.
    public internal(set) var lastLeftOn: ThreadIndex?
    /// When the last enter was recorded.
    public internal(set) var lastEnter: Timestamp?
    /// The thread of the last enter.
    public internal(set) var lastEnteredOn: ThreadIndex?

    /// Enters that have no leave yet.
    public var outstanding: Int { max(0, enters - leaves + unmatchedLeaves) }
}
