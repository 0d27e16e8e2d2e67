// Generated from Sources/TraceSchema by Tools/generate-schema. Do not edit.
// swift-format-ignore-file

/// The libdispatch call that created the item.
public struct ItemKind: RawRepresentable, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var `async`: Self { Self(rawValue: 0) }
    @inlinable public static var `sync`: Self { Self(rawValue: 1) }
    @inlinable public static var after: Self { Self(rawValue: 2) }
    @inlinable public static var sourceHandler: Self { Self(rawValue: 3) }
    @inlinable public static var notify: Self { Self(rawValue: 4) }
    @inlinable public static var apply: Self { Self(rawValue: 5) }
    @inlinable public static var io: Self { Self(rawValue: 6) }
    @inlinable public static var swiftJob: Self { Self(rawValue: 7) }
    @inlinable public static var asyncAndWait: Self { Self(rawValue: 8) }
    @inlinable public static var perform: Self { Self(rawValue: 9) }
    @inlinable public static var cancelHandler: Self { Self(rawValue: 10) }
    @inlinable public static var registrationHandler: Self { Self(rawValue: 11) }
    @inlinable public static var actorJob: Self { Self(rawValue: 12) }
    @inlinable public static var loopIteration: Self { Self(rawValue: 13) }

    /// All values of the catalogue.
    public static let allCases: [Self] = [.async, .sync, .after, .sourceHandler, .notify, .apply, .io, .swiftJob, .asyncAndWait, .perform, .cancelHandler, .registrationHandler, .actorJob, .loopIteration]

    /// The catalogue's name, or the number where this version knows none.
    public var description: String {
        switch rawValue {
        case 0: "async"
        case 1: "sync"
        case 2: "after"
        case 3: "source_handler"
        case 4: "notify"
        case 5: "apply"
        case 6: "io"
        case 7: "swift_job"
        case 8: "async_and_wait"
        case 9: "perform"
        case 10: "cancel_handler"
        case 11: "registration_handler"
        case 12: "actor_job"
        case 13: "loop_iteration"
        default: "\(rawValue)"
        }
    }
}

/// The quality-of-service class, with libdispatch's values.
public struct QoSClass: RawRepresentable, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var unspecified: Self { Self(rawValue: 0) }
    @inlinable public static var maintenance: Self { Self(rawValue: 5) }
    @inlinable public static var background: Self { Self(rawValue: 9) }
    @inlinable public static var utility: Self { Self(rawValue: 17) }
    @inlinable public static var `default`: Self { Self(rawValue: 21) }
    @inlinable public static var userInitiated: Self { Self(rawValue: 25) }
    @inlinable public static var userInteractive: Self { Self(rawValue: 33) }

    /// All values of the catalogue.
    public static let allCases: [Self] = [.unspecified, .maintenance, .background, .utility, .default, .userInitiated, .userInteractive]

    /// The catalogue's name, or the number where this version knows none.
    public var description: String {
        switch rawValue {
        case 0: "unspecified"
        case 5: "maintenance"
        case 9: "background"
        case 17: "utility"
        case 21: "default"
        case 25: "user_initiated"
        case 33: "user_interactive"
        default: "\(rawValue)"
        }
    }
}

/// The kind of dispatch object.
public struct ObjectKind: RawRepresentable, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var queue: Self { Self(rawValue: 0) }
    @inlinable public static var source: Self { Self(rawValue: 1) }
    @inlinable public static var workloop: Self { Self(rawValue: 2) }
    @inlinable public static var io: Self { Self(rawValue: 3) }
    @inlinable public static var group: Self { Self(rawValue: 4) }
    @inlinable public static var semaphore: Self { Self(rawValue: 5) }

    /// All values of the catalogue.
    public static let allCases: [Self] = [.queue, .source, .workloop, .io, .group, .semaphore]

    /// The catalogue's name, or the number where this version knows none.
    public var description: String {
        switch rawValue {
        case 0: "queue"
        case 1: "source"
        case 2: "workloop"
        case 3: "io"
        case 4: "group"
        case 5: "semaphore"
        default: "\(rawValue)"
        }
    }
}

/// The type of a dispatch source.
public struct SourceType: RawRepresentable, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var read: Self { Self(rawValue: 0) }
    @inlinable public static var write: Self { Self(rawValue: 1) }
    @inlinable public static var timer: Self { Self(rawValue: 2) }
    @inlinable public static var signal: Self { Self(rawValue: 3) }
    @inlinable public static var dataAdd: Self { Self(rawValue: 4) }
    @inlinable public static var dataOr: Self { Self(rawValue: 5) }
    @inlinable public static var dataReplace: Self { Self(rawValue: 6) }
    @inlinable public static var process: Self { Self(rawValue: 7) }
    @inlinable public static var fileSystem: Self { Self(rawValue: 8) }
    @inlinable public static var memoryPressure: Self { Self(rawValue: 9) }
    @inlinable public static var other: Self { Self(rawValue: 10) }

    /// All values of the catalogue.
    public static let allCases: [Self] = [.read, .write, .timer, .signal, .dataAdd, .dataOr, .dataReplace, .process, .fileSystem, .memoryPressure, .other]

    /// The catalogue's name, or the number where this version knows none.
    public var description: String {
        switch rawValue {
        case 0: "read"
        case 1: "write"
        case 2: "timer"
        case 3: "signal"
        case 4: "data_add"
        case 5: "data_or"
        case 6: "data_replace"
        case 7: "process"
        case 8: "file_system"
        case 9: "memory_pressure"
        case 10: "other"
        default: "\(rawValue)"
        }
    }
}

/// The handler of a source.
public struct HandlerKind: RawRepresentable, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var event: Self { Self(rawValue: 0) }
    @inlinable public static var cancel: Self { Self(rawValue: 1) }
    @inlinable public static var registration: Self { Self(rawValue: 2) }

    /// All values of the catalogue.
    public static let allCases: [Self] = [.event, .cancel, .registration]

    /// The catalogue's name, or the number where this version knows none.
    public var description: String {
        switch rawValue {
        case 0: "event"
        case 1: "cancel"
        case 2: "registration"
        default: "\(rawValue)"
        }
    }
}

/// The source of the context switches.
public struct ProcessorSource: RawRepresentable, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var none: Self { Self(rawValue: 0) }
    @inlinable public static var perfEvents: Self { Self(rawValue: 1) }
    @inlinable public static var schedstat: Self { Self(rawValue: 2) }
    @inlinable public static var kernelTrace: Self { Self(rawValue: 3) }

    /// All values of the catalogue.
    public static let allCases: [Self] = [.none, .perfEvents, .schedstat, .kernelTrace]

    /// The catalogue's name, or the number where this version knows none.
    public var description: String {
        switch rawValue {
        case 0: "none"
        case 1: "perf_events"
        case 2: "schedstat"
        case 3: "kernel_trace"
        default: "\(rawValue)"
        }
    }
}

/// The kind of lock.
public struct LockKind: RawRepresentable, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var exclusive: Self { Self(rawValue: 0) }
    @inlinable public static var readWrite: Self { Self(rawValue: 1) }

    /// All values of the catalogue.
    public static let allCases: [Self] = [.exclusive, .readWrite]

    /// The catalogue's name, or the number where this version knows none.
    public var description: String {
        switch rawValue {
        case 0: "exclusive"
        case 1: "read_write"
        default: "\(rawValue)"
        }
    }
}

