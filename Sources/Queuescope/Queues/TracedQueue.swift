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
}
