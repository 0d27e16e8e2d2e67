/// A dispatch group.
public struct Group: Sendable {
    /// Its place in the model.
    public let index: GroupIndex
    /// The recorder's id, which another group may have had before.
    public let id: UInt64
    /// Where the program created it; unknown when its creation was not recorded.
    public let creationCode: CodeIndex
    /// When it was created, or first seen.
    public let createdAt: Timestamp
    /// Its creation was recorded, so that the counts below are complete.
    public let isCreationKnown: Bool
    /// How often it was entered, by asyncs in the group too.
    public internal(set) var enters = 0
    /// How often it was left.
    public internal(set) var leaves = 0
    /// Leaves without an enter before them; libdispatch ends a process for that, so the enter was not recorded.
    public internal(set) var unmatchedLeaves = 0
    /// Waits for it that ended, time-outs included.
    public internal(set) var waits = 0
    /// Waits that ended by their time-out.
    public internal(set) var timeouts = 0
    /// Notifications asked for.
    public internal(set) var notifies = 0
    /// Notifications that still wait for it to become empty.
    public internal(set) var openNotifies = 0
    /// How often it became empty.
    public internal(set) var emptied = 0
    /// When it was left last.
    public internal(set) var lastLeave: Timestamp?
    /// The thread that left it last.
    public internal(set) var lastLeftOn: ThreadIndex?
    /// When it was entered last.
    public internal(set) var lastEnter: Timestamp?
    /// The thread that entered it last.
    public internal(set) var lastEnteredOn: ThreadIndex?

    /// Enters that have not been left yet.
    public var outstanding: Int { max(0, enters - leaves + unmatchedLeaves) }
}