/// The kind of the file descriptor of a system call.
public struct DescriptorKind: RawRepresentable, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var unknown: Self { Self(rawValue: 0) }
    @inlinable public static var regularFile: Self { Self(rawValue: 1) }
    @inlinable public static var directory: Self { Self(rawValue: 2) }
    @inlinable public static var pipe: Self { Self(rawValue: 3) }
    @inlinable public static var fifo: Self { Self(rawValue: 4) }
    @inlinable public static var tcpSocket: Self { Self(rawValue: 5) }
    @inlinable public static var udpSocket: Self { Self(rawValue: 6) }
    @inlinable public static var unixSocket: Self { Self(rawValue: 7) }
    @inlinable public static var socket: Self { Self(rawValue: 8) }
    @inlinable public static var terminal: Self { Self(rawValue: 9) }
    @inlinable public static var eventfd: Self { Self(rawValue: 10) }
    @inlinable public static var timerfd: Self { Self(rawValue: 11) }
    @inlinable public static var signalfd: Self { Self(rawValue: 12) }
    @inlinable public static var inotify: Self { Self(rawValue: 13) }
    @inlinable public static var other: Self { Self(rawValue: 14) }

    /// All values of the catalogue.
    public static let allCases: [Self] = [.unknown, .regularFile, .directory, .pipe, .fifo, .tcpSocket, .udpSocket, .unixSocket, .socket, .terminal, .eventfd, .timerfd, .signalfd, .inotify, .other]

    /// The catalogue's name, or the number where this version knows none.
    public var description: String {
        switch rawValue {
        case 0: "unknown"
        case 1: "regular_file"
        case 2: "directory"
        case 3: "pipe"
        case 4: "fifo"
        case 5: "tcp_socket"
        case 6: "udp_socket"
        case 7: "unix_socket"
        case 8: "socket"
        case 9: "terminal"
        case 10: "eventfd"
        case 11: "timerfd"
        case 12: "signalfd"
        case 13: "inotify"
        case 14: "other"
        default: "\(rawValue)"
        }
    }

    /// The words in text reports.
    public var title: String {
        switch rawValue {
        case 0: "unknown"
        case 1: "file"
        case 2: "directory"
        case 3: "pipe"
        case 4: "FIFO"
        case 5: "TCP socket"
        case 6: "UDP socket"
        case 7: "Unix socket"
        case 8: "socket"
        case 9: "terminal"
        case 10: "eventfd"
        case 11: "timerfd"
        case 12: "signalfd"
        case 13: "inotify"
        case 14: "descriptor"
        default: description
        }
    }
}

/// The cause of a rate at which items are sampled.
public struct SamplingCause: RawRepresentable, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var started: Self { Self(rawValue: 0) }
    @inlinable public static var overBudget: Self { Self(rawValue: 1) }
    @inlinable public static var withinBudget: Self { Self(rawValue: 2) }
    @inlinable public static var stopped: Self { Self(rawValue: 3) }
    @inlinable public static var repeated: Self { Self(rawValue: 4) }

    /// All values of the catalogue.
    public static let allCases: [Self] = [.started, .overBudget, .withinBudget, .stopped, .repeated]

    /// The catalogue's name, or the number where this version knows none.
    public var description: String {
        switch rawValue {
        case 0: "started"
        case 1: "over_budget"
        case 2: "within_budget"
        case 3: "stopped"
        case 4: "repeated"
        default: "\(rawValue)"
        }
    }
}

/// How the program created the task.
public struct TaskKind: RawRepresentable, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var unknown: Self { Self(rawValue: 0) }
    @inlinable public static var unstructured: Self { Self(rawValue: 1) }
    @inlinable public static var detached: Self { Self(rawValue: 2) }
    @inlinable public static var groupChild: Self { Self(rawValue: 3) }
    @inlinable public static var asyncLet: Self { Self(rawValue: 4) }
    @inlinable public static var immediate: Self { Self(rawValue: 5) }
    @inlinable public static var main: Self { Self(rawValue: 6) }
    @inlinable public static var sleep: Self { Self(rawValue: 7) }
    @inlinable public static var discardingChild: Self { Self(rawValue: 8) }

    /// All values of the catalogue.
    public static let allCases: [Self] = [.unknown, .unstructured, .detached, .groupChild, .asyncLet, .immediate, .main, .sleep, .discardingChild]

    /// The catalogue's name, or the number where this version knows none.
    public var description: String {
        switch rawValue {
        case 0: "unknown"
        case 1: "unstructured"
        case 2: "detached"
        case 3: "group_child"
        case 4: "async_let"
        case 5: "immediate"
        case 6: "main"
        case 7: "sleep"
        case 8: "discarding_child"
        default: "\(rawValue)"
        }
    }
}

/// The kind of the awaited object of a suspended task, with the runtime's values.
public struct AwaitKind: RawRepresentable, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var unknown: Self { Self(rawValue: 0) }
    @inlinable public static var task: Self { Self(rawValue: 1) }
    @inlinable public static var continuation: Self { Self(rawValue: 2) }
    @inlinable public static var group: Self { Self(rawValue: 3) }
    @inlinable public static var executor: Self { Self(rawValue: 4) }

    /// All values of the catalogue.
    public static let allCases: [Self] = [.unknown, .task, .continuation, .group, .executor]

    /// The catalogue's name, or the number where this version knows none.
    public var description: String {
        switch rawValue {
        case 0: "unknown"
        case 1: "task"
        case 2: "continuation"
        case 3: "group"
        case 4: "executor"
        default: "\(rawValue)"
        }
    }
}

/// The detail with which a trace records tasks and actors.
public struct TaskDetail: RawRepresentable, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var none: Self { Self(rawValue: 0) }
    @inlinable public static var noAwaits: Self { Self(rawValue: 1) }
    @inlinable public static var full: Self { Self(rawValue: 2) }

    /// All values of the catalogue.
    public static let allCases: [Self] = [.none, .noAwaits, .full]

    /// The catalogue's name, or the number where this version knows none.
    public var description: String {
        switch rawValue {
        case 0: "none"
        case 1: "no_awaits"
        case 2: "full"
        default: "\(rawValue)"
        }
    }
}

/// The kind of executor that runs tasks.
public struct ExecutorKind: RawRepresentable, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var actor: Self { Self(rawValue: 0) }
    @inlinable public static var serialExecutor: Self { Self(rawValue: 1) }
    @inlinable public static var mainActor: Self { Self(rawValue: 2) }

    /// All values of the catalogue.
    public static let allCases: [Self] = [.actor, .serialExecutor, .mainActor]

    /// The catalogue's name, or the number where this version knows none.
    public var description: String {
        switch rawValue {
        case 0: "actor"
        case 1: "serial_executor"
        case 2: "main_actor"
        default: "\(rawValue)"
        }
    }
}

/// The polling function of a loop.
public struct LoopKind: RawRepresentable, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var epoll: Self { Self(rawValue: 0) }
    @inlinable public static var poll: Self { Self(rawValue: 1) }
    @inlinable public static var dispatchManager: Self { Self(rawValue: 2) }
    @inlinable public static var runLoop: Self { Self(rawValue: 3) }

    /// All values of the catalogue.
    public static let allCases: [Self] = [.epoll, .poll, .dispatchManager, .runLoop]

    /// The catalogue's name, or the number where this version knows none.
    public var description: String {
        switch rawValue {
        case 0: "epoll"
        case 1: "poll"
        case 2: "dispatch_manager"
        case 3: "run_loop"
        default: "\(rawValue)"
        }
    }
}

