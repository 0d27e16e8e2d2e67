import CTraceRecorder

/// A call stack taken while a session recorded. Its number means something in that session only.
struct CallStack: Sendable {
    private let number: UInt32
    private let epoch: UInt32

    /// No stack: nothing recorded when it would have been taken.
    static let notTaken = CallStack(number: 0, epoch: 0)

    /// Takes the stack of the caller. Slow (microseconds), so for rare events only; not taken when nothing records.
    static func capture() -> CallStack {
        guard qs_records_wrapper() else { return .notTaken }
        return CallStack(number: qs_capture_stack(0), epoch: qs_session_number())
    }

    /// The stack's number in the session that records now, 0 when it belongs to another one.
    var numberInThisSession: UInt32 { epoch == qs_session_number() ? number : 0 }
}
