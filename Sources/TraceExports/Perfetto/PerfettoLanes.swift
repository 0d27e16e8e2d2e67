import DispatchModel

/// Assigns overlapping intervals to separate tracks, because slices on one Perfetto track must nest.
///
/// Intervals are added in the order of their ends. An interval fits on a lane when it begins after the end of the last
/// interval of the lane:
///
/// ```
///   lane 0   ├─1─┤      ├──3──┤
///   lane 1      ├──2──┤         ├─4─┤
/// ```
struct PerfettoLanes {
    let kind: PerfettoTrack.LaneKind
    /// The end of the last interval of each lane, indexed by group (for example a queue position).
    private(set) var lastEnds: [[Timestamp]] = []

    init(kind: PerfettoTrack.LaneKind) { self.kind = kind }

    /// The track for an interval of a group.
    mutating func track(of group: Int, begin: Timestamp, end: Timestamp) -> PerfettoTrack {
        while lastEnds.count <= group { lastEnds.append([]) }
        // Prefer the lane with the latest end, so that lanes with earlier ends stay free for intervals that begin
        // earlier.
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
