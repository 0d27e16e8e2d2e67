import DispatchModel

/// The threads that wait for a child process when the trace ends.
///
/// A run loop wakes from time to time while Foundation waits for a process, so consecutive calls of one place are one
/// wait.
///
/// ```
///   thread   ├ ppoll ░░░░┤├ ppoll ░░░░┤├ ppoll ░░░░ end     all in Process.waitUntilExit(), one wait
/// ```
struct ChildProcessWaits {
    private struct Wait {
        let code: CodeIndex
        let begin: Timestamp
        var last: BlockedCall
    }

    /// Longest time between two calls of one wait.
    private static let pause = Nanoseconds.milliseconds(10)

    private var waits: [ThreadIndex: Wait] = [:]

    mutating func add(_ call: BlockedCall) {
        guard call.code != .unknown, !call.waitsForWork else { return }
        if let wait = waits[call.thread], wait.code == call.code, call.begin - wait.last.end <= Self.pause {
            waits[call.thread]?.last = call
        } else {
            waits[call.thread] = Wait(code: call.code, begin: call.begin, last: call)
        }
    }

    /// A note for each place in which a thread has waited for a child process for some time.
    ///
    /// - Parameters:
    ///   - detector: the id of the detector.
    ///   - shortest: the shortest reported wait.
    ///   - model: the model at the end of the trace.
    func findings(of detector: String, from shortest: Nanoseconds, in model: DispatchModel) -> [Finding] {
        let open = waits.values.filter { wait in
            !wait.last.isFinished && model.end - wait.begin >= shortest && Self.isForChild(wait.last, in: model)
        }
        return Dictionary(grouping: open, by: \.code).values.sorted { $0[0].code < $1[0].code }.map { waits in
            let sorted = waits.sorted { ($0.begin, $0.last.thread.position) < ($1.begin, $1.last.thread.position) }
            return Self.finding(of: detector, sorted, in: model)
        }
    }

    private static func isForChild(_ call: BlockedCall, in model: DispatchModel) -> Bool {
        ["wait4", "waitid"].contains(call.call) || model[call.called].symbol.contains("waitUntilExit")
    }

    private static func finding(of detector: String, _ waits: [Wait], in model: DispatchModel) -> Finding {
        let place = model.place(of: waits[0].code)
        let longest = model.end - waits[0].begin
        let subject = waits.count == 1 ? model.name(of: waits[0].last.thread) : Figures.plural(waits.count, "thread")
        return Finding(
            detector: detector, severity: .info,
            summary: "\(subject) \(waits.count == 1 ? "has" : "have") waited \(longest) for a child process in "
                + "\(function(of: waits[0].last, in: model))\(place), and the child process has not ended.",
            queues: [], begin: waits[0].begin, end: model.end, cost: .zero, occurrences: waits.count,
            measures: [.count("threads", waits.count), .duration("longest", longest)],
            evidence: waits.prefix(8).map { wait in
                Evidence(
                    time: wait.begin, thread: wait.last.thread, event: "blocked_call",
                    detail: "\(model.name(of: wait.last.thread)) has waited \(model.end - wait.begin) in "
                        + "\(function(of: wait.last, in: model))\(place).")
            },
            code: [waits[0].code],
            advice: Advice(
                .readBeforeWait, "Read the output of the child process to its end before the wait\(place): a child ",
                "process that writes more than a pipe holds, 64 KiB on Linux, does not end until another process ",
                "reads the pipe. With Foundation, call readDataToEndOfFile() before waitUntilExit(), or read in a ",
                "readabilityHandler."),
            caveat: "The trace does not show the state of the child process. It may only need more time.")
    }

    /// The library function that waits, or the system call.
    private static func function(of call: BlockedCall, in model: DispatchModel) -> String {
        let symbol = model[call.called].symbol
        return symbol.isEmpty ? call.call : symbol
    }
}
