import Dispatch

/// Runs the jobs of actors and tasks on a traced queue.
///
/// Its jobs are items of the queue, so reports show the waiting and the running of an actor under the label of the
/// queue:
///
/// ```swift
/// actor Store {
///     private let executor = TracedExecutor(label: "org.example.store")
///     nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
/// }
/// ```
///
/// Tasks use it as their executor preference: `Task(executorPreference: executor) { … }`.
///
/// Thread safety: every method may be called on any thread.
public final class TracedExecutor: SerialExecutor, TaskExecutor {
    /// The queue that runs the jobs. It is serial.
    public let queue: TracedQueue

    private let file: StaticString
    private let line: UInt

    /// Creates an executor with a queue of its own.
    ///
    /// - Parameters:
    ///   - label: the label of the queue, a reverse-DNS name.
    ///   - qos: the quality of service of the queue.
    ///   - target: the queue on which the queue runs its items; nil for the root queue of its quality of service.
    ///   - file: where the executor is created. Its jobs have this place as their call site.
    ///   - line: where the executor is created.
    public convenience init(
        label: String, qos: DispatchQoS = .unspecified, target: TracedQueue? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(
            queue: TracedQueue(label: label, qos: qos, target: target, file: file, line: line), file: file, line: line)
    }

    /// Creates an executor that shares a queue with other items.
    ///
    /// - Parameters:
    ///   - queue: a serial queue. A concurrent queue is a programming error and ends the program: actors on it would
    ///     not be isolated.
    ///   - file: where the executor is created. Its jobs have this place as their call site.
    ///   - line: where the executor is created.
    public init(queue: TracedQueue, file: StaticString = #fileID, line: UInt = #line) {
        precondition(queue.identity.isSerial, "a TracedExecutor needs a serial queue; \(queue.label) is concurrent")
        self.queue = queue
        self.file = file
        self.line = line
    }

    /// Submits a job to the queue.
    ///
    /// - Parameter job: the job to run.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async(
            execute: {
                job.runSynchronously(
                    isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
            }, file: file, line: line)
    }

    /// The executor as an actor's `unownedExecutor` needs it.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// The executor as an executor preference of tasks.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

    /// Ends the program if the caller does not run on the queue. `assumeIsolated` and `preconditionIsolated` call it.
    public func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue.underlying)) }
}
