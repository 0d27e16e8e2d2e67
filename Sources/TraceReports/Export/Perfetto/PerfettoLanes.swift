import DispatchModel

/// Places what overlaps on separate tracks: slices on one track of Perfetto must nest.
///
/// Intervals come in the order of their end, so one fits on a lane when it begins after the last that is there ended:
///
/// ```
///   lane 0   ├─1─┤      ├──3──┤
///   lane 1      ├──2──┤         ├─4─┤
/// ```
struct PerfettoLanes {
    let kind: PerfettoTrack.LaneKind
    /// By number of the group, such as the position of a queue: the last end on each lane.
    private(set) var lastEnds: [[Timestamp]] = []

    init(kind: PerfettoTrack.LaneKind) { self.kind = kind }

    /// The track for an interval of a group.
    mutating func track(of group: Int, begin: Timestamp, end: Timestamp) -> PerfettoTrack {
        while lastEnds.count <= group { lastEnds.append([]) }
        // The lane that ended last leaves the others free for those that began earlier.
        var best = -1
        for (lane, lastEnd) in lastEnds[group].enumerated() where lastEnd <= begin {
            if best < 0 || lastEnd > lastEnds[group][best] { best = lane }
        }
        if best < 0 {
            best = lastEnds[group].count
            lastEnds[group].append(end)
        } else {
            lastEnds[group][best] = end
        }
        return .lane(kind, group: group, lane: best)
    }
}
