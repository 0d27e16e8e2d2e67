/// A statement about the process that follows from its memory.
struct Verdict {
    enum Kind: String, Encodable {
        /// Threads or tasks that wait for each other.
        case deadlock
        case mainThread = "blocked-main-thread"
        case pool = "exhausted-pool"
        case suspendedQueue = "suspended-queue"
        /// The process was stopped by a signal, so none of its threads can run.
        case stopped

        /// The label in a report.
        var label: String {
            switch self {
            case .deadlock: "deadlock"
            case .mainThread: "main thread"
            case .pool: "Swift pool"
            case .suspendedQueue: "suspended"
            case .stopped: "stopped"
            }
        }
    }

    let kind: Kind
    let text: String
    /// The threads that it is about.
    let threads: [Int32]
}
