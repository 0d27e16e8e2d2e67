import CTraceRecorder
import Dispatch

/// A `DispatchSource` that records its set-up, its handlers' runs, and set-up that comes too late.
///
/// Create one with the `make…Source` methods, set its handlers, and activate it. Setting a handler or the target
/// afterwards is recorded as a misuse, with the call's stack and that of the activation.
///
/// Thread safety: every method may be called on any thread.
public final class TracedSource: Sendable {
    /// The source, for API that wants a `DispatchSource`.
    ///
    /// Handlers that are set on it directly are not in the trace.
    public let underlying: DispatchSource

    let identity: SourceIdentity

    init(
        _ type: qs_source_type, _ source: any DispatchSourceProtocol, isStrict: Bool = false, queue: TracedQueue?,
        creation: CallSite
    ) {
        // The overlay's factories return protocol types; off Darwin there is one class behind all of them.
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
        // The header of every Dispatch object has its target where a queue's has it.
        if let target = DispatchPointer.source(source).flatMap({ qs_queue_target($0) }) {
            return LiveQueues.identity(at: target)
        }
        return TracedQueue.global().identity
    }

    /// The data that is pending; its meaning depends on the source's type.
    public var data: UInt { underlying.data }

    /// The file descriptor or signal number.
    public var handle: UInt { underlying.handle }

    /// The events that the source watches for; its meaning depends on the source's type.
    public var mask: UInt { underlying.mask }

    /// Whether the source was cancelled.
    public var isCancelled: Bool { underlying.isCancelled }

    /// Activates the source: it starts to watch, and its handlers can run.
    ///
    /// - Parameters:
    ///   - file: where the call is made.
    ///   - line: where the call is made.
    public func activate(file: StaticString = #fileID, line: UInt = #line) {
        identity.recordActivation(CallSite(file: file, line: line))
        underlying.activate()
    }

    /// Takes back one call of `suspend()`; the first one of a source that is not active activates it.
    ///
    /// - Parameters:
    ///   - file: where the call is made.
    ///   - line: where the call is made.
    public func resume(file: StaticString = #fileID, line: UInt = #line) {
        let site = CallSite(file: file, line: line)
        identity.recordActivation(site)
        if qs_records_wrapper() { qs_record_object_resume(identity.id, qs_object_kind_source.field, site.code) }
        underlying.resume()
    }

    /// Suspends the source: its handlers do not run until as many calls of `resume()`.
    ///
    /// - Parameters:
    ///   - file: where the call is made.
    ///   - line: where the call is made.
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
    ///   - file: where the call is made.
    ///   - line: where the call is made.
    public func cancel(file: StaticString = #fileID, line: UInt = #line) {
        if qs_records_wrapper() { qs_record_source_cancel(identity.id, CallSite(file: file, line: line).code) }
        underlying.cancel()
    }

    /// Sets the queue on which the handlers run.
    ///
    /// On an activated source the change is recorded as a misuse; it takes effect some time later.
    ///
    /// - Parameters:
    ///   - queue: the new target.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
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
}
