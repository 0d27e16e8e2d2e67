import CTraceRecorder
import Dispatch

/// A `DispatchQueue` that records what happens on it.
///
/// It has the methods of `DispatchQueue`, with their semantics. While no session records, each of them passes its
/// arguments on after one test; while one does, the item, its queue, its call site and the threads involved are
/// written to the trace.
///
/// Thread safety: every method may be called on any thread. A traced queue keeps its target alive.
public final class TracedQueue: Sendable {
    /// The queue that runs the items: for API that wants a `DispatchQueue`, such as `OperationQueue.underlyingQueue`.
    ///
    /// Items submitted to it directly run in order with the recorded ones and are not in the trace.
    public let underlying: DispatchQueue

    @usableFromInline let identity: QueueIdentity

    /// Creates a queue, as `DispatchQueue.init(label:qos:attributes:autoreleaseFrequency:target:)` does.
    ///
    /// - Parameters:
    ///   - label: a reverse-DNS name; the report shows it.
    ///   - qos: the quality of service of the items that ask for none.
    ///   - attributes: `.concurrent`, `.initiallyInactive`, or none for a serial, active queue.
    ///   - autoreleaseFrequency: without meaning on Linux; passed on.
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

    /// Wraps a queue made elsewhere. All wrappers of one queue are one queue in the trace.
    ///
    /// - Parameter queue: the queue. What is submitted to it without the wrapper is not in the trace.
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
    /// A service written as a few trees of such branches wakes one thread per tree, whatever the number of its queues.
    ///
    /// - Parameters:
    ///   - name: appended to this queue's label after a dot: `network` branches to `network.connection.7`.
    ///   - attributes: as in `init`; `.initiallyInactive` allows to set the branch up before its first item.
    ///   - file: where the branch is created.
    ///   - line: where the branch is created.
    /// - Returns: the branch.
    public func branch(
        _ name: String, attributes: DispatchQueue.Attributes = [], file: StaticString = #fileID, line: UInt = #line
    ) -> TracedQueue {
        TracedQueue(label: "\(label).\(name)", attributes: attributes, target: self, file: file, line: line)
    }
}
