/// The quantity by which the evaluation compares a scenario's recording with the recording of its repaired version. The
/// repaired version follows the detector's advice, so the comparison shows the effect of the advice.
public enum Gain: String, Sendable, CaseIterable {
    /// The time from the begin to the end of the run.
    case duration
    /// The processor time of all threads.
    case processorTime
    /// Number of context switches.
    case switches
    /// Number of workers.
    case workers
    /// The time for which threads waited in sync, locks, groups and semaphores, summed over the threads.
    case blockedTime
    /// The longest wait of an item, from the time at which it was due.
    case longestWait
    /// The longest item or task on the main queue or the main actor.
    case mainQueue
    /// The longest iteration of an event loop.
    case eventLoop
    /// The time for which the threads of `concurrentPerform` ran no iteration.
    case idleTime
    /// The largest number of finished children that a task group kept.
    case keptChildren
    /// Number of items that ran. The repaired version does more of its work.
    case work
    /// Number of runs that did not end with success.
    case failedRuns
    /// Number of findings of the detector: the problem is a risk, or a cost outside of the recording.
    case findings

    /// Its name in the table of the evaluation.
    public var name: String {
        switch self {
        case .duration: "duration"
        case .processorTime: "processor time"
        case .switches: "context switches"
        case .workers: "workers"
        case .blockedTime: "blocked time"
        case .longestWait: "longest wait of an item"
        case .mainQueue: "longest item of the main queue"
        case .eventLoop: "longest iteration of a loop"
        case .idleTime: "idle time of the threads"
        case .keptChildren: "finished children kept"
        case .work: "items that ran"
        case .failedRuns: "failed runs"
        case .findings: "findings"
        }
    }

    /// Whether its values are nanoseconds, and not a number.
    public var isTime: Bool {
        switch self {
        case .duration, .processorTime, .blockedTime, .longestWait, .mainQueue, .eventLoop, .idleTime: true
        case .switches, .workers, .keptChildren, .work, .failedRuns, .findings: false
        }
    }

    /// The least relative change that counts as better. A smaller one can be chance.
    public static let least = 0.1

    /// Whether a repaired version is better than the version with the problem.
    ///
    /// - Parameters:
    ///   - repaired: the value of the repaired version.
    ///   - problem: the value of the version with the problem.
    public func isBetter(_ repaired: Double, than problem: Double) -> Bool {
        self == .work
            ? repaired > 0 && repaired >= problem * (1 + Self.least)
            : problem > 0 && repaired <= problem * (1 - Self.least)
    }
}
