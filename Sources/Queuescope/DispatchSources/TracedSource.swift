import CTraceRecorder
import Dispatch

/// A `DispatchSource` that records its set-up, the runs of its handlers, and changes after its activation.
///
/// Create one with the `make…Source` methods, set its handlers, and activate it. Setting a handler or the target after
/// the activation is recorded as a misuse, with the stacks of the call and of the activation.
///
/// Thread safety: every method may be called on any thread.
public final class TracedSource: Sendable {
    /// The source, for an API that needs a `DispatchSource`.
    ///
    /// Handlers that are set directly on it are not recorded.
    public let underlying: DispatchSource

    let identity: SourceIdentity

    init(
        _ type: qs_source_type, _ source: any DispatchSourceProtocol, isStrict: Bool = false, queue: TracedQueue?,
        creation: CallSite
    ) {
        // The factories of the overlay return protocol types. Except on Darwin, all of them are one class.
        let source = source as! DispatchSource
        let hasHandle =
            type == qs_source_type_read || type == qs_source_type_write || type == qs_source_type_signal
        underlying = source
        identity = SourceIdentity(
            type: type, handle: hasHandle ? UInt64(source.handle) : 0, isStrict: isStrict, source: source,
            target: queue?.identity ?? Self.defaultTarget(of: source), creation: creation)
    }

    deinit {
        if qs_records_wrapper() { qs_record_source_dispose(identity.id) }
    }

    private static func defaultTarget(of source: DispatchSource) -> QueueIdentity {
        // Every Dispatch object has its target at the same place in its header as a queue.
        if let target = DispatchPointer.source(source).flatMap({ qs_queue_target($0) }) {
            return LiveQueues.identity(at: target)
        }
        return TracedQueue.global().identity
    }

    /// The pending data, whose meaning depends on the type of the source.
    public var data: UInt { underlying.data }

    /// The file descriptor or signal number.
    public var handle: UInt { underlying.handle }

    /// The watched events, whose meaning depends on the type of the source.
    public var mask: UInt { underlying.mask }

    /// Whether the source was cancelled.
    public var isCancelled: Bool { underlying.isCancelled }

    /// Activates the source: it starts to watch, and its handlers can run.
    ///
    /// - Parameters:
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func activate(file: StaticString = #fileID, line: UInt = #line) {
        identity.recordActivation(CallSite(file: file, line: line))
        underlying.activate()
    }

    /// Reverses one call of `suspend()`. The first call on an inactive source activates the source.
    ///
    /// - Parameters:
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func resume(file: StaticString = #fileID, line: UInt = #line) {
        let site = CallSite(file: file, line: line)
        identity.recordActivation(site)
        if qs_records_wrapper() { qs_record_object_resume(identity.id, qs_object_kind_source.field, site.code) }
        underlying.resume()
    }

    /// Suspends the source: its handlers do not run until `resume()` was called the same number of times.
    ///
    /// - Parameters:
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func suspend(file: StaticString = #fileID, line: UInt = #line) {
        if qs_records_wrapper() {
            qs_record_object_suspend(
                identity.id, qs_object_kind_source.field, CallSite(file: file, line: line).code,
                CallStack.capture().numberInThisSession)
        }
        underlying.suspend()
    }

    /// Cancels the source: its event handler does not run again, then its cancel handler runs once.
    ///
    /// - Parameters:
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func cancel(file: StaticString = #fileID, line: UInt = #line) {
        if qs_records_wrapper() { qs_record_source_cancel(identity.id, CallSite(file: file, line: line).code) }
        underlying.cancel()
    }

    /// Sets the queue on which the handlers run.
    ///
    /// On an active source the change is recorded as a misuse, and takes effect with a delay.
    ///
    /// - Parameters:
    ///   - queue: the new target.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func setTarget(queue: TracedQueue, file: StaticString = #fileID, line: UInt = #line) {
        let site = CallSite(file: file, line: line)
        if qs_records_wrapper() {
            if let activation = identity.activation {
                qs_record_retarget_after_activation(
                    identity.id, qs_object_kind_source.field, identity.target.number, queue.identity.number,
                    site.code, CallStack.capture().numberInThisSession, activation.site.code,
                    activation.stack.numberInThisSession)
            } else {
                qs_record_source_set_target(identity.id, queue.identity.number, site.code)
            }
        }
        underlying.setTarget(queue: queue.underlying)
        identity.retarget(queue.identity)
    }

    // MARK: Sources that `makeUserData…Source` methods create

    /// Adds to the pending data of a user-data add source, and runs its event handler.
    ///
    /// - Parameters:
    ///   - data: the value to add; 0 has no effect.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func add(data: UInt, file: StaticString = #fileID, line: UInt = #line) {
        recordMerge(data, CallSite(file: file, line: line))
        underlying.add(data: data)
    }

    /// Sets bits of the pending data of a user-data or source, and runs its event handler.
    ///
    /// - Parameters:
    ///   - data: the bits; 0 has no effect.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func or(data: UInt, file: StaticString = #fileID, line: UInt = #line) {
        recordMerge(data, CallSite(file: file, line: line))
        underlying.or(data: data)
    }

    /// Replaces the pending data of a user-data replace source, and runs its event handler.
    ///
    /// - Parameters:
    ///   - data: the new value; 0 has no effect.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func replace(data: UInt, file: StaticString = #fileID, line: UInt = #line) {
        recordMerge(data, CallSite(file: file, line: line))
        underlying.replace(data: data)
    }

    private func recordMerge(_ data: UInt, _ site: CallSite) {
        if qs_records_wrapper() { qs_record_source_merge(identity.id, UInt64(data), site.code) }
    }
}
