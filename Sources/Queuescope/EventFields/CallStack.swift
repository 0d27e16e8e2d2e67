import CTraceRecorder

/// A call stack that was captured while a session recorded. Its number is valid only in that session.
struct CallStack: Sendable {
    private let number: UInt32
    private let epoch: UInt32

    /// No stack, because no session recorded at that time.
    static let notTaken = CallStack(number: 0, epoch: 0)

    /// Captures the stack of the caller if a session records. This takes microseconds, so use it only for rare events.
    static func capture() -> CallStack {
        guard qs_records_wrapper() else { return .notTaken }
        return CallStack(number: qs_capture_stack(0), epoch: qs_session_number())
    }

    /// The number of the stack in the current session, 0 if the stack belongs to another session.
    var numberInThisSession: UInt32 { epoch == qs_session_number() ? number : 0 }
}
