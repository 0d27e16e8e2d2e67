/// The picture of a finding on the timeline page: the choice of the interval and the rows, a labelled bracket, and a
/// hint for reading the picture. The page chooses the interval, because it has the items that the detector does not
/// keep.
///
/// A detector declares its focus (``Detector/focus``). The page has one function for each scene and for each callout,
/// and does not know detectors.
public struct FindingFocus: Sendable, Equatable, Encodable {
    /// The interval and the rows.
    public enum Scene: String, Sendable, CaseIterable, Encodable {
        /// A moment in which the single items of the evidence and of the queues are readable.
        case moment
        /// Hand-offs of a lock or an exclusion queue, one after the other.
        case handOffs
        /// The interval in which items of the queues overlap most.
        case overlap
        /// Barriers and other items that take turns.
        case barriers
        /// The interval in which most hierarchies begin items.
        case hierarchies
        /// Objects whose handler was set after their activation.
        case lateMutations
        /// Objects whose target was changed after their activation.
        case lateRetargets
        /// The lives of the tasks in the evidence.
        case tasks
        /// The lives of the tasks whose continuation is never resumed.
        case unresumedTasks
        /// Tasks that take turns on an actor.
        case actorTurns
        /// A task that switches between actors.
        case actorHops
        /// Short tasks, and the number of tasks.
        case shortTasks
        /// The number of tasks.
        case taskCount
    }

    /// The bracket. The page shows ``Callout/longest`` when the items of another callout are not in the interval.
    public enum Callout: String, Sendable, CaseIterable, Encodable {
        /// The longest wait of the evidence, otherwise the longest item.
        case longest
        /// The hand-off of median length.
        case handOff
        /// The interval in which most items run at once.
        case overlap
        /// The number of hierarchies with work.
        case hierarchies
        /// The number of workers at the first evidence.
        case workers
        /// The time without a free worker.
        case starvation
        /// The longest time from an activation to a late change.
        case lateChange
        /// The item with the longest wait that never began.
        case neverBegan
        /// The item that occupies the queue when a timer is due.
        case lateTimer
        /// The two places of the evidence.
        case bothOrders
        /// The time in which a thread has no iteration left.
        case idleThread
        /// The longest wait for a barrier, or of a barrier.
        case barrierWait
        /// The wait of a task that is never resumed.
        case unresumed
        /// The switch of median length to another actor.
        case actorHop
        /// The longest wait for an actor.
        case actorWait
        /// The time with most tasks.
        case mostTasks
        /// The length of a number of short tasks.
        case shortTasks
    }

    /// The interval and the rows.
    public let scene: Scene
    /// The bracket.
    public let callout: Callout
    /// Whether the workers of the thread pool are the first row.
    public let showsWorkers: Bool
    /// How to read the picture, in one or two sentences.
    public let hint: String

    /// Creates a focus. Without arguments it is the focus of a detector that declares none.
    public init(
        _ scene: Scene = .moment, callout: Callout = .longest, showsWorkers: Bool = false,
        hint: String = "The numbered flags are the evidence; press E for the next one."
    ) {
        self.scene = scene
        self.callout = callout
        self.showsWorkers = showsWorkers
        self.hint = hint
    }
}

extension Finding {
    /// The picture of the finding on the timeline page.
    public var focus: FindingFocus { DetectorRegistry.detector(id: detector)?.focus ?? FindingFocus() }
}