/// One event record with its payload, typed.
public enum DispatchEvent: Sendable {
    case queueCreate(QueueCreate)
    case queueState(QueueState)
    case queueDispose(QueueDispose)
    case queueSetTarget(QueueSetTarget)
    case objectActivate(ObjectActivate)
    case objectSuspend(ObjectSuspend)
    case objectResume(ObjectResume)
    case itemEnqueue(ItemEnqueue)
    case itemDelay(ItemDelay)
    case itemBegin(ItemBegin)
    case itemEnd(ItemEnd)
    case itemCancel(ItemCancel)
    case itemBarrier(ItemBarrier)
    case calloutBegin(CalloutBegin)
    case calloutEnd(CalloutEnd)
    case itemWaitBegin(ItemWaitBegin)
    case itemWaitEnd(ItemWaitEnd)
    case syncEnter(SyncEnter)
    case syncBlock(SyncBlock)
    case syncHandoff(SyncHandoff)
    case syncReturn(SyncReturn)
    case syncBegin(SyncBegin)
    case syncWait(SyncWait)
    case applyBegin(ApplyBegin)
    case applyIterationBegin(ApplyIterationBegin)
    case applyIterationEnd(ApplyIterationEnd)
    case applyEnd(ApplyEnd)
    case sourceCreate(SourceCreate)
    case sourceSetHandler(SourceSetHandler)
    case sourceFire(SourceFire)
    case timerConfigure(TimerConfigure)
    case timerFire(TimerFire)
    case sourceCancel(SourceCancel)
    case sourceDispose(SourceDispose)
    case sourceSetTarget(SourceSetTarget)
    case sourceMerge(SourceMerge)
    case mutationAfterActivation(MutationAfterActivation)
    case retargetAfterActivation(RetargetAfterActivation)
    case nonLeafRetarget(NonLeafRetarget)
    case overResume(OverResume)
    case releaseWhileSuspended(ReleaseWhileSuspended)
    case groupCreate(GroupCreate)
    case groupEnter(GroupEnter)
    case groupLeave(GroupLeave)
    case groupWaitBegin(GroupWaitBegin)
    case groupWaitEnd(GroupWaitEnd)
    case groupNotify(GroupNotify)
    case semaphoreCreate(SemaphoreCreate)
    case semaphoreWaitBegin(SemaphoreWaitBegin)
    case semaphoreWaitEnd(SemaphoreWaitEnd)
    case semaphoreSignal(SemaphoreSignal)
    case lockCreate(LockCreate)
    case lockWait(LockWait)
    case lockAcquire(LockAcquire)
    case lockRelease(LockRelease)
    case threadStart(ThreadStart)
    case threadExit(ThreadExit)
    case workerRequest(WorkerRequest)
    case workerUnpark(WorkerUnpark)
    case workerPark(WorkerPark)
    case switchOut(SwitchOut)
    case switchIn(SwitchIn)
    case workerCreate(WorkerCreate)
    case workerStart(WorkerStart)
    case workerExit(WorkerExit)
    case signpostLog(SignpostLog)
    case signpostBegin(SignpostBegin)
    case signpostEnd(SignpostEnd)
    case signpostEvent(SignpostEvent)
    case codeSymbol(CodeSymbol)
    case image(Image)
    case stack(Stack)
    case processState(ProcessState)
    case codeStack(CodeStack)
    case clockSync(ClockSync)
    case recordingStop(RecordingStop)
    case samplingRate(SamplingRate)
    case dispatchLog(DispatchLog)
    case processorTrack(ProcessorTrack)
    case threadTimes(ThreadTimes)
    case switchesLost(SwitchesLost)
    case switchesPauseBegin(SwitchesPauseBegin)
    case switchesPauseEnd(SwitchesPauseEnd)
    case blockedCall(BlockedCall)
    case taskCreate(TaskCreate)
    case taskName(TaskName)
    case taskEnqueue(TaskEnqueue)
    case taskBegin(TaskBegin)
    case taskSwitch(TaskSwitch)
    case taskSuspend(TaskSuspend)
    case taskFinish(TaskFinish)
    case taskCancel(TaskCancel)
    case taskEscalate(TaskEscalate)
    case taskTrack(TaskTrack)
    case actorCreate(ActorCreate)
    case executorState(ExecutorState)
    case actorDestroy(ActorDestroy)
    case taskCollect(TaskCollect)
    case loopState(LoopState)
    case loopPollBegin(LoopPollBegin)
    case loopPollEnd(LoopPollEnd)
    case loopWake(LoopWake)
    case runLoopTimer(RunLoopTimer)
    case runLoopTimerEnd(RunLoopTimerEnd)
    case runLoopRun(RunLoopRun)
}

extension DispatchEvent {
    /// A queue was created.
    public struct QueueCreate: Sendable {
        /// Libdispatch's serial number of the queue; 0 when unknown.
        public var queue: UInt64
        /// The queue's label.
        public var label: String
        /// The number of items that may run at once: 1 is serial, 0xffe and above concurrent.
        public var width: UInt16
        /// Requested quality-of-service class.
        public var qos: QoSClass
        /// The target queue's serial number; 0 when it is the default root.
        public var target: UInt64
        /// 1 main, 2 global, 4 overcommit, 8 workloop, 16 created inactive, 32 creation not recorded, 64 target may change while active (since 1.2).
        public var flags: UInt8
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// The call stack: a `stack` definition; 0 when not recorded.
        public var stack: UInt32
        /// The thread of the event.
        public var tid: UInt32

        public init(queue: UInt64, label: String, width: UInt16, qos: QoSClass, target: UInt64, flags: UInt8, code: UInt32, stack: UInt32, tid: UInt32) {
            self.queue = queue
            self.label = label
            self.width = width
            self.qos = qos
            self.target = target
            self.flags = flags
            self.code = code
            self.stack = stack
            self.tid = tid
        }
    }

    /// A queue that existed at the start of the session or whose creation was not recorded (statedump).
    public struct QueueState: Sendable {
        /// Libdispatch's serial number of the queue; 0 when unknown.
        public var queue: UInt64
        /// The queue's label.
        public var label: String
        /// The number of items that may run at once: 1 is serial, 0xffe and above concurrent.
        public var width: UInt16
        /// Requested quality-of-service class.
        public var qos: QoSClass
        /// The target queue's serial number; 0 when it is the default root.
        public var target: UInt64
        /// 1 main, 2 global, 4 overcommit, 8 workloop, 16 created inactive, 32 creation not recorded, 64 target may change while active (since 1.2).
        public var flags: UInt8
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// The call stack: a `stack` definition; 0 when not recorded.
        public var stack: UInt32
        /// The thread of the event.
        public var tid: UInt32

        public init(queue: UInt64, label: String, width: UInt16, qos: QoSClass, target: UInt64, flags: UInt8, code: UInt32, stack: UInt32, tid: UInt32) {
            self.queue = queue
            self.label = label
            self.width = width
            self.qos = qos
            self.target = target
            self.flags = flags
            self.code = code
            self.stack = stack
            self.tid = tid
        }
    }

    /// The last reference to a queue was released.
    public struct QueueDispose: Sendable {
        /// Libdispatch's serial number of the queue; 0 when unknown.
        public var queue: UInt64

        public init(queue: UInt64) {
            self.queue = queue
        }
    }

    /// A queue's target was set before its activation.
    public struct QueueSetTarget: Sendable {
        /// Libdispatch's serial number of the queue; 0 when unknown.
        public var queue: UInt64
        /// The new target's serial number.
        public var target: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32

        public init(queue: UInt64, target: UInt64, code: UInt32) {
            self.queue = queue
            self.target = target
            self.code = code
        }
    }

    /// A queue or source was activated. The first resume activates a source.
    public struct ObjectActivate: Sendable {
        /// The queue's serial number, or the source's id.
        public var object: UInt64
        /// The kind of object.
        public var kind: ObjectKind
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// The call stack: a `stack` definition; 0 when not recorded.
        public var stack: UInt32

        public init(object: UInt64, kind: ObjectKind, code: UInt32, stack: UInt32) {
            self.object = object
            self.kind = kind
            self.code = code
            self.stack = stack
        }
    }

    /// A queue or source was suspended.
    public struct ObjectSuspend: Sendable {
        /// The queue's serial number, or the source's id.
        public var object: UInt64
        /// The kind of object.
        public var kind: ObjectKind
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// The call stack: a `stack` definition; 0 when not recorded.
        public var stack: UInt32

        public init(object: UInt64, kind: ObjectKind, code: UInt32, stack: UInt32 = 0) {
            self.object = object
            self.kind = kind
            self.code = code
            self.stack = stack
        }
    }

    /// A queue or source was resumed.
    public struct ObjectResume: Sendable {
        /// The queue's serial number, or the source's id.
        public var object: UInt64
        /// The kind of object.
        public var kind: ObjectKind
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32

        public init(object: UInt64, kind: ObjectKind, code: UInt32) {
            self.object = object
            self.kind = kind
            self.code = code
        }
    }

    /// An item is submitted. Recorded before the call of libdispatch.
    public struct ItemEnqueue: Sendable {
        /// The item's id, unique while the item is in flight.
        public var item: UInt64
        /// Libdispatch's serial number of the queue; 0 when unknown.
        public var queue: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// The call that created the item.
        public var kind: ItemKind
        /// Requested quality-of-service class.
        public var qos: QoSClass

        public init(item: UInt64, queue: UInt64, code: UInt32, kind: ItemKind, qos: QoSClass) {
            self.item = item
            self.queue = queue
            self.code = code
            self.kind = kind
            self.qos = qos
        }
    }

