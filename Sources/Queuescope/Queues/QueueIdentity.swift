import CTraceRecorder
import Dispatch
import Synchronization

/// The recorded state of one queue, shared by all `TracedQueue`s that wrap it.
@usableFromInline
final class QueueIdentity: @unchecked Sendable {
    /// The serial number of libdispatch, unique for the life of the process.
    @usableFromInline let number: UInt64
    let label: String
    let width: UInt16
    let qos: DispatchQoS
    let flags: QueueFlags
    @usableFromInline let hold: QueueHold

    private struct State {
        var target: QueueIdentity?
        var activation: Activation?
    }

    private let state: Mutex<State>
    private let creation: CallSite?

    /// `creation` is the place where the program created the queue, nil for a wrapped queue. `activation` is set if the
    /// queue is active from the start.
    init(
        number: UInt64, label: String, width: UInt16, qos: DispatchQoS, flags: QueueFlags, target: QueueIdentity?,
        creation: CallSite? = nil, activation: Activation? = nil
    ) {
        self.number = number
        self.label = label
        self.width = width
        self.qos = qos
        self.flags = flags
        self.creation = creation
        state = Mutex(State(target: target, activation: activation))
        hold = QueueHold(number: number, width: width, recordsEnd: creation != nil)
        hold.chain(to: target?.holdAsTarget)
        LiveQueues.add(self)
        guard qs_records_wrapper() else { return }
        if creation != nil {
            define(with: qs_record_queue_create, stack: activation?.stack ?? CallStack.capture())
        } else {
            recordState()
        }
    }

    deinit { LiveQueues.remove(number: number) }

    /// True if two items of the queue never run at once.
    var isSerial: Bool { width == 1 }

    // A root queue excludes no items, so the chain that every item follows ends before it.
    private var holdAsTarget: QueueHold? { flags.contains(.global) ? nil : hold }

    var target: QueueIdentity? { state.withLock { $0.target } }

    /// The activation; nil while the queue is inactive, or if the activation was not recorded.
    var activation: Activation? { state.withLock { $0.activation } }

    /// Stores the first activation. Returns false if the queue was already active.
    func activate(_ activation: Activation) -> Bool {
        state.withLock {
            guard $0.activation == nil else { return false }
            $0.activation = activation
            return true
        }
    }

    /// Stores a new target. Call only while no item runs on the queue.
    func retarget(_ target: QueueIdentity) {
        state.withLock {
            $0.target = target
            hold.chain(to: target.holdAsTarget)
        }
    }

    /// Writes `queue_state`.
    func recordState() { define(with: qs_record_queue_state, stack: .notTaken) }

    private typealias Writer = (
        UInt64, UnsafePointer<CChar>?, Int, UInt16, UInt8, UInt64, UInt8, UInt32, UInt32, UInt32
    ) -> Void

    private func define(with write: Writer, stack: CallStack) {
        label.withCChars {
            write(
                number, $0.baseAddress, $0.count, width, qos.field, target?.number ?? 0, flags.rawValue,
                creation?.code ?? 0, stack.numberInThisSession, qs_current_tid())
        }
    }
}

/// The place of the activation of a queue or source. Events about a later misuse contain it.
struct Activation: Sendable {
    let site: CallSite
    let stack: CallStack
}

/// The `flags` field of `queue_create` and `queue_state`.
struct QueueFlags: OptionSet, Sendable {
    let rawValue: UInt8

    static let main = QueueFlags(rawValue: 1)
    static let global = QueueFlags(rawValue: 2)
    static let overcommit = QueueFlags(rawValue: 4)
    static let createdInactive = QueueFlags(rawValue: 16)
    /// Wrapped by this library, but not created by it.
    static let seen = QueueFlags(rawValue: 32)
}
