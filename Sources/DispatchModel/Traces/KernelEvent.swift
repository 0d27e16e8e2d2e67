import CTFReader

/// What LTTng's kernel tracer tells of the threads of a traced process.
public enum KernelEvent: Sendable, Equatable {
    /// The thread lost a processor (numbered from 0, -1 when unknown), although it could have run on or because it blocked.
    case left(tid: UInt32, couldRun: Bool, processor: Int32)
    /// The thread got a processor.
    case came(tid: UInt32, processor: Int32)
    /// The thread, which had blocked, can run again.
    case woken(tid: UInt32)
}

/// A trace of LTTng's kernel tracer, read for its events of the scheduler.
struct KernelTrace {
    let trace: CTFTrace
    /// The machine.
    let host: String
    /// Per event class of the trace: how its records are read.
    private let classes: [Class]

    private enum Class {
        case other
        case switched(previous: Int, state: Int, next: Int)
        case woken(tid: Int)
    }

    /// `TASK_REPORT` of the kernel's `sched.h`: the states that a thread that cannot run is in. A thread that could run on
    /// when it was preempted has none of them, but may have the bit above.
    private static let cannotRun: UInt64 = 0xFF

    /// Takes a trace that is open; nil when it has no events of the scheduler.
    init?(_ trace: CTFTrace) {
        guard trace.environment["domain"]?.stringValue == "kernel" else { return nil }
        classes = trace.eventClasses.map { eventClass in
            func position(_ name: String) -> Int { eventClass.fields.firstIndex { $0.name == name } ?? -1 }
            return switch eventClass.name {
            case "sched_switch":
                .switched(
                    previous: position("prev_tid"), state: position("prev_state"), next: position("next_tid"))
            case "sched_wakeup", "sched_wakeup_new": .woken(tid: position("tid"))
            default: .other
            }
        }
        let hasScheduler = classes.contains { if case .other = $0 { false } else { true } }
        guard hasScheduler else { return nil }
        self.trace = trace
        host = trace.environment["hostname"]?.stringValue ?? ""
    }

    /// Calls `body` for what the record says of threads: nothing, one thread, or the two of a switch.
    func decode(_ record: EventRecord, _ body: (KernelEvent, UInt32) throws -> Void) rethrows {
        switch classes[record.classIndex] {
        case .other: return
        case .switched(let previous, let state, let next):
            let left = UInt32(truncatingIfNeeded: record.unsigned(previous))
            let came = UInt32(truncatingIfNeeded: record.unsigned(next))
            let couldRun = record.unsigned(state) & Self.cannotRun == 0
            // Thread 0 is the idle loop of every processor.
            if left != 0 { try body(.left(tid: left, couldRun: couldRun, processor: record.processor), left) }
            if came != 0 { try body(.came(tid: came, processor: record.processor), came) }
        case .woken(let field):
            let tid = UInt32(truncatingIfNeeded: record.unsigned(field))
            try body(.woken(tid: tid), tid)
        }
    }
}
