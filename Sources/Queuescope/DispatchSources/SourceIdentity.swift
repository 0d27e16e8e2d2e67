import CDispatch
import CTraceRecorder
import Dispatch
import Synchronization

/// The recorded state of one source. The handlers of the source retain this object, so it must not retain the source:
/// otherwise Dispatch would never free the source.
final class SourceIdentity: @unchecked Sendable {
    let id = qs_new_object()
    let type: qs_source_type
    let handle: UInt64
    let creation: CallSite
    private let isStrict: Bool

    private struct State {
        var target: QueueIdentity
        var activation: Activation?
        var hasEventHandler = false
    }

    private let state: Mutex<State>
    /// The `dispatch_source_t`, which libdispatch keeps alive while a handler runs. Nil if the layout is unknown.
    private let pointer: UnsafeRawPointer?

    init(
        type: qs_source_type, handle: UInt64, isStrict: Bool, source: DispatchSource, target: QueueIdentity,
        creation: CallSite
    ) {
        self.type = type
        self.handle = handle
        self.isStrict = isStrict
        self.creation = creation
        pointer = DispatchPointer.source(source)
        state = Mutex(State(target: target))
        LiveObjects.add(self)
        if qs_records_wrapper() { define(SourceFlags(), stack: .capture()) }
    }

    deinit { LiveObjects.remove(self) }

    var target: QueueIdentity { state.withLock { $0.target } }

    /// The activation; nil while the source is inactive.
    var activation: Activation? { state.withLock { $0.activation } }

    func retarget(_ target: QueueIdentity) { state.withLock { $0.target = target } }

    /// Stores whether the source has an event handler.
    func noteEventHandler(_ hasHandler: Bool) { state.withLock { $0.hasEventHandler = hasHandler } }

    /// Records the first activation.
    func recordActivation(_ site: CallSite) {
        guard activation == nil else { return }
        let activation = Activation(site: site, stack: .capture())
        state.withLock { $0.activation = activation }
        guard qs_records_wrapper() else { return }
        qs_record_object_activate(
            id, qs_object_kind_source.field, site.code, activation.stack.numberInThisSession)
    }

    /// The pending data, whose meaning depends on the type of the source. Call inside a handler.
    var pendingData: UInt64 {
        guard let pointer else { return 0 }
        return UInt64(dispatch_source_get_data(OpaquePointer(pointer)))
    }

    private func define(_ flags: SourceFlags, stack: CallStack) {
        let flags = isStrict ? flags.union(.strict) : flags
        qs_record_source_create(
            id, type.field, handle, target.number, creation.code, stack.numberInThisSession, qs_current_tid(),
            flags.rawValue)
    }
}

extension SourceIdentity: LiveObject {
    func recordState() {
        var flags: SourceFlags = .seen
        state.withLock {
            if $0.hasEventHandler { flags.insert(.hasEventHandler) }
            if $0.activation != nil { flags.insert(.active) }
        }
        define(flags, stack: .notTaken)
    }
}

/// The `flags` field of `source_create`.
struct SourceFlags: OptionSet, Sendable {
    let rawValue: UInt8

    /// A timer whose leeway is observed strictly.
    static let strict = SourceFlags(rawValue: 1)
    /// The source existed before the session.
    static let seen = SourceFlags(rawValue: 2)
    /// An event handler was set before the session.
    static let hasEventHandler = SourceFlags(rawValue: 4)
    /// The source was activated before the session.
    static let active = SourceFlags(rawValue: 8)
}