    /// The item enqueued just before is not due yet (asyncAfter).
    public struct ItemDelay: Sendable {
        /// The item's id, unique while the item is in flight.
        public var item: UInt64
        /// Time from this event until the item is due. In ns.
        public var delay: UInt64

        public init(item: UInt64, delay: UInt64) {
            self.item = item
            self.delay = delay
        }
    }

    /// The item's code starts on this thread.
    public struct ItemBegin: Sendable {
        /// The item's id, unique while the item is in flight.
        public var item: UInt64
        /// Libdispatch's serial number of the queue; 0 when unknown.
        public var queue: UInt64

        public init(item: UInt64, queue: UInt64) {
            self.item = item
            self.queue = queue
        }
    }

    /// The item's code returned.
    public struct ItemEnd: Sendable {
        /// The item's id, unique while the item is in flight.
        public var item: UInt64

        public init(item: UInt64) {
            self.item = item
        }
    }

    /// The item was cancelled before it began.
    public struct ItemCancel: Sendable {
        /// The item's id, unique while the item is in flight.
        public var item: UInt64

        public init(item: UInt64) {
            self.item = item
        }
    }

    /// The item enqueued just before is a barrier of its concurrent queue.
    public struct ItemBarrier: Sendable {
        /// The item's id, unique while the item is in flight.
        public var item: UInt64

        public init(item: UInt64) {
            self.item = item
        }
    }

    /// libdispatch calls the code of an enqueued item on this thread: a short form of item_begin.
    public struct CalloutBegin: Sendable {
        /// The item's id, unique while the item is in flight.
        public var item: UInt64

        public init(item: UInt64) {
            self.item = item
        }
    }

    /// The innermost code started by a callout_begin or sync_begin on this thread returned.
    public struct CalloutEnd: Sendable {

        public init() {
        }
    }

    /// This thread waits for a work item to complete.
    public struct ItemWaitBegin: Sendable {
        /// The item's id, unique while the item is in flight.
        public var item: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32

        public init(item: UInt64, code: UInt32) {
            self.item = item
            self.code = code
        }
    }

    /// The wait for the work item ended.
    public struct ItemWaitEnd: Sendable {
        /// The item's id, unique while the item is in flight.
        public var item: UInt64
        /// 1 when the wait ended by its time-out.
        public var timedOut: UInt8

        public init(item: UInt64, timedOut: UInt8) {
            self.item = item
            self.timedOut = timedOut
        }
    }

    /// This thread calls sync or asyncAndWait. Recorded before the call of libdispatch.
    public struct SyncEnter: Sendable {
        /// The item's id, unique while the item is in flight.
        public var item: UInt64
        /// Libdispatch's serial number of the queue; 0 when unknown.
        public var queue: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// The call that created the item.
        public var kind: ItemKind
        /// Requested quality-of-service class.
        public var qos: QoSClass

        public init(item: UInt64, queue: UInt64, code: UInt32, kind: ItemKind, qos: QoSClass) {
            self.item = item
            self.queue = queue
            self.code = code
            self.kind = kind
            self.qos = qos
        }
    }

    /// A queue of the hierarchy is held, so this sync must wait.
    public struct SyncBlock: Sendable {
        /// The item's id, unique while the item is in flight.
        public var item: UInt64
        /// The queue of the hierarchy that is held.
        public var queue: UInt64
        /// The thread that holds it.
        public var holderTid: UInt32

        public init(item: UInt64, queue: UInt64, holderTid: UInt32) {
            self.item = item
            self.queue = queue
            self.holderTid = holderTid
        }
    }

    /// A sync that had to wait acquired the queue. Recorded before its item begins.
    public struct SyncHandoff: Sendable {
        /// The item's id, unique while the item is in flight.
        public var item: UInt64
        /// The queue of the hierarchy that was handed over.
        public var queue: UInt64
        /// The thread that held it last.
        public var fromTid: UInt32

        public init(item: UInt64, queue: UInt64, fromTid: UInt32) {
            self.item = item
            self.queue = queue
            self.fromTid = fromTid
        }
    }

    /// The call returned to its caller.
    public struct SyncReturn: Sendable {
        /// The item's id, unique while the item is in flight.
        public var item: UInt64

        public init(item: UInt64) {
            self.item = item
        }
    }

    /// The item of a sync on a free queue starts on the thread of its caller. callout_end ends it.
    public struct SyncBegin: Sendable {
        /// Libdispatch's serial number of the queue; 0 when unknown.
        public var queue: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// 1 for a barrier sync.
        public var barrier: UInt8

        public init(queue: UInt64, code: UInt32, barrier: UInt8) {
            self.queue = queue
            self.code = code
            self.barrier = barrier
        }
    }

    /// The sync of this thread blocks, because its queue is held. Replaces sync_enter and sync_block.
    public struct SyncWait: Sendable {
        /// The item's id, unique while the item is in flight.
        public var item: UInt64
        /// Libdispatch's serial number of the queue; 0 when unknown.
        public var queue: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// The call that created the item.
        public var kind: ItemKind
        /// Requested quality-of-service class.
        public var qos: QoSClass
        /// The queue of the hierarchy that is held; 0 when unknown.
        public var level: UInt64
        /// The thread that holds it; 0 when unknown.
        public var holderTid: UInt32

        public init(item: UInt64, queue: UInt64, code: UInt32, kind: ItemKind, qos: QoSClass, level: UInt64, holderTid: UInt32) {
            self.item = item
            self.queue = queue
            self.code = code
            self.kind = kind
            self.qos = qos
            self.level = level
            self.holderTid = holderTid
        }
    }

    /// This thread calls concurrentPerform.
    public struct ApplyBegin: Sendable {
        /// The id of this concurrentPerform.
        public var apply: UInt64
        /// Libdispatch's serial number of the queue; 0 when unknown.
        public var queue: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// Requested iterations.
        public var iterations: UInt64

        public init(apply: UInt64, queue: UInt64, code: UInt32, iterations: UInt64) {
            self.apply = apply
            self.queue = queue
            self.code = code
            self.iterations = iterations
        }
    }

    /// One iteration starts on this thread.
    public struct ApplyIterationBegin: Sendable {
        /// The id of this concurrentPerform.
        public var apply: UInt64
        /// Index of the iteration.
        public var iteration: UInt64

        public init(apply: UInt64, iteration: UInt64) {
            self.apply = apply
            self.iteration = iteration
        }
    }

    /// The iteration ended.
    public struct ApplyIterationEnd: Sendable {
        /// The id of this concurrentPerform.
        public var apply: UInt64

        public init(apply: UInt64) {
            self.apply = apply
        }
    }

    /// concurrentPerform returned.
    public struct ApplyEnd: Sendable {
        /// The id of this concurrentPerform.
        public var apply: UInt64
        /// Threads that ran at least one iteration; 0 when unknown.
        public var threads: UInt32

        public init(apply: UInt64, threads: UInt32) {
            self.apply = apply
            self.threads = threads
        }
    }

    /// A source was created.
    public struct SourceCreate: Sendable {
        /// The source's id.
        public var source: UInt64
        /// The source's type.
        public var type: SourceType
        /// File descriptor, signal number or process id; 0 for timers and user data.
        public var handle: UInt64
        /// The target queue of its handlers.
        public var queue: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// The call stack: a `stack` definition; 0 when not recorded.
        public var stack: UInt32
        /// The thread of the event.
        public var tid: UInt32
        /// 1 strict timer, 2 existed before the session, 4 already has an event handler, 8 already active.
        public var flags: UInt8

        public init(source: UInt64, type: SourceType, handle: UInt64, queue: UInt64, code: UInt32, stack: UInt32, tid: UInt32, flags: UInt8 = 0) {
            self.source = source
            self.type = type
            self.handle = handle
            self.queue = queue
            self.code = code
            self.stack = stack
            self.tid = tid
            self.flags = flags
        }
    }

    /// A handler was set before the source's activation.
    public struct SourceSetHandler: Sendable {
        /// The source's id.
        public var source: UInt64
        /// The kind of handler.
        public var handler: HandlerKind
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// Requested quality-of-service class of the handler.
        public var qos: QoSClass
        /// 1 when the handler is removed.
        public var removed: UInt8

