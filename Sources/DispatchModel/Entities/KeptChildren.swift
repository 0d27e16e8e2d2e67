/// Finished children that a task group keeps, because its task adds further children and collects no results.
///
/// ```
///   children added    ▲▲▲   ▲▲▲▲   ▲▲▲   ▲▲▲▲   ▲▲▲           ▲▲▲
///   task of the group    await  await  await  await   …           next() next() next()
///   kept              ▁▁▂▂▂▂▃▃▃▃▃▃▄▄▄▄▄▄▅▅▅▅▅▅▅▆▆▆▆▆▆ peak    ▅▄▃▂▁
///                       begin                        peakedAt
/// ```
///
/// A group keeps each finished child until `next()` returns its result. Groups that discard results keep none.
public struct KeptChildren: Sendable {
    /// The smallest peak that is reported.
    static let smallest = 100

    /// The number of the task that the group belongs to.
    public let owner: UInt64
    /// The function of the first kept child.
    public let code: CodeIndex
    /// When the first kept child finished.
    public internal(set) var begin: Timestamp
    /// The thread on which the first kept child finished.
    public let thread: ThreadIndex
    /// The largest number of finished children that the group kept at one time.
    public internal(set) var peak = 0
    /// When the number was highest for the first time.
    public internal(set) var peakedAt: Timestamp
    /// How often, until then, the task suspended for something other than the group and added children afterwards.
    public internal(set) var rounds = 0
    /// How many finished children the task collected until then.
    public internal(set) var collected = 0
    /// The place of the last such suspension in the program; unknown for none.
    public internal(set) var place = CodeIndex.unknown

    /// For how long the number of kept children grew.
    public var growth: Nanoseconds { peakedAt - begin }
}
