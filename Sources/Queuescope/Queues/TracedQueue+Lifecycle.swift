import CTraceRecorder
import Dispatch

extension TracedQueue {
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
}