        public init(source: UInt64, handler: HandlerKind, code: UInt32, qos: QoSClass = .init(rawValue: 0), removed: UInt8 = 0) {
            self.source = source
            self.handler = handler
            self.code = code
            self.qos = qos
            self.removed = removed
        }
    }

    /// The source's handler is about to run as the given item.
    public struct SourceFire: Sendable {
        /// The source's id.
        public var source: UInt64
        /// The item's id, unique while the item is in flight.
        public var item: UInt64
        /// The queue of the handler.
        public var queue: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// Pending data, as the source's type defines it.
        public var data: UInt64

        public init(source: UInt64, item: UInt64, queue: UInt64, code: UInt32, data: UInt64) {
            self.source = source
            self.item = item
            self.queue = queue
            self.code = code
            self.data = data
        }
    }

    /// A timer source was scheduled.
    public struct TimerConfigure: Sendable {
        /// The source's id.
        public var source: UInt64
        /// Time from this event to the first deadline. In ns.
        public var delay: UInt64
        /// Repeat interval; 0 for a one-shot timer. In ns.
        public var interval: UInt64
        /// Requested tolerance. In ns.
        public var leeway: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32

        public init(source: UInt64, delay: UInt64, interval: UInt64, leeway: UInt64, code: UInt32) {
            self.source = source
            self.delay = delay
            self.interval = interval
            self.leeway = leeway
            self.code = code
        }
    }

    /// A timer's handler is about to run.
    public struct TimerFire: Sendable {
        /// The source's id.
        public var source: UInt64
        /// Deadlines passed since the last run of the handler.
        public var fires: UInt64

        public init(source: UInt64, fires: UInt64) {
            self.source = source
            self.fires = fires
        }
    }

    /// The source was cancelled.
    public struct SourceCancel: Sendable {
        /// The source's id.
        public var source: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32

        public init(source: UInt64, code: UInt32) {
            self.source = source
            self.code = code
        }
    }

    /// The last reference to a source was released.
    public struct SourceDispose: Sendable {
        /// The source's id.
        public var source: UInt64

        public init(source: UInt64) {
            self.source = source
        }
    }

    /// A source's target queue was set before its activation.
    public struct SourceSetTarget: Sendable {
        /// The source's id.
        public var source: UInt64
        /// The new target queue.
        public var target: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32

        public init(source: UInt64, target: UInt64, code: UInt32) {
            self.source = source
            self.target = target
            self.code = code
        }
    }

    /// The program merges data into a user-data source. Recorded before the call of libdispatch.
    public struct SourceMerge: Sendable {
        /// The source's id.
        public var source: UInt64
        /// The merged data.
        public var data: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32

        public init(source: UInt64, data: UInt64, code: UInt32) {
            self.source = source
            self.data = data
            self.code = code
        }
    }

    /// A handler of an activated source is about to be replaced. Written to the trace before the call.
    public struct MutationAfterActivation: Sendable {
        /// The queue's serial number, or the source's id.
        public var object: UInt64
        /// The kind of object.
        public var kind: ObjectKind
        /// The kind of handler.
        public var handler: HandlerKind
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// The call stack: a `stack` definition; 0 when not recorded.
        public var stack: UInt32
        /// The code that activated the object; 0 when unknown.
        public var activationCode: UInt32
        /// The stack of the activation; 0 when missing.
        public var activationStack: UInt32

        public init(object: UInt64, kind: ObjectKind, handler: HandlerKind, code: UInt32, stack: UInt32, activationCode: UInt32, activationStack: UInt32) {
            self.object = object
            self.kind = kind
            self.handler = handler
            self.code = code
            self.stack = stack
            self.activationCode = activationCode
            self.activationStack = activationStack
        }
    }

    /// An active object is about to be retargeted; for most queues libdispatch aborts. Written before the call.
    public struct RetargetAfterActivation: Sendable {
        /// The queue's serial number, or the source's id.
        public var object: UInt64
        /// The kind of object.
        public var kind: ObjectKind
        /// The current target.
        public var from: UInt64
        /// The requested target.
        public var to: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// The call stack: a `stack` definition; 0 when not recorded.
        public var stack: UInt32
        /// The code that activated the object; 0 when unknown.
        public var activationCode: UInt32
        /// The stack of the activation; 0 when missing.
        public var activationStack: UInt32

        public init(object: UInt64, kind: ObjectKind, from: UInt64, to: UInt64, code: UInt32, stack: UInt32, activationCode: UInt32, activationStack: UInt32) {
            self.object = object
            self.kind = kind
            self.from = from
            self.to = to
            self.code = code
            self.stack = stack
            self.activationCode = activationCode
            self.activationStack = activationStack
        }
    }

    /// An active queue with a changeable target is about to be retargeted, although other objects target it. Written before the call.
    public struct NonLeafRetarget: Sendable {
        /// The queue's serial number, or the source's id.
        public var object: UInt64
        /// The kind of object.
        public var kind: ObjectKind
        /// The current target.
        public var from: UInt64
        /// The requested target.
        public var to: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// The call stack: a `stack` definition; 0 when not recorded.
        public var stack: UInt32
        /// The code that activated the object; 0 when unknown.
        public var activationCode: UInt32
        /// The stack of the activation; 0 when missing.
        public var activationStack: UInt32

        public init(object: UInt64, kind: ObjectKind, from: UInt64, to: UInt64, code: UInt32, stack: UInt32, activationCode: UInt32, activationStack: UInt32) {
            self.object = object
            self.kind = kind
            self.from = from
            self.to = to
            self.code = code
            self.stack = stack
            self.activationCode = activationCode
            self.activationStack = activationStack
        }
    }

    /// An object that is not suspended is about to be resumed; libdispatch aborts. Written before the call.
    public struct OverResume: Sendable {
        /// The queue's serial number, or the source's id.
        public var object: UInt64
        /// The kind of object.
        public var kind: ObjectKind
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// The call stack: a `stack` definition; 0 when not recorded.
        public var stack: UInt32
        /// The code that activated the object; 0 when unknown.
        public var activationCode: UInt32
        /// The stack of the activation; 0 when missing.
        public var activationStack: UInt32

        public init(object: UInt64, kind: ObjectKind, code: UInt32, stack: UInt32, activationCode: UInt32, activationStack: UInt32) {
            self.object = object
            self.kind = kind
            self.code = code
            self.stack = stack
            self.activationCode = activationCode
            self.activationStack = activationStack
        }
    }

    /// A suspended or inactive object is about to be released; libdispatch aborts. Written before the call.
    public struct ReleaseWhileSuspended: Sendable {
        /// The queue's serial number, or the source's id.
        public var object: UInt64
        /// The kind of object.
        public var kind: ObjectKind
        /// 1 when it was never activated.
        public var inactive: UInt8
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// The call stack: a `stack` definition; 0 when not recorded.
        public var stack: UInt32
        /// The code that activated the object; 0 when unknown.
        public var activationCode: UInt32
        /// The stack of the activation; 0 when missing.
        public var activationStack: UInt32

        public init(object: UInt64, kind: ObjectKind, inactive: UInt8, code: UInt32, stack: UInt32, activationCode: UInt32, activationStack: UInt32) {
            self.object = object
            self.kind = kind
            self.inactive = inactive
            self.code = code
            self.stack = stack
            self.activationCode = activationCode
            self.activationStack = activationStack
        }
    }

    /// A group was created.
    public struct GroupCreate: Sendable {
        /// The group's id.
        public var group: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32

        public init(group: UInt64, code: UInt32) {
            self.group = group
            self.code = code
        }
    }

    /// A group was entered, or an item was submitted in it.
    public struct GroupEnter: Sendable {
        /// The group's id.
        public var group: UInt64

        public init(group: UInt64) {
            self.group = group
        }
    }

    /// A group was left, or an item in the group ended.
    public struct GroupLeave: Sendable {
        /// The group's id.
        public var group: UInt64

        public init(group: UInt64) {
            self.group = group
        }
    }

    /// This thread waits for the group.
    public struct GroupWaitBegin: Sendable {
        /// The group's id.
        public var group: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32

        public init(group: UInt64, code: UInt32) {
            self.group = group
            self.code = code
        }
    }

    /// The wait for the group ended.
    public struct GroupWaitEnd: Sendable {
        /// The group's id.
        public var group: UInt64
        /// 1 when the wait ended by its time-out.
        public var timedOut: UInt8

