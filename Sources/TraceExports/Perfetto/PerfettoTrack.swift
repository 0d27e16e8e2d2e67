import DispatchModel

/// A track of the file. Its number is unique in the file and the same in every export.
enum PerfettoTrack: Hashable {
    /// The kind of contents of the lanes of a group.
    enum LaneKind: UInt64 {
        case queue = 1, signpost
    }

    case process
    /// Parent tracks without contents of their own.
    case queues, findings, signposts
    case queue(Int)
    case thread(ThreadIndex)
    case lane(LaneKind, group: Int, lane: Int)
    case depth(Int)
    case finding(Int)

    /// The kind of track, the group and the lane, in separate bits.
    var number: UInt64 {
        func number(_ kind: UInt64, _ group: Int = 0, _ lane: Int = 0) -> UInt64 {
            kind << 56 | UInt64(group) << 24 | UInt64(lane)
        }
        return switch self {
        case .process: number(1)
        case .queues: number(2)
        case .findings: number(3)
        case .signposts: number(4)
        case .queue(let queue): number(5, queue)
        case .thread(let thread): number(6, thread.position)
        case .depth(let queue): number(7, queue)
        case .finding(let position): number(8, position)
        case .lane(let kind, let group, let lane): number(16 + kind.rawValue, group, lane)
        }
    }
}
