import CTraceRecorder
import Dispatch

/// A `DispatchQueue` that records its items.
///
/// It has the methods of `DispatchQueue` with the same semantics. While no session records, each method tests a flag
/// and calls Dispatch. While a session records, it writes the item, its queue, its call site and the threads to the
/// trace.
///
/// Thread safety: every method may be called on any thread. A traced queue keeps its target alive.
public final class TracedQueue: Sendable {
    /// The queue that runs the items, for an API that needs a `DispatchQueue`, such as
    /// `OperationQueue.underlyingQueue`.
    ///
    /// Items that are submitted directly to it keep their order with the recorded items, but are not recorded.
    public let underlying: DispatchQueue

    @usableFromInline let identity: QueueIdentity

    /// Creates a queue, as `DispatchQueue.init(label:qos:attributes:autoreleaseFrequency:target:)` does.
    ///
    /// - Parameters:
    ///   - label: a reverse-DNS name; the report shows it.
    ///   - qos: the quality of service of items without their own.
    ///   - attributes: `.concurrent`, `.initiallyInactive`, or none for a serial, active queue.
    ///   - autoreleaseFrequency: passed on; without effect on Linux.
    ///   - target: the queue on which this one runs its items, or nil for the root queue of its quality of service.
    ///   - file: where the queue is created.
    ///   - line: where the queue is created.
    public init(
        label: String, qos: DispatchQoS = .unspecified, attributes: DispatchQueue.Attributes = [],
        autoreleaseFrequency: DispatchQueue.AutoreleaseFrequency = .inherit, target: TracedQueue? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        underlying = DispatchQueue(
            label: label, qos: qos, attributes: attributes, autoreleaseFrequency: autoreleaseFrequency,
            target: target?.underlying)
        let site = CallSite(file: file, line: line)
        let pointer = DispatchPointer.queue(underlying)
        let number = qs_queue_serial(pointer)
        let isInactive = attributes.contains(.initiallyInactive)
        identity = QueueIdentity(
            number: number != 0 ? number : qs_new_queue_id(), label: label,
            width: attributes.contains(.concurrent) ? max(2, qs_queue_width(pointer)) : 1, qos: qos,
            flags: isInactive ? .createdInactive : [],
            target: target?.identity ?? qs_queue_target(pointer).map(LiveQueues.identity(at:)),
            creation: site, activation: isInactive ? nil : Activation(site: site, stack: .capture()))
    }

    /// Wraps a queue that other code created. All wrappers of a queue are one queue in the trace.
    ///
    /// - Parameter queue: the queue. Items that are submitted without the wrapper are not recorded.
    public init(wrapping queue: DispatchQueue) {
        underlying = queue
        identity = LiveQueues.identity(of: queue)
    }

    /// The queue's label.
    public var label: String { underlying.label }

    /// The queue's quality of service.
    public var qos: DispatchQoS { underlying.qos }

    /// Creates a serial queue that runs its items on this one, so that the two exclude each other.
    ///
    /// A service that uses a small number of trees with such branches wakes one thread per tree, for any number of
    /// queues.
    ///
    /// - Parameters:
    ///   - name: appended to this queue's label after a dot: `network` branches to `network.connection.7`.
    ///   - attributes: as in `init`. With `.initiallyInactive` the branch can be configured before its first item.
    ///   - file: where the branch is created.
    ///   - line: where the branch is created.
    /// - Returns: the branch.
    public func branch(
        _ name: String, attributes: DispatchQueue.Attributes = [], file: StaticString = #fileID, line: UInt = #line
    ) -> TracedQueue {
        TracedQueue(label: "\(label).\(name)", attributes: attributes, target: self, file: file, line: line)
    }

    /// The main queue.
    public static let main = TracedQueue(wrapping: .main)

