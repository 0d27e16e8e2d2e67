/// Writes down what causes what, for ``PathTracker`` to follow on another processor.
///
/// What the model keeps of a path is a mark: where a thread was at a time, until something else goes on because of it.
/// Items, sources and queues need none, as their steps say where they are.
struct PathRecorder: ~Copyable {
    /// Somebody wants to know any path.
    let isFollowed: Bool
    let isOfAnItem: Bool
    /// The name of the signposts whose longest interval is asked for.
    let signpost: String?
    /// By position of the source: when the timer was due that fires, until its handler begins.
    var dueTimes: [Int32: Int64] = [:]
    private let pipeline: ObservationPipeline
    /// How many things keep each mark.
    private var keepers = RowTable<Int32>()
    private var free = RowTable<Int32>()

    init(target: CriticalPath.Target?, pipeline: ObservationPipeline) {
        isFollowed = target != nil
        isOfAnItem = target?.isOfAnItem ?? false
        signpost = if case .signpost(let name) = target { name } else { nil }
        self.pipeline = pipeline
        pipeline.followPaths(to: target)
    }

    /// Adds a step, when somebody follows.
    @inline(__always)
    func add(_ step: PathStep) { if isFollowed { pipeline.append(step) } }

    /// Adds a step of what a thread does in the middle of `item`, or with it.
    ///
    /// - Parameters:
    ///   - place: what the kind of the step says.
    ///   - domain: the exclusion queue that is held; -1 for none.
    ///   - source: the source whose handler it is; -1 for none.
    ///   - since: when it began; nil when nobody asks.
    @inline(__always)
    func add(
        _ kind: PathStep.Kind, thread: Int, at time: Int64, item: PathItem, place: Int32 = -1, domain: Int32 = -1,
        source: Int32 = -1, since: Int64? = nil
    ) {
        guard isFollowed else { return }
        var step = PathStep(
            time: time, number: item.number, code: item.code, queue: item.queue, place: place,
            thread: UInt16(truncatingIfNeeded: thread), kind: kind)
        if domain >= 0, domain == item.queue { step.traits = .holdsQueue }
        if source >= 0 || since != nil || thread > UInt16.max || domain >= 0 && domain != item.queue {
            step.traits = .hasMore
            pipeline.append(
                PathStep(
                    time: since ?? 0, code: domain, queue: source, place: Int32(truncatingIfNeeded: thread),
                    kind: .more))
        }
        pipeline.append(step)
    }

    /// A mark where a thread is now, which the caller keeps; -1 when nobody follows paths.
    mutating func mark(thread: Int, at time: Int64, item: PathItem) -> Int32 {
        guard isFollowed else { return -1 }
        let mark = free.popLast() ?? Int32(keepers.count)
        if mark == keepers.count { keepers.append(0) }
        keepers[Int(mark)] = 1
        add(.mark, thread: thread, at: time, item: item, place: mark)
        return mark
    }

    /// Another thing keeps a mark; -1 is none.
    mutating func retain(_ mark: Int32) { if mark >= 0 { keepers[Int(mark)] += 1 } }

    /// A thing keeps a mark no more; -1 is none.
    mutating func release(_ mark: Int32) {
        guard mark >= 0 else { return }
        keepers[Int(mark)] -= 1
        guard keepers[Int(mark)] == 0 else { return }
        free.append(mark)
        add(PathStep(place: mark, kind: .release))
    }

    /// A thing keeps another mark instead of the one that it has.
    mutating func replace(_ kept: inout Int32, with mark: Int32) {
        release(kept)
        kept = mark
    }
}
