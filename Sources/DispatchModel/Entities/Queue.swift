/// A dispatch queue as the trace shows it.
public struct Queue: Sendable {
    /// The kinds of queues.
    public enum Kind: String, Sendable {
        case serial, concurrent, global, main, workloop
        /// No queue of libdispatch's: an actor, or another serial executor of Swift Concurrency. Its items are the
        /// stretches for which tasks run on it.
        case actor
        /// No queue of libdispatch's: a thread that polls in a loop. Its items are the iterations.
        case eventLoop = "event_loop"
        /// Items refer to it, but no definition was recorded.
        case unknown
    }

    // In an order that leaves few gaps, as a trace may have a million queues.

    /// Its place in the model.
    public let index: QueueIndex
    /// libdispatch's serial number, unique for the life of the process.
    public let serialNumber: UInt32
    /// The program's name for it; empty when unknown.
    public var label = ""
    /// The queues that target this one, in the order of their creation.
    public var children: [QueueIndex] = []
    /// When the creation was recorded; nil for a queue that existed before.
    public var createdAt: Timestamp?
    /// What kind of queue it is.
    public var kind = Kind.unknown
    /// The quality of service asked for.
    public var qos = QoSClass.unspecified
    /// The position of the exclusion queue of its hierarchy, -1 for none.
    var exclusion: Int32 = -1
    /// When its last reference went away.
    public var disposedAt: Timestamp?
    /// It was created inactive.
    public internal(set) var isCreatedInactive = false
    /// Its target may change while it is active: it was made by `dispatch_queue_create`.
    public internal(set) var isTargetMutable = false
    /// The executor of the main actor.
    public internal(set) var isMainExecutor = false
    /// Where the program created it.
    public var creationCode = CodeIndex.unknown
    /// When it was activated: its creation, unless it was created inactive; nil when that was not recorded.
    public internal(set) var activatedAt: Timestamp?
    /// The call stack of its creation.
    public var creationStack = StackIndex.none
    /// The target queue; nil for root queues and where it was not recorded.
    public var target: QueueIndex?
    /// The thread that created it; nil for a queue that existed before.
    public internal(set) var createdOn: ThreadIndex?
    /// How many items may run at once; 1 is serial.
    public var width = 0
    /// Suspensions that have not been resumed; a queue that is still inactive does not count one.
    public internal(set) var suspensions = 0
    /// How often it got another target after its creation.
    public internal(set) var retargets = 0

    /// What a person calls it: the label, with Foundation's `NSOperationQueue 0x000055…` as the `OperationQueue` that
    /// the program made; empty when it has none.
    public var name: String {
        guard label.hasPrefix(Self.operationQueuePrefix) else { return label }
        let digits = label.dropFirst(Self.operationQueuePrefix.count)
        guard digits.allSatisfy(\.isHexDigit) else { return label }
        return "OperationQueue 0x" + digits.drop { $0 == "0" }
    }

    private static let operationQueuePrefix = "NSOperationQueue 0x"

    /// Work that has no queue, by the serial number of the queue that stands for it here; libdispatch gives it to none.
    enum StandIn: UInt32 {
        /// The iterations of a concurrentPerform for which libdispatch chooses the queue.
        case concurrentPerform = 0xffff_ffff
        /// `DispatchWorkItem.perform()` runs code where it is called.
        case perform = 0xffff_fffe

        var label: String {
            switch self {
            case .concurrentPerform: "concurrentPerform"
            case .perform: "DispatchWorkItem.perform"
            }
        }
    }

    /// libdispatch knows it: no actor and no event loop.
    public var isDispatch: Bool { kind != .actor && kind != .eventLoop }

    /// Actors and event loops have no serial number of libdispatch's: theirs begin here.
    static let firstForeignSerial: UInt32 = 0xe000_0000

    /// At most one item runs at a time.
    public var isSerial: Bool { width == 1 }
}
