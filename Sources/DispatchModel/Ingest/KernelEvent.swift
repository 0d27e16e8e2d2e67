import CTFReader

/// An event of LTTng's kernel tracer about a thread of a traced process.
public enum KernelEvent: Sendable, Equatable {
    /// The thread lost its processor, because it was preempted (`isPreempted`) or blocked. `processor` counts from 0,
    /// -1 when unknown.
    case switchedOut(tid: UInt32, isPreempted: Bool, processor: Int32)
    /// The thread got a processor.
    case switchedIn(tid: UInt32, processor: Int32)
    /// The blocked thread became runnable.
    case woken(tid: UInt32)
}

/// A trace of LTTng's kernel tracer. Only the events of the scheduler are read.
struct KernelTrace {
    let trace: CTFTrace
    /// The recording machine.
    let host: String
    /// By event class of the trace: how its records are decoded.
    private let classes: [Class]

    private enum Class {
        case other
        case switched(previous: Int, state: Int, next: Int)
        case woken(tid: Int)
    }

    /// `TASK_REPORT` of the kernel's `sched.h`: the bits of the states in which a thread is not runnable. A preempted
    /// thread has none of them, but can have the next higher bit.
    private static let cannotRun: UInt64 = 0xFF

    /// Uses a trace that is already open; nil if it has no events of the scheduler.
    init?(_ trace: CTFTrace) {
        guard trace.environment["domain"]?.stringValue == "kernel" else { return nil }
        classes = trace.eventClasses.map { eventClass in
            func position(_ name: String) -> Int { eventClass.fields.firstIndex { $0.name == name } ?? -1 }
            return switch eventClass.name {
            case "sched_switch":
                .switched(previous: position("prev_tid"), state: position("prev_state"), next: position("next_tid"))
            case "sched_wakeup", "sched_wakeup_new": .woken(tid: position("tid"))
            default: .other
            }
        }
        let hasScheduler = classes.contains { if case .other = $0 { false } else { true } }
        guard hasScheduler else { return nil }
        self.trace = trace
        host = trace.environment["hostname"]?.stringValue ?? ""
    }

    /// Calls `body` for each thread that the record affects: none, one, or the two threads of a switch.
    func decode(_ record: EventRecord, _ body: (KernelEvent, UInt32) throws -> Void) rethrows {
        switch classes[record.classIndex] {
        case .other: return
        case .switched(let previous, let state, let next):
            let left = UInt32(truncatingIfNeeded: record.unsigned(previous))
            let came = UInt32(truncatingIfNeeded: record.unsigned(next))
            let isPreempted = record.unsigned(state) & Self.cannotRun == 0
            // Thread 0 is the idle loop of every processor.
            if left != 0 {
                try body(.switchedOut(tid: left, isPreempted: isPreempted, processor: record.processor), left)
            }
            if came != 0 { try body(.switchedIn(tid: came, processor: record.processor), came) }
        case .woken(let field):
            let tid = UInt32(truncatingIfNeeded: record.unsigned(field))
            try body(.woken(tid: tid), tid)
        }
    }
}
