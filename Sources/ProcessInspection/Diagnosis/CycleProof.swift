import Glibc

/// Proves that the threads of a cycle wait for each other at the same time.
///
/// The threads were read one after the other, so a cycle can consist of waits that followed each other. The proof: no
/// thread of the cycle was switched in between two instants, and between these instants each object had the owner that
/// makes the cycle.
///
/// ```text
/// switches of all ──── calls and owners of all ──── switches of all: the same numbers
/// ```
///
/// A core file has one instant, so the proof always succeeds.
struct CycleProof {
    /// A thread is switched once more when it goes to sleep again after its stop.
    private static let attempts = 50
    private static let pause: UInt32 = 4000

    let process: any InspectedProcess
    let finder: ThreadWaitFinder

    /// Whether these threads wait for each other now.
    func holds(for threads: [(thread: InspectedThread, wait: ThreadWait)]) -> Bool {
        for _ in 0..<Self.attempts {
            switch attempt(threads) {
            case .proven: return true
            case .refuted: return false
            case .changed: usleep(Self.pause)
            }
        }
        return false
    }

    private enum Outcome {
        case proven, refuted
        /// A thread ran in between, so the observations do not belong together.
        case changed
    }

    private func attempt(_ threads: [(thread: InspectedThread, wait: ThreadWait)]) -> Outcome {
        func switches() -> [UInt64?] { threads.map { process.switches(of: $0.thread.tid) } }
        let before = switches()
        guard !before.contains(nil) else { return .refuted }
        for (thread, wait) in threads {
            guard let call = process.currentCall(of: thread) else { return .changed }
            guard let known = thread.call, call.continues(known), finder.currentOwner(of: wait) == wait.owner else {
                return .refuted
            }
        }
        return switches() == before ? .proven : .changed
    }
}