        public init(group: UInt64, timedOut: UInt8) {
            self.group = group
            self.timedOut = timedOut
        }
    }

    /// An item will be enqueued when the group becomes empty.
    public struct GroupNotify: Sendable {
        /// The group's id.
        public var group: UInt64
        /// The item's id, unique while the item is in flight.
        public var item: UInt64
        /// Libdispatch's serial number of the queue; 0 when unknown.
        public var queue: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32

        public init(group: UInt64, item: UInt64, queue: UInt64, code: UInt32) {
            self.group = group
            self.item = item
            self.queue = queue
            self.code = code
        }
    }

    /// A counting semaphore was created.
    public struct SemaphoreCreate: Sendable {
        /// The semaphore's id.
        public var semaphore: UInt64
        /// Its initial value.
        public var value: Int64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32

        public init(semaphore: UInt64, value: Int64, code: UInt32) {
            self.semaphore = semaphore
            self.value = value
            self.code = code
        }
    }

    /// This thread waits on the semaphore.
    public struct SemaphoreWaitBegin: Sendable {
        /// The semaphore's id.
        public var semaphore: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32

        public init(semaphore: UInt64, code: UInt32) {
            self.semaphore = semaphore
            self.code = code
        }
    }

    /// The wait ended.
    public struct SemaphoreWaitEnd: Sendable {
        /// The semaphore's id.
        public var semaphore: UInt64
        /// 1 when the wait ended by its time-out.
        public var timedOut: UInt8

        public init(semaphore: UInt64, timedOut: UInt8) {
            self.semaphore = semaphore
            self.timedOut = timedOut
        }
    }

    /// The semaphore is about to be signalled.
    public struct SemaphoreSignal: Sendable {
        /// The semaphore's id.
        public var semaphore: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32

        public init(semaphore: UInt64, code: UInt32) {
            self.semaphore = semaphore
            self.code = code
        }
    }

    /// A lock was created.
    public struct LockCreate: Sendable {
        /// The lock's id.
        public var lock: UInt64
        /// The lock's label.
        public var label: String
        /// 1 when waiters acquire it in the order of their requests.
        public var fair: UInt8
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// The thread of the event.
        public var tid: UInt32
        /// The kind of lock.
        public var kind: LockKind

        public init(lock: UInt64, label: String, fair: UInt8, code: UInt32, tid: UInt32, kind: LockKind = .init(rawValue: 0)) {
            self.lock = lock
            self.label = label
            self.fair = fair
            self.code = code
            self.tid = tid
            self.kind = kind
        }
    }

    /// The lock is held by another thread, so this thread waits.
    public struct LockWait: Sendable {
        /// The lock's id.
        public var lock: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// The thread that holds it; 0 when unknown.
        public var holderTid: UInt32

        public init(lock: UInt64, code: UInt32, holderTid: UInt32 = 0) {
            self.lock = lock
            self.code = code
            self.holderTid = holderTid
        }
    }

    /// This thread acquired the lock.
    public struct LockAcquire: Sendable {
        /// The lock's id.
        public var lock: UInt64
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32

        public init(lock: UInt64, code: UInt32) {
            self.lock = lock
            self.code = code
        }
    }

    /// This thread is about to release the lock.
    public struct LockRelease: Sendable {
        /// The lock's id.
        public var lock: UInt64

        public init(lock: UInt64) {
            self.lock = lock
        }
    }

    /// The first record of a thread, or its new name.
    public struct ThreadStart: Sendable {
        /// The thread of the event.
        public var tid: UInt32
        /// The thread's name.
        public var name: String
        /// The thread that called pthread_create for it; 0 when unknown.
        public var maker: UInt32
        /// The time since that call; 0 when unknown. In ns.
        public var age: UInt64

        public init(tid: UInt32, name: String, maker: UInt32 = 0, age: UInt64 = 0) {
            self.tid = tid
            self.name = name
            self.maker = maker
            self.age = age
        }
    }

    /// This thread ends.
    public struct ThreadExit: Sendable {
        /// The thread of the event.
        public var tid: UInt32

        public init(tid: UInt32) {
            self.tid = tid
        }
    }

    /// libdispatch requests worker threads.
    public struct WorkerRequest: Sendable {
        /// The root queue's serial number; 0 when unknown.
        public var root: UInt64
        /// Requested workers.
        public var count: UInt32

        public init(root: UInt64, count: UInt32) {
            self.root = root
            self.count = count
        }
    }

    /// This worker thread wakes to look for work.
    public struct WorkerUnpark: Sendable {
        /// The root queue's serial number; 0 when unknown.
        public var root: UInt64

        public init(root: UInt64) {
            self.root = root
        }
    }

    /// This worker thread found no work and parks.
    public struct WorkerPark: Sendable {
        /// The root queue's serial number; 0 when unknown.
        public var root: UInt64

        public init(root: UInt64) {
            self.root = root
        }
    }

    /// A thread was switched off its processor.
    public struct SwitchOut: Sendable {
        /// The thread of the event.
        public var tid: UInt32
        /// 1 when it was preempted, 0 when it blocked.
        public var preempted: UInt8
        /// The processor's number, counted from 1; 0 when unknown.
        public var processor: UInt16

        public init(tid: UInt32, preempted: UInt8, processor: UInt16 = 0) {
            self.tid = tid
            self.preempted = preempted
            self.processor = processor
        }
    }

    /// A thread was switched onto a processor.
    public struct SwitchIn: Sendable {
        /// The thread of the event.
        public var tid: UInt32
        /// The processor's number, counted from 1; 0 when unknown.
        public var processor: UInt16

        public init(tid: UInt32, processor: UInt16 = 0) {
            self.tid = tid
            self.processor = processor
        }
    }

    /// libdispatch creates a worker thread.
    public struct WorkerCreate: Sendable {
        /// The root queue's serial number; 0 when unknown.
        public var root: UInt64

        public init(root: UInt64) {
            self.root = root
        }
    }

    /// This worker thread starts.
    public struct WorkerStart: Sendable {
        /// The root queue's serial number; 0 when unknown.
        public var root: UInt64

        public init(root: UInt64) {
            self.root = root
        }
    }

    /// This worker thread ends.
    public struct WorkerExit: Sendable {
        /// The root queue's serial number; 0 when unknown.
        public var root: UInt64

        public init(root: UInt64) {
            self.root = root
        }
    }

    /// A signposter was created.
    public struct SignpostLog: Sendable {
        /// The signposter's number.
        public var log: UInt32
        /// Its subsystem.
        public var subsystem: String
        /// Its category.
        public var category: String

        public init(log: UInt32, subsystem: String, category: String) {
            self.log = log
            self.subsystem = subsystem
            self.category = category
        }
    }

    /// An interval begins.
    public struct SignpostBegin: Sendable {
        /// The signpost's id; pairs begin and end.
        public var signpost: UInt64
        /// The signposter.
        public var log: UInt32
        /// A `code_symbol` whose symbol is the interval's name.
        public var code: UInt32
        /// Free text.
        public var message: String

        public init(signpost: UInt64, log: UInt32, code: UInt32, message: String) {
            self.signpost = signpost
            self.log = log
            self.code = code
            self.message = message
        }
    }

    /// An interval ends.
    public struct SignpostEnd: Sendable {
        /// The signpost's id; pairs begin and end.
        public var signpost: UInt64
        /// The signposter.
        public var log: UInt32
        /// A `code_symbol` whose symbol is the interval's name.
        public var code: UInt32
        /// Free text.
        public var message: String

        public init(signpost: UInt64, log: UInt32, code: UInt32, message: String) {
            self.signpost = signpost
            self.log = log
            self.code = code
            self.message = message
        }
    }

    /// A point of interest.
    public struct SignpostEvent: Sendable {
        /// The signpost's id; pairs begin and end.
        public var signpost: UInt64
        /// The signposter.
        public var log: UInt32
        /// A `code_symbol` whose symbol is the event's name.
        public var code: UInt32
        /// Free text.
        public var message: String

        public init(signpost: UInt64, log: UInt32, code: UInt32, message: String) {
            self.signpost = signpost
            self.log = log
            self.code = code
            self.message = message
        }
    }

