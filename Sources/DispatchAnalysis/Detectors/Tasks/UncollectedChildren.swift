import DispatchModel

/// A task group keeps finished child tasks, because its task adds children and collects none.
///
/// ## Definition
///
/// A task group keeps each finished child until its task collects the result with `next()`, or until the group ends.
/// The group is reported when it keeps at least 1,000 finished children at one time, and all of these conditions hold
/// while the number grows:
///
/// - The task suspends for something other than the group and then adds children, at least 10 times: children are added
///   as events arrive.
/// - The growth lasts at least 250 ms, or 10 % of the recording.
///
/// ```
///   children added   ▲▲▲   ▲▲▲▲   ▲▲▲   ▲▲▲▲   ▲▲▲   ▲▲▲▲   ▲▲▲
///   the task            ░░░    ░░░░   ░░░    ░░░   ░░░    ░░░      ░ suspended until the next event
///   kept             ▁▁▁▁▂▂▂▂▂▃▃▃▃▃▄▄▄▄▄▄▅▅▅▅▅▅▆▆▆▆▆▆▆▇▇▇▇▇▇▇      60,000 finished children
/// ```
///
/// The cost is the time for which the number grows. Children of groups that discard results (`withDiscardingTaskGroup`)
/// are excluded, because such a group releases a child when it ends. A group that receives all its children at once is
/// excluded as well: the number of its children is limited by the loop that adds them.
///
/// ## Thresholds
///
/// - children = 1000: The smallest number of finished children that the group keeps. They take about a megabyte.
/// - rounds = 10: How often the task suspends for something else and then adds children. A smaller number may be the
///   reading of the input.
///
/// ## Why it matters
///
/// A finished child keeps its task object, its result and the first part of its task allocator: 1.4 KB for a child
/// without a result. A loop that never ends takes memory until the process is killed. An error of a child is not
/// noticed until its result is collected.
///
/// ## What it cannot see
///
/// The size of the results. Groups of traces before schema 1.7, and of a Swift runtime whose task layout is unknown.
/// A task that never suspends while it adds children, because its input is always ahead. The suspensions of a task
/// with nested groups count for the group to which it added the last child.
///
/// A sampled trace (`record --budget`): a child whose collection was not recorded would count as kept.
///
/// ## Advice
///
/// Use `withDiscardingTaskGroup` when the results are not needed. Otherwise call `next()` before another child is
/// added, as soon as the group has a few children per processor.
///
/// ## Source
///
/// SE-0381: "a TaskGroup must keep child task results until they are consumed", and a server that never calls `next()`
/// leaks them. It adds `DiscardingTaskGroup` for this reason.
public struct UncollectedChildren: Detector {
    public static let id = "uncollected-children"
    public static let title = "A task group keeps finished child tasks that are not collected"
    public static let follows: ObservationKinds = [.keptChildren, .tasks]
    public static let needsAllItems = true

    private static let children = Threshold("children", 1000)
    private static let rounds = Threshold("rounds", 10)
    public static let thresholds: [any ThresholdDeclaration] = [children, rounds]

    private let limits: Thresholds
    private var groups: [KeptGroups.Key: KeptGroups] = [:]
    /// The function of each task that owns a reported group, by the number of the task.
    private var owners: [UInt64: CodeIndex] = [:]

    public init(thresholds: Thresholds) { limits = thresholds }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .keptChildren(let kept):
            guard kept.peak >= limits[Self.children], kept.rounds >= limits[Self.rounds] else { return }
            groups[KeptGroups.Key(child: kept.code, place: kept.place), default: KeptGroups()].add(kept)
            if kept.place == .unknown { owners[kept.owner] = .unknown }
        case .task(let task):
            if owners[task.number] != nil { owners[task.number] = task.code }
        default: break
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        groups.sorted { $0.key < $1.key }.compactMap { key, group in
            guard let worst = group.tally.costliest.elements.first, LargeCase.includes(worst.growth, in: model)
            else { return nil }
            let place = key.place == .unknown ? owners[worst.owner] ?? .unknown : key.place
            return Self.finding(group, worst, adds: place, in: model)
        }
    }
}

/// Groups whose children run one function and are added at one place.
private struct KeptGroups {
    struct Key: Hashable, Comparable {
        let child: CodeIndex
        let place: CodeIndex

        static func < (left: Self, right: Self) -> Bool { (left.child, left.place) < (right.child, right.place) }
    }

    private(set) var tally = CaseStatistics<KeptChildren>()
    private(set) var most = 0

    mutating func add(_ kept: KeptChildren) {
        most = max(most, kept.peak)
        tally.add(kept, cost: kept.growth, from: kept.begin, to: kept.peakedAt, thread: kept.thread)
    }
}

// MARK: - Texts

extension UncollectedChildren {
    private static func finding(
        _ group: KeptGroups, _ worst: KeptChildren, adds code: CodeIndex, in model: DispatchModel
    ) -> Finding {
        let place = model.place(of: code)
        let child = model.place(of: worst.code)
        let collected = worst.collected == 0 ? "none of them" : "only \(Figures.count(worst.collected)) of them"
        return Finding(
            detector: id, severity: .warning,
            summary: "A task group keeps \(Figures.count(group.most)) finished child tasks\(child): the task that adds "
                + "them\(place) collects \(collected) for \(worst.growth).",
            queues: [], begin: group.tally.begin, end: group.tally.end, cost: group.tally.worst,
            occurrences: group.tally.count,
            measures: [
                .count("groups", group.tally.count), .count("children kept at once", group.most),
                .duration("kept children grow for", group.tally.worst),
                .count("suspensions between additions", worst.rounds),
                .count("children collected", worst.collected),
            ],
            evidence: group.tally.costliest.elements.sorted { $0.begin < $1.begin }.map { kept in
                Evidence(
                    time: kept.begin, thread: kept.thread, event: "task_finish",
                    detail: "The first child finishes and is not collected. \(kept.growth) later the group of task "
                        + "\(kept.owner) keeps \(Figures.count(kept.peak)).")
            },
            code: DistinctValues([worst.code, code]).elements,
            advice: Advice(
                .collectChildren, "Use withDiscardingTaskGroup for the children\(child) if their results are not ",
                "needed: it releases each child when it ends. Otherwise call next()\(place) before another child is ",
                "added, once the group has a few children per processor."))
    }
}
