import DispatchModel

/// The program's work is spread over more queue hierarchies than its processors can serve, or over the shared global
/// queues.
///
/// ## Definition
///
/// A *tree* is a hierarchy with a serial queue at its bottom: its exclusion queue. The detector reports one note for
/// the whole program when at least one of these holds:
///
/// - *Many trees*: within 10 ms, items of more than 4 trees ended, and of more than twice as many trees as there are
///   processors. Syncs are not counted, because they run on the threads of their callers.
/// - *Global work*: at least 1,000 items were submitted to the global queues directly, and they are at least half of
///   all items. Swift's concurrency runtime, which has its own limits, is not counted.
///
/// The note also has the number of private concurrent queues, and of queues without a label, that ran items.
///
/// ```
///   a ─► root     b ─► root     c ─► root  …        each tree asks for a thread of its own
///
///   a ─┐
///   b ─┼─► subsystem ─► root                        three queues, one thread
///   c ─┘
/// ```
///
/// ## Thresholds
///
/// - trees = 4: Trees that are active at the same time. More than this number are many.
/// - per-processor = 2: Active trees per processor. More than this number are many. One tree per processor is the
///   purpose of trees.
/// - global = 1000: Items on global queues.
///
/// ## Why it matters
///
/// Each active tree needs a worker thread. With more trees than processors, the threads compete: context switches, cold
/// caches, and contention for locks between them. The number of items that run on global queues at once has no limit.
///
/// ## What it cannot see
///
/// Which trees could be merged: the trees whose items belong to one subsystem. Trees of the main queue, of actors, of
/// libdispatch, of libraries such as Foundation and of packages that SwiftPM fetched are not counted, because the
/// program cannot merge them. Trees of packages are assumed to be active whenever many trees are.
///
/// ## Advice
///
/// Use one serial queue per subsystem at the bottom, and target it with the other queues of the subsystem. Submit only
/// short items that never block to global queues.
///
/// ## Source
///
/// Apple, "Modernizing Grand Central Dispatch Usage" (WWDC 2017, 706): a fixed number of serial queue hierarchies.
public struct QueueForestSurvey: Detector {
    public static let id = "queue-forest"
    public static let title = "Work is spread over more queue hierarchies than the processors can serve"
    public static let follows: ObservationKinds = .items
    public static let focus = FindingFocus(
        .hierarchies, callout: .hierarchies, showsWorkers: true,
        hint: "The dashed line is the number of processors. Each queue that has work occupies its own worker.")

    private static let trees = Threshold("trees", 4)
    private static let perProcessor = Threshold("per-processor", 2)
    private static let global = Threshold("global", 1000)
    public static let thresholds: [any ThresholdDeclaration] = [trees, perProcessor, global]

    /// Trees are active together when items of them end within the same window.
    private static let window = Nanoseconds.milliseconds(10)

    private let limits: (trees: Int, perProcessor: Int, global: Int)
    /// By position of a queue: its tree at its first item; -1 for none, -2 before its first item.
    private var exclusion: [Int32] = []
    private var systemCode = SystemCode.Memo()
    /// By position of an exclusion queue: the last window in which an item of it ended.
    private var lastWindow: [Int64] = []
    private var currentWindow: Int64 = -1
    private var active = 0
    private var most = 0
    private var mostAt = Timestamp.zero
    private var globalItems = 0
    private var otherItems = 0
    private var globalCodes = Frequencies<CodeIndex>()
    private var globalQueues = DistinctIndices<QueueIndex>()