    /// The global concurrent queue of a quality-of-service class.
    ///
    /// - Parameter qos: the class.
    /// - Returns: always the same object for a class.
    public static func global(qos: DispatchQoS.QoSClass = .default) -> TracedQueue {
        switch qos {
        case .background: GlobalQueues.background
        case .utility: GlobalQueues.utility
        case .userInitiated: GlobalQueues.userInitiated
        case .userInteractive: GlobalQueues.userInteractive
        case .unspecified: GlobalQueues.unspecified
        case .default: GlobalQueues.default
        @unknown default: TracedQueue(wrapping: .global(qos: qos))
        }
    }

    /// Activates a queue that was created with `.initiallyInactive`. Without effect on an active queue.
    ///
    /// - Parameters:
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func activate(file: StaticString = #fileID, line: UInt = #line) {
        let activation = Activation(site: CallSite(file: file, line: line), stack: .capture())
        if identity.activate(activation), qs_records_wrapper() {
            qs_record_object_activate(
                identity.number, qs_object_kind_queue.field, activation.site.code,
                activation.stack.numberInThisSession)
        }
        underlying.activate()
    }

    /// Suspends the queue: items that have not begun wait until `resume()` was called the same number of times.
    ///
    /// - Parameters:
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    @inlinable
    public func suspend(file: StaticString = #fileID, line: UInt = #line) {
        if qs_records_wrapper() { recordSuspend(CallSite(file: file, line: line)) }
        underlying.suspend()
    }

    /// Reverses one call of `suspend()`.
    ///
    /// - Parameters:
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    @inlinable
    public func resume(file: StaticString = #fileID, line: UInt = #line) {
        if qs_records_wrapper() { recordResume(CallSite(file: file, line: line)) }
        underlying.resume()
    }

    /// Sets the target: the queue on which this queue runs its items.
    ///
    /// - Precondition: the queue is inactive. On an active queue libdispatch ends the process, and the trace ends with
    ///   a `retarget_after_activation` event that names this call and the activation.
    /// - Parameters:
    ///   - queue: the new target.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func setTarget(queue: TracedQueue, file: StaticString = #fileID, line: UInt = #line) {
        let site = CallSite(file: file, line: line)
        if qs_records_wrapper() {
            if let activation = identity.activation {
                qs_record_retarget_after_activation(
                    identity.number, qs_object_kind_queue.field, identity.target?.number ?? 0,
                    queue.identity.number, site.code, CallStack.capture().numberInThisSession, activation.site.code,
                    activation.stack.numberInThisSession)
            } else {
                qs_record_queue_set_target(identity.number, queue.identity.number, site.code)
            }
        }
        underlying.setTarget(queue: queue.underlying)
        identity.retarget(queue.identity)
    }

    @usableFromInline
    @inline(never)
    func recordSuspend(_ site: CallSite) {
        qs_record_object_suspend(
            identity.number, qs_object_kind_queue.field, site.code, CallStack.capture().numberInThisSession)
    }

    @usableFromInline
    @inline(never)
    func recordResume(_ site: CallSite) {
        qs_record_object_resume(identity.number, qs_object_kind_queue.field, site.code)
    }

    /// Sets or removes the value of a key on this queue.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - value: the value, or nil to remove it.
    public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) {
        underlying.setSpecific(key: key, value: value)
    }

    /// The value of a key on this queue.
    ///
    /// - Parameter key: the key.
    /// - Returns: the value, or nil if there is none.
    public func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? {
        underlying.getSpecific(key: key)
    }

    /// The value of a key on the queue that runs the caller, or on the nearest queue of its hierarchy that has one.
    ///
    /// - Parameter key: the key.
    /// - Returns: the value, or nil if there is none.
    public static func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? {
        DispatchQueue.getSpecific(key: key)
    }
}

/// One traced queue for each global queue, so that a request is only a load.
private enum GlobalQueues {
    static let background = TracedQueue(wrapping: .global(qos: .background))
    static let utility = TracedQueue(wrapping: .global(qos: .utility))
    static let `default` = TracedQueue(wrapping: .global(qos: .default))
    static let userInitiated = TracedQueue(wrapping: .global(qos: .userInitiated))
    static let userInteractive = TracedQueue(wrapping: .global(qos: .userInteractive))
    static let unspecified = TracedQueue(wrapping: .global(qos: .unspecified))
}
