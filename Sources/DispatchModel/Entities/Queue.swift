/// A dispatch queue, an actor or an event loop.
public struct Queue: Sendable {
    /// The kinds of queues.
    public enum Kind: String, Sendable {
        case serial, concurrent, global, main, workloop
        /// An actor, or another serial executor of Swift Concurrency; not a queue of libdispatch. Its items are the
        /// intervals for which tasks run on it.
        case actor
        /// A thread that polls in a loop; not a queue of libdispatch. Its items are the iterations.
        case eventLoop = "event_loop"
        /// Items refer to the queue, but no definition of it was recorded.
        case unknown
    }

    // The order of the fields minimises padding, because a trace can have a million queues.

    /// Its place in the model.
    public let index: QueueIndex
    /// The position of the exclusion queue of its hierarchy; -1 for none.
    var exclusion: Int32 = -1
    /// libdispatch's serial number, unique for the life of the process.
    public let serialNumber: UInt64
    /// The label that the program gave it; empty when unknown.
    public var label = ""
    /// The queues that target this one, in the order of their creation.
    public var children: [QueueIndex] = []
    /// When the creation was recorded; nil for a queue that existed before the recording.
    public var createdAt: Timestamp?
    /// The kind.
    public var kind = Kind.unknown
    /// The requested quality of service.
    public var qos = QoSClass.unspecified
    /// Where the program created it.
    public var creationCode = CodeIndex.unknown
    /// When its last reference was released.
    public var disposedAt: Timestamp?
    /// Whether it was created inactive.
    public internal(set) var isCreatedInactive = false
    /// Whether its target may change while it is active. True for queues of `dispatch_queue_create`.
    public internal(set) var isTargetMutable = false
    /// Whether it is the executor of the main actor.
    public internal(set) var isMainExecutor = false
    /// The call stack of its creation.
    public var creationStack = StackIndex.none
    /// When it was activated, which is at its creation unless it was created inactive; nil when that was not recorded.
    public internal(set) var activatedAt: Timestamp?
    /// The position of the thread that created it; -1 for none.
    var creator: Int32 = -1
    /// The target queue; nil for root queues, and when it was not recorded.
    public var target: QueueIndex?
    /// How many items can run at once; 1 for a serial queue.
    public var width = 0
    /// Suspensions without a resume. The inactive state does not count as one.
    public internal(set) var suspensions = 0
    /// How often its target changed after its creation.
    public internal(set) var retargets = 0

    /// The thread that created it; nil for a queue that existed before the recording.
    public internal(set) var createdOn: ThreadIndex? {
        get { creator < 0 ? nil : ThreadIndex(Int(creator)) }
        set { creator = newValue?.rawValue ?? -1 }
    }

    /// The display name: the label, with Foundation's `NSOperationQueue 0x000055…` shortened to `OperationQueue 0x55…`;
    /// empty without a label.
    public var name: String {
        guard label.hasPrefix(Self.operationQueuePrefix) else { return label }
        let digits = label.dropFirst(Self.operationQueuePrefix.count)
        guard digits.allSatisfy(\.isHexDigit) else { return label }
        return "OperationQueue 0x" + digits.drop { $0 == "0" }
    }

    private static let operationQueuePrefix = "NSOperationQueue 0x"

    /// Placeholder queues for work that has no queue. The raw value is their serial number here. No trace contains it,
    /// because the serial numbers of a trace have 48 bits.
    enum Placeholder: UInt64 {
        /// Iterations of a concurrentPerform for which libdispatch chooses the queue.
        case concurrentPerform = 0x1_0000_0000_0000
        /// `DispatchWorkItem.perform()`, which runs the item in the caller.
        case perform = 0x1_0000_0000_0001

        var label: String {
            switch self {
            case .concurrentPerform: "concurrentPerform"
            case .perform: "DispatchWorkItem.perform"
            }
        }
    }

    /// Whether Swift's tasks run on it: it is a queue of the global executor.
    public var isSwiftExecutor: Bool { label == Self.swiftExecutorLabel }

    private static let swiftExecutorLabel = "Swift global concurrent queue"

    /// Whether it is a queue of libdispatch, and not an actor or an event loop.
    public var isDispatch: Bool { kind != .actor && kind != .eventLoop }

    /// First serial number for actors and event loops, which have none from libdispatch. No trace contains it either.
    static let firstForeignSerial: UInt64 = 0x2_0000_0000_0000

    /// Whether at most one item runs at a time.
    public var isSerial: Bool { width == 1 }
}