    /// Defines a piece of code to which other events refer.
    public struct CodeSymbol: Sendable {
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// Its address; 0 for a call site.
        public var address: UInt64
        /// Function, signpost or empty.
        public var symbol: String
        /// `#fileID` of the call site, or empty.
        public var file: String
        /// Line of the call site; 0 when unknown.
        public var line: UInt32
        /// If the address can be data: the called function, which is the code itself unless it is a thunk.
        public var thunk: UInt64

        public init(code: UInt32, address: UInt64, symbol: String, file: String, line: UInt32, thunk: UInt64 = 0) {
            self.code = code
            self.address = address
            self.symbol = symbol
            self.file = file
            self.line = line
            self.thunk = thunk
        }
    }

    /// An executable or library that is mapped in the process.
    public struct Image: Sendable {
        /// The load bias: address in memory minus address in the file.
        public var base: UInt64
        /// First mapped address.
        public var begin: UInt64
        /// Address after the last mapped byte.
        public var end: UInt64
        /// GNU build id in hexadecimal, or empty.
        public var buildId: String
        /// Its path.
        public var path: String

        public init(base: UInt64, begin: UInt64, end: UInt64, buildId: String, path: String) {
            self.base = base
            self.begin = begin
            self.end = end
            self.buildId = buildId
            self.path = path
        }
    }

    /// Defines a call stack to which other events refer.
    public struct Stack: Sendable {
        /// The call stack: a `stack` definition; 0 when not recorded.
        public var stack: UInt32
        /// Return addresses, innermost first.
        public var frames: [UInt64]

        public init(stack: UInt32, frames: [UInt64]) {
            self.stack = stack
            self.frames = frames
        }
    }

    /// Describes a process that records with LTTng, because LTTng's metadata do not (statedump).
    public struct ProcessState: Sendable {
        /// Its process id.
        public var pid: UInt32
        /// Its program.
        public var name: String
        /// The schema version of its recorder.
        public var schemaMajor: UInt8
        /// The schema version of its recorder.
        public var schemaMinor: UInt8
        /// Processors allowed by its affinity and cpuset when recording starts; before schema 1.4 the processors online.
        public var processors: UInt16
        /// Processors online; 0 when unknown.
        public var processorsOnline: UInt16
        /// Smallest CFS quota of its control groups, in thousandths of a processor; 0 for none.
        public var processorQuotaMilli: UInt32

        public init(pid: UInt32, name: String, schemaMajor: UInt8, schemaMinor: UInt8, processors: UInt16, processorsOnline: UInt16 = 0, processorQuotaMilli: UInt32 = 0) {
            self.pid = pid
            self.name = name
            self.schemaMajor = schemaMajor
            self.schemaMinor = schemaMinor
            self.processors = processors
            self.processorsOnline = processorsOnline
            self.processorQuotaMilli = processorQuotaMilli
        }
    }

    /// A call stack that leads to this code: of its first sync, or of every wait for a mutex.
    public struct CodeStack: Sendable {
        /// The running or calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// The call stack: a `stack` definition; 0 when not recorded.
        public var stack: UInt32

        public init(code: UInt32, stack: UInt32) {
            self.code = code
            self.stack = stack
        }
    }

    /// The values of the trace's clock and of the system's clocks at the same instant.
    public struct ClockSync: Sendable {
        /// The trace's clock, as in timestamps.
        public var ticks: UInt64
        /// CLOCK_MONOTONIC. In ns.
        public var monotonic: UInt64
        /// CLOCK_REALTIME. In ns.
        public var realtime: UInt64
        /// CLOCK_BOOTTIME, which also counts while the system is suspended. In ns.
        public var boottime: UInt64
        /// The processor counter's advance minus CLOCK_MONOTONIC's when it deviates; 0 without a deviation. In ns.
        public var strayed: Int64

        public init(ticks: UInt64, monotonic: UInt64, realtime: UInt64, boottime: UInt64, strayed: Int64) {
            self.ticks = ticks
            self.monotonic = monotonic
            self.realtime = realtime
            self.boottime = boottime
            self.strayed = strayed
        }
    }

    /// The program stops recording and continues. Open waits and items may end after the trace.
    public struct RecordingStop: Sendable {

        public init() {
        }
    }

    /// From now on the recorder records one of several items, so that its cost stays within a budget. It samples items of async and asyncAfter, syncs on a free queue, and tasks with their jobs: see item_sampling.h.
    public struct SamplingRate: Sendable {
        /// One of this number of items is recorded; 1: all are.
        public var oneOf: UInt32
        /// The cause of the rate.
        public var cause: SamplingCause
        /// The budget, as a share of the process's processor time; 0: none. In ppm.
        public var budget: UInt32
        /// The recorder's measured share of the process's processor time since the last change of the rate; at the stop since the start of the session. In ppm.
        public var cost: UInt32

        public init(oneOf: UInt32, cause: SamplingCause, budget: UInt32, cost: UInt32) {
            self.oneOf = oneOf
            self.cause = cause
            self.budget = budget
            self.cost = cost
        }
    }

    /// A message of libdispatch itself.
    public struct DispatchLog: Sendable {
        /// The thread of the event.
        public var tid: UInt32
        /// Its text.
        public var message: String

        public init(tid: UInt32, message: String) {
            self.tid = tid
            self.message = message
        }
    }

    /// The source of the context switches in this trace.
    public struct ProcessorTrack: Sendable {
        /// The source.
        public var origin: ProcessorSource
        /// The reason why no better source is used, or empty.
        public var detail: String

        public init(origin: ProcessorSource, detail: String) {
            self.origin = origin
            self.detail = detail
        }
    }

    /// The kernel's totals for a thread since its start. The last record of a thread has its total.
    public struct ThreadTimes: Sendable {
        /// The thread of the event.
        public var tid: UInt32
        /// Time on a processor. In ns.
        public var onCpu: UInt64
        /// Time runnable without a processor; UINT64_MAX when unknown. In ns.
        public var runDelay: UInt64
        /// Number of runs on a processor.
        public var slices: UInt64

        public init(tid: UInt32, onCpu: UInt64, runDelay: UInt64, slices: UInt64) {
            self.tid = tid
            self.onCpu = onCpu
            self.runDelay = runDelay
            self.slices = slices
        }
    }

    /// The kernel's buffer overflowed, so context switches are missing before this event.
    public struct SwitchesLost: Sendable {
        /// Number of missing records.
        public var switches: UInt64
        /// The thread whose switches are missing; 0 for any thread.
        public var tid: UInt32

        public init(switches: UInt64, tid: UInt32 = 0) {
            self.switches = switches
            self.tid = tid
        }
    }

    /// The recorder stops recording a thread's context switches, because they cost too much.
    public struct SwitchesPauseBegin: Sendable {
        /// The thread of the event.
        public var tid: UInt32

        public init(tid: UInt32) {
            self.tid = tid
        }
    }

    /// The recorder records the thread's context switches again. Its current state is unknown.
    public struct SwitchesPauseEnd: Sendable {
        /// The thread of the event.
        public var tid: UInt32

        public init(tid: UInt32) {
            self.tid = tid
        }
    }

    /// The place where a thread blocks that has been off-CPU for milliseconds since its last switch_out.
    public struct BlockedCall: Sendable {
        /// The thread of the event.
        public var tid: UInt32
        /// Its current system call, such as read or futex; empty for none or an unknown one.
        public var call: String
        /// Its call stack, innermost first: a `stack` definition; 0 when not recorded.
        public var stack: UInt32
        /// The kind of the descriptor of its system call; unknown for a call with no descriptor or several.
        public var descriptor: DescriptorKind

        public init(tid: UInt32, call: String, stack: UInt32, descriptor: DescriptorKind = .init(rawValue: 0)) {
            self.tid = tid
            self.call = call
            self.stack = stack
            self.descriptor = descriptor
        }
    }

    /// A task was created. Recorded before the task is enqueued.
    public struct TaskCreate: Sendable {
        /// The task's number, unique for the life of the process.
        public var task: UInt64
        /// How the program created it.
        public var kind: TaskKind
        /// Requested quality-of-service class.
        public var qos: QoSClass
        /// The task that ran on this thread; 0 for none.
        public var parent: UInt64
        /// The task group of which it is a child; 0 for none.
        public var group: UInt64
        /// The function that it runs: a `code_symbol`; 0 when unknown.
        public var code: UInt32

