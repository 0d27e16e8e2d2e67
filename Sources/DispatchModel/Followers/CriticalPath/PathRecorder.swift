/// Writes the steps of causes and effects, which ``PathTracker`` follows on another thread.
///
/// The model refers to paths by marks. A mark is the position of a thread at a time, and is kept until an effect of it
/// is recorded. Items, sources and queues need no marks, because their steps contain their positions.
struct PathRecorder: ~Copyable {
    /// Whether at least one observer needs critical paths.
    let isFollowed: Bool
    let isOfAnItem: Bool
    /// The name of the signposts whose longest interval was requested.
    let signpost: String?
    /// The deadline of a timer that fired, by position of the source. Kept until its handler begins.
    var dueTimes: [Int32: Int64] = [:]
    private let pipeline: ObservationPipeline
    /// The last sampled call by the code of the item, or by the thread outside of items.
    private var calls: [Int64: SampledCall] = [:]
    /// Number of references to each mark.
    private var references = RowTable<Int32>()
    private var free = RowTable<Int32>()

    /// The kind of a sampled call, and the code that made it.
    struct SampledCall {
        let kind: CriticalPath.Kind
        let code: CodeIndex
    }

    /// Stores the call of an absence, or finds the last one of the same item code or the same thread. The recorder
    /// samples few of many short calls.
    mutating func sample(_ call: BlockedCall?, of item: PathItem, on thread: ThreadIndex) -> SampledCall? {
        let key = item.code > 0 ? Int64(item.code) : -1 - Int64(thread.rawValue)
        guard let call else { return calls[key] }
        let sampled = SampledCall(kind: CriticalPath.Kind(ofCall: call.call, on: call.descriptor), code: call.code)
        calls[key] = sampled
        return sampled
    }

    init(target: CriticalPath.Target?, pipeline: ObservationPipeline) {
        isFollowed = target != nil
        isOfAnItem = target?.isOfAnItem ?? false
        signpost = if case .signpost(let name) = target { name } else { nil }
        self.pipeline = pipeline
        pipeline.followPaths(to: target)
    }

    /// Adds a step, if paths are followed.
    @inline(__always)
    func add(_ step: PathStep) { if isFollowed { pipeline.append(step) } }

    /// Adds a step of a thread that runs `item`, or acts on it.
    ///
    /// - Parameters:
    ///   - place: the meaning depends on the kind of the step.
    ///   - domain: the exclusion queue that is held; -1 for none.
    ///   - source: the source whose handler the item is; -1 for none.
    ///   - since: when the operation began; nil if that is not needed.
    @inline(__always)
    func add(
        _ kind: PathStep.Kind, at moment: Moment, item: PathItem, place: Int32 = -1, domain: Int32 = -1,
        source: Int32 = -1, since: Int64? = nil
    ) {
        guard isFollowed else { return }
        var step = PathStep(
            time: moment.time, number: item.number, code: item.code, queue: item.queue, place: place,
            thread: UInt16(truncatingIfNeeded: moment.thread.rawValue), kind: kind)
        if domain >= 0, domain == item.queue { step.traits = .holdsQueue }
        if source >= 0 || since != nil || moment.thread.rawValue > UInt16.max || domain >= 0 && domain != item.queue {
            step.traits = .hasMore
            pipeline.append(
                PathStep(
                    time: since ?? 0, code: domain, queue: source, place: moment.thread.rawValue,
                    kind: .more))
        }
        pipeline.append(step)
    }

    /// Creates a mark at the position of a thread, with one reference for the caller; -1 when no paths are followed.
    mutating func mark(at moment: Moment, item: PathItem) -> Int32 {
        guard isFollowed else { return -1 }
        let mark = free.popLast() ?? Int32(references.count)
        if mark == references.count { references.append(0) }
        references[Int(mark)] = 1
        add(.mark, at: moment, item: item, place: mark)
        return mark
    }

    /// Adds a reference to a mark; -1 is none.
    mutating func retain(_ mark: Int32) { if mark >= 0 { references[Int(mark)] += 1 } }

    /// Removes a reference to a mark; -1 is none.
    mutating func release(_ mark: Int32) {
        guard mark >= 0 else { return }
        references[Int(mark)] -= 1
        guard references[Int(mark)] == 0 else { return }
        free.append(mark)
        add(PathStep(place: mark, kind: .release))
    }

    /// Replaces a stored mark, releasing the old one. Takes ownership of the reference to the new one.
    mutating func replace(_ kept: inout Int32, with mark: Int32) {
        release(kept)
        kept = mark
    }
}
