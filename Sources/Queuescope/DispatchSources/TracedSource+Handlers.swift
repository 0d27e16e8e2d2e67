import CTraceRecorder
import Dispatch

extension TracedSource {
    /// Sets the closure that runs when the source has an event.
    ///
    /// - Parameters:
    ///   - qos: the quality of service of the runs.
    ///   - flags: the flags of a work item.
    ///   - handler: the closure to run; nil removes the handler.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func setEventHandler(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        handler: (@Sendable () -> Void)?, file: StaticString = #fileID, line: UInt = #line
    ) {
        let recorder = recordSetting(
            qs_handler_kind_event, qos: qos, isRemoved: handler == nil, CallSite(file: file, line: line))
        underlying.setEventHandler(qos: qos, flags: flags, handler: recorder.recording(handler))
    }

    /// Sets the work item that runs when the source has an event.
    ///
    /// - Parameters:
    ///   - handler: the work item to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func setEventHandler(
        handler: TracedWorkItem, file: StaticString = #fileID, line: UInt = #line
    ) {
        handler.submissions.attach(recordSetting(qs_handler_kind_event, CallSite(file: file, line: line)))
        underlying.setEventHandler(handler: handler.underlying)
    }

    /// Sets the closure that runs once after the source is cancelled and its event handler will not run again.
    ///
    /// - Parameters:
    ///   - qos: the quality of service of the run.
    ///   - flags: the flags of a work item.
    ///   - handler: the closure to run; nil removes the handler.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func setCancelHandler(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        handler: (@Sendable () -> Void)?, file: StaticString = #fileID, line: UInt = #line
    ) {
        let recorder = recordSetting(
            qs_handler_kind_cancel, qos: qos, isRemoved: handler == nil, CallSite(file: file, line: line))
        underlying.setCancelHandler(qos: qos, flags: flags, handler: recorder.recording(handler))
    }

    /// Sets the work item that runs once after the source is cancelled and its event handler will not run again.
    ///
    /// - Parameters:
    ///   - handler: the work item to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func setCancelHandler(
        handler: TracedWorkItem, file: StaticString = #fileID, line: UInt = #line
    ) {
        handler.submissions.attach(recordSetting(qs_handler_kind_cancel, CallSite(file: file, line: line)))
        underlying.setCancelHandler(handler: handler.underlying)
    }

    /// Sets the closure that runs once when the source has started to watch.
    ///
    /// - Parameters:
    ///   - qos: the quality of service of the run.
    ///   - flags: the flags of a work item.
    ///   - handler: the closure to run; nil removes the handler.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func setRegistrationHandler(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        handler: (@Sendable () -> Void)?, file: StaticString = #fileID, line: UInt = #line
    ) {
        let recorder = recordSetting(
            qs_handler_kind_registration, qos: qos, isRemoved: handler == nil, CallSite(file: file, line: line))
        underlying.setRegistrationHandler(qos: qos, flags: flags, handler: recorder.recording(handler))
    }

    /// Sets the work item that runs once when the source has started to watch.
    ///
    /// - Parameters:
    ///   - handler: the work item to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func setRegistrationHandler(
        handler: TracedWorkItem, file: StaticString = #fileID, line: UInt = #line
    ) {
        handler.submissions.attach(recordSetting(qs_handler_kind_registration, CallSite(file: file, line: line)))
        underlying.setRegistrationHandler(handler: handler.underlying)
    }

    /// Records that a handler will be set: as a misuse if the source is active.
    ///
    /// Call before the handler is set, so that the event is in the trace even if the call ends the process.
    private func recordSetting(
        _ kind: qs_handler_kind, qos: DispatchQoS = .unspecified, isRemoved: Bool = false, _ site: CallSite
    ) -> SourceHandler {
        if kind == qs_handler_kind_event { identity.noteEventHandler(!isRemoved) }
        if qs_records_wrapper() {
            // After the cancellation the call is harmless: libdispatch ignores it. No event is lost by mistake if a
            // handler is removed.
            if let activation = identity.activation, !isRemoved, !isCancelled {
                qs_record_mutation_after_activation(
                    identity.id, qs_object_kind_source.field, kind.field, site.code,
                    CallStack.capture().numberInThisSession, activation.site.code,
                    activation.stack.numberInThisSession)
            } else {
                qs_record_source_set_handler(identity.id, kind.field, site.code, qos.field, isRemoved ? 1 : 0)
            }
        }
        return SourceHandler(source: identity, kind: kind, site: site)
    }
}

extension SourceHandler {
    /// The closure that runs a handler and records the run.
    fileprivate func recording(_ handler: (@Sendable () -> Void)?) -> (@Sendable @convention(block) () -> Void)? {
        guard let handler else { return nil }
        return qs_hooks_record() ? handler : { run(handler) }
    }
}
