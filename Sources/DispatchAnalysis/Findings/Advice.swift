/// The recommended change of a finding: its kind, and sentences with the queues and the lines of this program.
public struct Advice: Sendable, Equatable {
    /// The kind of change.
    public let fix: Fix
    /// The sentences.
    public let phrase: Phrase

    /// Creates an advice of consecutive parts of its sentences.
    public init(_ fix: Fix, _ parts: Phrase...) {
        self.fix = fix
        phrase = Phrase(parts)
    }

    /// Returns the advice with further sentences.
    func adding(_ parts: Phrase...) -> Advice { Advice(fix, Phrase([phrase, " "] + parts)) }

    /// The sentences as every report shows them.
    public var text: String { phrase.text }
}

/// The kind of change that an advice recommends. Findings of several detectors have the same fix. Its name never
/// changes.
public enum Fix: String, Sendable, CaseIterable, Encodable {
    /// Activate a queue or a source.
    case activate
    /// Give a timer a leeway.
    case addLeeway = "add-leeway"
    /// Await an event instead of polling for it.
    case awaitEvent = "await-event"
    /// Start independent calls together, and then await them.
    case awaitTogether = "await-together"
    /// Pair calls on every path: suspend and resume, enter and leave, wait and signal, suspension and resumption.
    case balanceCalls = "balance-calls"
    /// Do several small pieces of work as one.
    case batchWork = "batch-work"
    /// Cancel a source, or end a loop of a cancelled task.
    case cancel
    /// Collect the children of a task group while it runs.
    case collectChildren = "collect-children"
    /// Create a queue with its final target.
    case createWithTarget = "create-with-target"
    /// Do not block the thread: continue when the awaited work is done.
    case doNotWait = "do-not-wait"
    /// Enter a lock or an actor less often.
    case enterLessOften = "enter-less-often"
    /// Find the code behind the finding, which the trace does not contain.
    case findCause = "find-cause"
    /// Keep a reference to an object.
    case keepReference = "keep-reference"
    /// Create fewer tasks at a time.
    case limitTasks = "limit-tasks"
    /// Move work to another queue, thread pool or executor.
    case moveWork = "move-work"
    /// No change: a library does this.
    case nothing
    /// Pause a timer without a suspension.
    case pauseTimer = "pause-timer"
    /// Read the output of a child process before the wait for its end.
    case readBeforeWait = "read-before-wait"
    /// Resume a suspended queue sooner.
    case resumeSooner = "resume-sooner"
    /// Serve the main queue.
    case serveMainQueue = "serve-main-queue"
    /// Set the quality of service or the priority.
    case setPriority = "set-priority"
    /// Set up an object and its queue before the object is activated.
    case setUpFirst = "set-up-first"
    /// Give several queues one serial target queue.
    case shareTargetQueue = "share-target-queue"
    /// Hold a lock, a queue or an actor for a shorter time.
    case shortenHold = "shorten-hold"
    /// Split work into more pieces, or into pieces of equal length.
    case splitWork = "split-work"
    /// Keep a task on its actor.
    case stayOnActor = "stay-on-actor"
    /// Take locks and queues in one order.
    case takeInOneOrder = "take-in-one-order"
    /// Submit with async instead of sync.
    case useAsync = "use-async"
    /// Use a library or a package less.
    case useLibraryLess = "use-library-less"
    /// Use a lock instead of a queue.
    case useLock = "use-lock"
    /// Use a nonblocking or an asynchronous call, or a dispatch source.
    case useNonblockingCall = "use-nonblocking-call"
    /// Use a queue or a target queue of its own.
    case useOwnQueue = "use-own-queue"
    /// Use a serial queue or a lock instead of readers and writers.
    case useSerialQueue = "use-serial-queue"
    /// Use a timer source instead of a timer of a run loop.
    case useTimerSource = "use-timer-source"
    /// Use an unfair lock.
    case useUnfairLock = "use-unfair-lock"
}