    public init(thresholds: Thresholds) {
        limits = (thresholds[Self.trees], thresholds[Self.perProcessor], thresholds[Self.global])
    }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        guard item.kind != .swiftJob, item.isFinished else { return }
        let place = item.queue.position
        if item.queueKind == .global {
            guard item.kind != .apply else { return }
            globalItems += 1
            globalCodes.add(item.code)
            globalQueues.insert(item.queue)
            return
        }
        otherItems += 1
        // A sync runs on the thread of its caller, so its tree needs no thread for it.
        guard !item.isSync else { return }
        if place >= exclusion.count || exclusion[place] == -2 { lookUp(item.queue, in: model) }
        let tree = Int(exclusion[place])
        guard tree >= 0 else { return }
        count(tree, at: item.endedAt)
    }

    /// Looks up the tree of a queue, at its first item. A later change of the target is ignored: programs set up a
    /// queue before its first item.
    @inline(never)
    private mutating func lookUp(_ queue: QueueIndex, in model: DispatchModel) {
        let bottom = model.exclusionQueue(of: queue)
        let tree = bottom.flatMap { Self.canMerge($0, &systemCode, in: model) ? $0.position : nil } ?? -1
        while exclusion.count <= max(queue.position, tree) {
            exclusion.append(-2)
            lastWindow.append(-1)
        }
        exclusion[queue.position] = Int32(tree)
    }

    /// Whether the program can merge the tree with another one. It cannot merge the main queue, an actor, a queue of
    /// libdispatch, or a queue that a library of the Swift toolchain created for itself.
    private static func canMerge(
        _ bottom: QueueIndex, _ systemCode: inout SystemCode.Memo, in model: DispatchModel
    ) -> Bool {
        let queue = model[bottom]
        return queue.kind == .serial && !queue.isOfDispatch && !systemCode.contains(queue.creationCode, in: model)
    }

    @inline(__always)
    private mutating func count(_ tree: Int, at time: Timestamp) {
        let window = time.nanoseconds / Self.window.count
        if window != currentWindow {
            currentWindow = window
            active = 0
        }
        guard lastWindow[tree] != window else { return }
        lastWindow[tree] = window
        active += 1
        if active > most {
            most = active
            mostAt = time
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        let limit = max(limits.trees, limits.perProcessor * max(1, model.processors))
        let isGlobal = globalItems >= limits.global && globalItems >= otherItems
        guard most > limit || isGlobal else { return [] }
        let busy = model.queues.indices.lazy.filter { model.loads[$0].begun > 0 }
        // All libraries and packages are recorded by the end of the trace.
        var systemCode = SystemCode.Memo()
        var isTree = Array(repeating: false, count: model.queues.count)
        for queue in busy {
            if let tree = model.exclusionQueue(of: QueueIndex(queue)) { isTree[tree.position] = true }
        }
        let mergeable = isTree.indices.filter { isTree[$0] }.map { QueueIndex($0) }
            .filter { Self.canMerge($0, &systemCode, in: model) }
        let trees = mergeable.filter { model[model[$0].creationCode].package == nil }
        let most = most - (mergeable.count - trees.count)
        let hasManyTrees = most > limit
        guard hasManyTrees || isGlobal else { return [] }
        let own = busy.filter { model.queues[$0].kind == .serial || model.queues[$0].kind == .concurrent }
        let code = globalCodes.mostFrequent(1).first { $0 != .unknown }
        var makers = Frequencies<CodeIndex>()
        for tree in trees where model[tree].creationCode != .unknown { makers.add(model[tree].creationCode) }
        let queues = hasManyTrees ? trees : globalQueues.elements
        let machine = model.processors > 0 ? " on \(Figures.plural(model.processors, "processor"))" : ""
        var facts: [String] = []
        if hasManyTrees {
            facts.append("\(Figures.count(most)) queue hierarchies are active within \(Self.window)\(machine)")
        }
        if isGlobal { facts.append("\(Figures.count(globalItems)) items went to global queues directly") }
        let names = Figures.list(model.patterns(of: trees))
        let mostly = code.map { ", mostly \(model[$0].description)," } ?? ""
        let ownQueue: [Phrase] = [
            "Move the items on global queues\(mostly, .function) to a queue of their subsystem, which limits how many ",
            "run at once.",
        ]
        let merge = Advice(
            .shareTargetQueue, "Give each subsystem one serial queue at the bottom, and target it with its other ",
            "queues: \(names, .queue).")
        return [
            Finding(
                detector: Self.id, severity: .info, summary: facts.joined(separator: ", and ") + ".", queues: queues,
                begin: model.begin, end: model.end, cost: .zero, occurrences: 1,
                measures: [
                    .count("hierarchies that ran items", trees.count),
                    .count("active at the same time", most),
                    .count("items on global queues", globalItems),
                    .count("private concurrent queues", own.count { model.queues[$0].kind == .concurrent }),
                    .count("queues without a label", own.count { model.queues[$0].label.isEmpty }),
                ],
                evidence: hasManyTrees
                    ? [
                        Evidence(
                            time: mostAt, thread: ThreadIndex(0), event: "item_end",
                            detail: "Items of \(Figures.count(most)) hierarchies end within \(Self.window).")
                    ] : [],
                // The code of items on global queues did not create the trees, so it is not a substitute for unknown
                // creators.
                code: hasManyTrees ? makers.mostFrequent(3) : code.map { [$0] } ?? [],
                advice: !hasManyTrees
                    ? Advice(.useOwnQueue, Phrase(ownQueue)) : isGlobal ? merge.adding(Phrase(ownQueue)) : merge)
        ]
    }
}