        public init(task: UInt64, kind: TaskKind, qos: QoSClass, parent: UInt64, group: UInt64, code: UInt32) {
            self.task = task
            self.kind = kind
            self.qos = qos
            self.parent = parent
            self.group = group
            self.code = code
        }
    }

    /// The program's name for the task created immediately before.
    public struct TaskName: Sendable {
        /// The task's number, unique for the life of the process.
        public var task: UInt64
        /// The name.
        public var name: String

        public init(task: UInt64, name: String) {
            self.task = task
            self.name = name
        }
    }

    /// A task becomes ready to run: it is new, changes its executor, or this thread ended its wait.
    public struct TaskEnqueue: Sendable {
        /// The task's number, unique for the life of the process.
        public var task: UInt64
        /// The id of an actor or executor; for a task, the executor that will run it; 0 for the global executor.
        public var executor: UInt64
        /// The code that resumes its continuation; 0 for none, or when unknown.
        public var code: UInt32

        public init(task: UInt64, executor: UInt64, code: UInt32) {
            self.task = task
            self.executor = executor
            self.code = code
        }
    }

    /// The task starts or resumes on this thread.
    public struct TaskBegin: Sendable {
        /// The task's number, unique for the life of the process.
        public var task: UInt64
        /// The id of an actor or executor; for a task, the executor that will run it; 0 for the global executor.
        public var executor: UInt64

        public init(task: UInt64, executor: UInt64) {
            self.task = task
            self.executor = executor
        }
    }

    /// The task of this thread switches to a free executor and keeps the thread.
    public struct TaskSwitch: Sendable {
        /// The id of an actor or executor; for a task, the executor that will run it; 0 for the global executor.
        public var executor: UInt64
        /// Where it continues; 0 when unknown.
        public var code: UInt32

        public init(executor: UInt64, code: UInt32) {
            self.executor = executor
            self.code = code
        }
    }

    /// The task of this thread is suspended and leaves the thread.
    public struct TaskSuspend: Sendable {
        /// The task's number, unique for the life of the process.
        public var task: UInt64
        /// The kind of the awaited object.
        public var wait: AwaitKind
        /// The number of the awaited task, or the id of the group or executor; 0 for other kinds.
        public var object: UInt64
        /// Where it continues; 0 when unknown.
        public var code: UInt32
        /// The awaiting functions, innermost first: a `stack`; 0 when not recorded.
        public var stack: UInt32

        public init(task: UInt64, wait: AwaitKind, object: UInt64, code: UInt32, stack: UInt32) {
            self.task = task
            self.wait = wait
            self.object = object
            self.code = code
            self.stack = stack
        }
    }

    /// The task finished on this thread.
    public struct TaskFinish: Sendable {
        /// The task's number, unique for the life of the process.
        public var task: UInt64

        public init(task: UInt64) {
            self.task = task
        }
    }

    /// Code on this thread cancels the task.
    public struct TaskCancel: Sendable {
        /// The task's number, unique for the life of the process.
        public var task: UInt64

        public init(task: UInt64) {
            self.task = task
        }
    }

    /// Code on this thread raises the priority of the task.
    public struct TaskEscalate: Sendable {
        /// The task's number, unique for the life of the process.
        public var task: UInt64
        /// Requested quality-of-service class.
        public var qos: QoSClass

        public init(task: UInt64, qos: QoSClass) {
            self.task = task
            self.qos = qos
        }
    }

    /// The detail with which this trace records tasks and actors.
    public struct TaskTrack: Sendable {
        /// The level of detail.
        public var taskDetail: TaskDetail
        /// The reason for a lower detail, or empty.
        public var reason: String
        /// 1 if the trace shows when task groups collect their children.
        public var collects: UInt8

        public init(taskDetail: TaskDetail, reason: String, collects: UInt8 = 0) {
            self.taskDetail = taskDetail
            self.reason = reason
            self.collects = collects
        }
    }

    /// An actor was created.
    public struct ActorCreate: Sendable {
        /// The id of an actor or executor; for a task, the executor that will run it; 0 for the global executor.
        public var executor: UInt64
        /// The name of its type: a `code_symbol`; 0 when unknown.
        public var actorType: UInt32

        public init(executor: UInt64, actorType: UInt32) {
            self.executor = executor
            self.actorType = actorType
        }
    }

    /// An actor or executor whose creation was not recorded, at its first use; in flight mode also each new actor.
    public struct ExecutorState: Sendable {
        /// The id of an actor or executor; for a task, the executor that will run it; 0 for the global executor.
        public var executor: UInt64
        /// The name of its type: a `code_symbol`; 0 when unknown.
        public var actorType: UInt32
        /// The kind of executor.
        public var kind: ExecutorKind

        public init(executor: UInt64, actorType: UInt32, kind: ExecutorKind) {
            self.executor = executor
            self.actorType = actorType
            self.kind = kind
        }
    }

    /// The actor is about to be destroyed.
    public struct ActorDestroy: Sendable {
        /// The id of an actor or executor; for a task, the executor that will run it; 0 for the global executor.
        public var executor: UInt64

        public init(executor: UInt64) {
            self.executor = executor
        }
    }

    /// The task of this thread takes a finished child from its task group and continues without a suspension.
    public struct TaskCollect: Sendable {
        /// The number of the child.
        public var child: UInt64
        /// The task group of which it is a child; 0 for none.
        public var group: UInt64

        public init(child: UInt64, group: UInt64) {
            self.child = child
            self.group = group
        }
    }

    /// A thread runs an event loop.
    public struct LoopState: Sendable {
        /// The event loop's id.
        public var loop: UInt64
        /// The polling function.
        public var kind: LoopKind
        /// The thread of the event.
        public var tid: UInt32
        /// The loop of another thread that waits on the same epoll set; 0 for none.
        public var shares: UInt64
        /// The thread's name.
        public var name: String

        public init(loop: UInt64, kind: LoopKind, tid: UInt32, shares: UInt64, name: String) {
            self.loop = loop
            self.kind = kind
            self.tid = tid
            self.shares = shares
            self.name = name
        }
    }

    /// This thread is about to poll: an iteration of its loop ends.
    public struct LoopPollBegin: Sendable {
        /// The event loop's id.
        public var loop: UInt64

        public init(loop: UInt64) {
            self.loop = loop
        }
    }

    /// Polling returned: an iteration of the loop begins.
    public struct LoopPollEnd: Sendable {
        /// The event loop's id.
        public var loop: UInt64
        /// Number of ready descriptors.
        public var ready: UInt32

        public init(loop: UInt64, ready: UInt32) {
            self.loop = loop
            self.ready = ready
        }
    }

    /// This thread wakes the loop, which may be polling.
    public struct LoopWake: Sendable {
        /// The event loop's id.
        public var loop: UInt64

        public init(loop: UInt64) {
            self.loop = loop
        }
    }

    /// A timer is added to a run loop that does not run.
    public struct RunLoopTimer: Sendable {
        /// The address of the run loop.
        public var runLoop: UInt64
        /// The address of the timer.
        public var timer: UInt64
        /// The time until it is due for the first time. In ns.
        public var due: UInt64
        /// The calling code: a `code_symbol`; 0 when unknown.
        public var code: UInt32
        /// The call stack: a `stack`; 0 when not recorded.
        public var stack: UInt32

        public init(runLoop: UInt64, timer: UInt64, due: UInt64, code: UInt32, stack: UInt32) {
            self.runLoop = runLoop
            self.timer = timer
            self.due = due
            self.code = code
            self.stack = stack
        }
    }

    /// A timer of a run loop is invalidated.
    public struct RunLoopTimerEnd: Sendable {
        /// The address of the timer.
        public var timer: UInt64

        public init(timer: UInt64) {
            self.timer = timer
        }
    }

    /// This thread is about to run its run loop.
    public struct RunLoopRun: Sendable {
        /// The address of the run loop.
        public var runLoop: UInt64

        public init(runLoop: UInt64) {
            self.runLoop = runLoop
        }
    }
}
