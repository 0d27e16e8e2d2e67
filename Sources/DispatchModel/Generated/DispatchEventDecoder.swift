// Generated from Sources/TraceSchema by Tools/generate-schema. Do not edit.
// swift-format-ignore-file
import CTFReader

/// Handles events, with one method for each event class. A new class of the catalogue does not compile
/// until every handler has a method for it.
protocol DispatchEventHandler: ~Copyable {
    /// Called before each event with its time.
    mutating func advance(to time: Timestamp)
    mutating func handle(_ event: DispatchEvent.QueueCreate, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.QueueState, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.QueueDispose, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.QueueSetTarget, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ObjectActivate, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ObjectSuspend, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ObjectResume, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ItemEnqueue, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ItemDelay, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ItemBegin, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ItemEnd, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ItemCancel, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ItemBarrier, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.CalloutBegin, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.CalloutEnd, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ItemWaitBegin, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ItemWaitEnd, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SyncEnter, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SyncBlock, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SyncHandoff, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SyncReturn, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SyncBegin, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SyncWait, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ApplyBegin, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ApplyIterationBegin, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ApplyIterationEnd, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ApplyEnd, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SourceCreate, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SourceSetHandler, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SourceFire, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.TimerConfigure, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.TimerFire, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SourceCancel, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SourceDispose, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SourceSetTarget, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SourceMerge, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.MutationAfterActivation, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.RetargetAfterActivation, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.NonLeafRetarget, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.OverResume, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ReleaseWhileSuspended, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.GroupCreate, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.GroupEnter, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.GroupLeave, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.GroupWaitBegin, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.GroupWaitEnd, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.GroupNotify, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SemaphoreCreate, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SemaphoreWaitBegin, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SemaphoreWaitEnd, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SemaphoreSignal, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.LockCreate, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.LockWait, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.LockAcquire, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.LockRelease, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ThreadStart, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ThreadExit, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.WorkerRequest, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.WorkerUnpark, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.WorkerPark, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SwitchOut, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SwitchIn, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.WorkerCreate, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.WorkerStart, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.WorkerExit, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SignpostLog, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SignpostBegin, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SignpostEnd, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SignpostEvent, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.CodeSymbol, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.Image, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.Stack, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ProcessState, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.CodeStack, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ClockSync, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.RecordingStop, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SamplingRate, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.DispatchLog, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ProcessorTrack, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ThreadTimes, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SwitchesLost, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SwitchesPauseBegin, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.SwitchesPauseEnd, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.BlockedCall, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.TaskCreate, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.TaskName, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.TaskEnqueue, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.TaskBegin, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.TaskSwitch, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.TaskSuspend, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.TaskFinish, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.TaskCancel, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.TaskEscalate, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.TaskTrack, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ActorCreate, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ExecutorState, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.ActorDestroy, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.TaskCollect, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.LoopState, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.LoopPollBegin, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.LoopPollEnd, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.LoopWake, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.RunLoopTimer, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.RunLoopTimerEnd, tid: UInt32)
    mutating func handle(_ event: DispatchEvent.RunLoopRun, tid: UInt32)
}

extension DispatchEvent {
    /// Calls the handler's method for the class of the event.
    func hand(to handler: inout some DispatchEventHandler & ~Copyable, tid: UInt32) {
        switch self {
        case .queueCreate(let event): handler.handle(event, tid: tid)
        case .queueState(let event): handler.handle(event, tid: tid)
        case .queueDispose(let event): handler.handle(event, tid: tid)
        case .queueSetTarget(let event): handler.handle(event, tid: tid)
        case .objectActivate(let event): handler.handle(event, tid: tid)
        case .objectSuspend(let event): handler.handle(event, tid: tid)
        case .objectResume(let event): handler.handle(event, tid: tid)
        case .itemEnqueue(let event): handler.handle(event, tid: tid)
        case .itemDelay(let event): handler.handle(event, tid: tid)
        case .itemBegin(let event): handler.handle(event, tid: tid)
        case .itemEnd(let event): handler.handle(event, tid: tid)
        case .itemCancel(let event): handler.handle(event, tid: tid)
        case .itemBarrier(let event): handler.handle(event, tid: tid)
        case .calloutBegin(let event): handler.handle(event, tid: tid)
        case .calloutEnd(let event): handler.handle(event, tid: tid)
        case .itemWaitBegin(let event): handler.handle(event, tid: tid)
        case .itemWaitEnd(let event): handler.handle(event, tid: tid)
        case .syncEnter(let event): handler.handle(event, tid: tid)
        case .syncBlock(let event): handler.handle(event, tid: tid)
        case .syncHandoff(let event): handler.handle(event, tid: tid)
        case .syncReturn(let event): handler.handle(event, tid: tid)
        case .syncBegin(let event): handler.handle(event, tid: tid)
        case .syncWait(let event): handler.handle(event, tid: tid)
        case .applyBegin(let event): handler.handle(event, tid: tid)
        case .applyIterationBegin(let event): handler.handle(event, tid: tid)
        case .applyIterationEnd(let event): handler.handle(event, tid: tid)
        case .applyEnd(let event): handler.handle(event, tid: tid)
        case .sourceCreate(let event): handler.handle(event, tid: tid)
        case .sourceSetHandler(let event): handler.handle(event, tid: tid)
        case .sourceFire(let event): handler.handle(event, tid: tid)
        case .timerConfigure(let event): handler.handle(event, tid: tid)
        case .timerFire(let event): handler.handle(event, tid: tid)
        case .sourceCancel(let event): handler.handle(event, tid: tid)
        case .sourceDispose(let event): handler.handle(event, tid: tid)
        case .sourceSetTarget(let event): handler.handle(event, tid: tid)
        case .sourceMerge(let event): handler.handle(event, tid: tid)
        case .mutationAfterActivation(let event): handler.handle(event, tid: tid)
        case .retargetAfterActivation(let event): handler.handle(event, tid: tid)
        case .nonLeafRetarget(let event): handler.handle(event, tid: tid)
        case .overResume(let event): handler.handle(event, tid: tid)
        case .releaseWhileSuspended(let event): handler.handle(event, tid: tid)
        case .groupCreate(let event): handler.handle(event, tid: tid)
        case .groupEnter(let event): handler.handle(event, tid: tid)
        case .groupLeave(let event): handler.handle(event, tid: tid)
        case .groupWaitBegin(let event): handler.handle(event, tid: tid)
        case .groupWaitEnd(let event): handler.handle(event, tid: tid)
        case .groupNotify(let event): handler.handle(event, tid: tid)
        case .semaphoreCreate(let event): handler.handle(event, tid: tid)
        case .semaphoreWaitBegin(let event): handler.handle(event, tid: tid)
        case .semaphoreWaitEnd(let event): handler.handle(event, tid: tid)
        case .semaphoreSignal(let event): handler.handle(event, tid: tid)
        case .lockCreate(let event): handler.handle(event, tid: tid)
        case .lockWait(let event): handler.handle(event, tid: tid)
        case .lockAcquire(let event): handler.handle(event, tid: tid)
        case .lockRelease(let event): handler.handle(event, tid: tid)
        case .threadStart(let event): handler.handle(event, tid: tid)
        case .threadExit(let event): handler.handle(event, tid: tid)
        case .workerRequest(let event): handler.handle(event, tid: tid)
        case .workerUnpark(let event): handler.handle(event, tid: tid)
        case .workerPark(let event): handler.handle(event, tid: tid)
        case .switchOut(let event): handler.handle(event, tid: tid)
        case .switchIn(let event): handler.handle(event, tid: tid)
        case .workerCreate(let event): handler.handle(event, tid: tid)
        case .workerStart(let event): handler.handle(event, tid: tid)
        case .workerExit(let event): handler.handle(event, tid: tid)
        case .signpostLog(let event): handler.handle(event, tid: tid)
        case .signpostBegin(let event): handler.handle(event, tid: tid)
        case .signpostEnd(let event): handler.handle(event, tid: tid)
        case .signpostEvent(let event): handler.handle(event, tid: tid)
        case .codeSymbol(let event): handler.handle(event, tid: tid)
        case .image(let event): handler.handle(event, tid: tid)
        case .stack(let event): handler.handle(event, tid: tid)
        case .processState(let event): handler.handle(event, tid: tid)
        case .codeStack(let event): handler.handle(event, tid: tid)
        case .clockSync(let event): handler.handle(event, tid: tid)
        case .recordingStop(let event): handler.handle(event, tid: tid)
        case .samplingRate(let event): handler.handle(event, tid: tid)
        case .dispatchLog(let event): handler.handle(event, tid: tid)
        case .processorTrack(let event): handler.handle(event, tid: tid)
        case .threadTimes(let event): handler.handle(event, tid: tid)
        case .switchesLost(let event): handler.handle(event, tid: tid)
        case .switchesPauseBegin(let event): handler.handle(event, tid: tid)
        case .switchesPauseEnd(let event): handler.handle(event, tid: tid)
        case .blockedCall(let event): handler.handle(event, tid: tid)
        case .taskCreate(let event): handler.handle(event, tid: tid)
        case .taskName(let event): handler.handle(event, tid: tid)
        case .taskEnqueue(let event): handler.handle(event, tid: tid)
        case .taskBegin(let event): handler.handle(event, tid: tid)
        case .taskSwitch(let event): handler.handle(event, tid: tid)
        case .taskSuspend(let event): handler.handle(event, tid: tid)
        case .taskFinish(let event): handler.handle(event, tid: tid)
        case .taskCancel(let event): handler.handle(event, tid: tid)
        case .taskEscalate(let event): handler.handle(event, tid: tid)
        case .taskTrack(let event): handler.handle(event, tid: tid)
        case .actorCreate(let event): handler.handle(event, tid: tid)
        case .executorState(let event): handler.handle(event, tid: tid)
        case .actorDestroy(let event): handler.handle(event, tid: tid)
        case .taskCollect(let event): handler.handle(event, tid: tid)
        case .loopState(let event): handler.handle(event, tid: tid)
        case .loopPollBegin(let event): handler.handle(event, tid: tid)
        case .loopPollEnd(let event): handler.handle(event, tid: tid)
        case .loopWake(let event): handler.handle(event, tid: tid)
        case .runLoopTimer(let event): handler.handle(event, tid: tid)
        case .runLoopTimerEnd(let event): handler.handle(event, tid: tid)
        case .runLoopRun(let event): handler.handle(event, tid: tid)
        }
    }

    /// Decodes a record of the event class with this catalogue id, and calls the handler's method for the
    /// class. Frequent events are decoded inline.
    ///
    /// - Parameters:
    ///   - id: the catalogue's id of the event class.
    ///   - payload: the payload of the record.
    ///   - fields: the places of the catalogue's fields. Fields that the trace's class does not have are
    ///     zero or empty.
    ///   - handler: the handler of the event.
    ///   - tid: the thread that recorded it.
    @inline(__always)
    static func decode(
        id: UInt8, _ payload: EventPayload, fields: UnsafePointer<FieldPlace>,
        into handler: inout some DispatchEventHandler & ~Copyable, tid: UInt32
    ) {
        switch id {
        case 20: handler.handle(ItemEnqueue(payload, fields), tid: tid)
        case 22: handler.handle(ItemBegin(payload, fields), tid: tid)
        case 23: handler.handle(ItemEnd(payload, fields), tid: tid)
        case 26: handler.handle(CalloutBegin(payload, fields), tid: tid)
        case 27: handler.handle(CalloutEnd(payload, fields), tid: tid)
        case 34: handler.handle(SyncBegin(payload, fields), tid: tid)
        default: decodeOther(id: id, payload, fields: fields, into: &handler, tid: tid)
        }
    }

    @inline(never)
    private static func decodeOther(
        id: UInt8, _ payload: EventPayload, fields: UnsafePointer<FieldPlace>,
        into handler: inout some DispatchEventHandler & ~Copyable, tid: UInt32
    ) {
        switch id {
        case 1: handler.handle(QueueCreate(payload, fields), tid: tid)
        case 2: handler.handle(QueueState(payload, fields), tid: tid)
        case 3: handler.handle(QueueDispose(payload, fields), tid: tid)
        case 4: handler.handle(QueueSetTarget(payload, fields), tid: tid)
        case 10: handler.handle(ObjectActivate(payload, fields), tid: tid)
        case 11: handler.handle(ObjectSuspend(payload, fields), tid: tid)
        case 12: handler.handle(ObjectResume(payload, fields), tid: tid)
        case 21: handler.handle(ItemDelay(payload, fields), tid: tid)
        case 24: handler.handle(ItemCancel(payload, fields), tid: tid)
        case 25: handler.handle(ItemBarrier(payload, fields), tid: tid)
        case 28: handler.handle(ItemWaitBegin(payload, fields), tid: tid)
        case 29: handler.handle(ItemWaitEnd(payload, fields), tid: tid)
        case 30: handler.handle(SyncEnter(payload, fields), tid: tid)
        case 31: handler.handle(SyncBlock(payload, fields), tid: tid)
        case 32: handler.handle(SyncHandoff(payload, fields), tid: tid)
        case 33: handler.handle(SyncReturn(payload, fields), tid: tid)
        case 35: handler.handle(SyncWait(payload, fields), tid: tid)
        case 40: handler.handle(ApplyBegin(payload, fields), tid: tid)
        case 41: handler.handle(ApplyIterationBegin(payload, fields), tid: tid)
        case 42: handler.handle(ApplyIterationEnd(payload, fields), tid: tid)
        case 43: handler.handle(ApplyEnd(payload, fields), tid: tid)
        case 50: handler.handle(SourceCreate(payload, fields), tid: tid)
        case 51: handler.handle(SourceSetHandler(payload, fields), tid: tid)
        case 52: handler.handle(SourceFire(payload, fields), tid: tid)
        case 53: handler.handle(TimerConfigure(payload, fields), tid: tid)
        case 54: handler.handle(TimerFire(payload, fields), tid: tid)
        case 55: handler.handle(SourceCancel(payload, fields), tid: tid)
        case 56: handler.handle(SourceDispose(payload, fields), tid: tid)
        case 57: handler.handle(SourceSetTarget(payload, fields), tid: tid)
        case 58: handler.handle(SourceMerge(payload, fields), tid: tid)
        case 60: handler.handle(MutationAfterActivation(payload, fields), tid: tid)
        case 61: handler.handle(RetargetAfterActivation(payload, fields), tid: tid)
        case 62: handler.handle(NonLeafRetarget(payload, fields), tid: tid)
        case 63: handler.handle(OverResume(payload, fields), tid: tid)
        case 64: handler.handle(ReleaseWhileSuspended(payload, fields), tid: tid)
        case 70: handler.handle(GroupCreate(payload, fields), tid: tid)
        case 71: handler.handle(GroupEnter(payload, fields), tid: tid)
        case 72: handler.handle(GroupLeave(payload, fields), tid: tid)
        case 73: handler.handle(GroupWaitBegin(payload, fields), tid: tid)
        case 74: handler.handle(GroupWaitEnd(payload, fields), tid: tid)
        case 75: handler.handle(GroupNotify(payload, fields), tid: tid)
        case 80: handler.handle(SemaphoreCreate(payload, fields), tid: tid)
        case 81: handler.handle(SemaphoreWaitBegin(payload, fields), tid: tid)
        case 82: handler.handle(SemaphoreWaitEnd(payload, fields), tid: tid)
        case 83: handler.handle(SemaphoreSignal(payload, fields), tid: tid)
        case 90: handler.handle(LockCreate(payload, fields), tid: tid)
        case 91: handler.handle(LockWait(payload, fields), tid: tid)
        case 92: handler.handle(LockAcquire(payload, fields), tid: tid)
        case 93: handler.handle(LockRelease(payload, fields), tid: tid)
        case 100: handler.handle(ThreadStart(payload, fields), tid: tid)
        case 101: handler.handle(ThreadExit(payload, fields), tid: tid)
        case 102: handler.handle(WorkerRequest(payload, fields), tid: tid)
        case 103: handler.handle(WorkerUnpark(payload, fields), tid: tid)
        case 104: handler.handle(WorkerPark(payload, fields), tid: tid)
        case 105: handler.handle(SwitchOut(payload, fields), tid: tid)
        case 106: handler.handle(SwitchIn(payload, fields), tid: tid)
        case 107: handler.handle(WorkerCreate(payload, fields), tid: tid)
        case 108: handler.handle(WorkerStart(payload, fields), tid: tid)
        case 109: handler.handle(WorkerExit(payload, fields), tid: tid)
        case 110: handler.handle(SignpostLog(payload, fields), tid: tid)
        case 111: handler.handle(SignpostBegin(payload, fields), tid: tid)
        case 112: handler.handle(SignpostEnd(payload, fields), tid: tid)
        case 113: handler.handle(SignpostEvent(payload, fields), tid: tid)
        case 120: handler.handle(CodeSymbol(payload, fields), tid: tid)
        case 121: handler.handle(Image(payload, fields), tid: tid)
        case 122: handler.handle(Stack(payload, fields), tid: tid)
        case 123: handler.handle(ProcessState(payload, fields), tid: tid)
        case 124: handler.handle(CodeStack(payload, fields), tid: tid)
        case 125: handler.handle(ClockSync(payload, fields), tid: tid)
        case 126: handler.handle(RecordingStop(payload, fields), tid: tid)
        case 127: handler.handle(SamplingRate(payload, fields), tid: tid)
        case 130: handler.handle(DispatchLog(payload, fields), tid: tid)
        case 140: handler.handle(ProcessorTrack(payload, fields), tid: tid)
        case 141: handler.handle(ThreadTimes(payload, fields), tid: tid)
        case 142: handler.handle(SwitchesLost(payload, fields), tid: tid)
        case 143: handler.handle(SwitchesPauseBegin(payload, fields), tid: tid)
        case 144: handler.handle(SwitchesPauseEnd(payload, fields), tid: tid)
        case 145: handler.handle(BlockedCall(payload, fields), tid: tid)
        case 150: handler.handle(TaskCreate(payload, fields), tid: tid)
        case 151: handler.handle(TaskName(payload, fields), tid: tid)
        case 152: handler.handle(TaskEnqueue(payload, fields), tid: tid)
        case 153: handler.handle(TaskBegin(payload, fields), tid: tid)
        case 154: handler.handle(TaskSwitch(payload, fields), tid: tid)
        case 155: handler.handle(TaskSuspend(payload, fields), tid: tid)
        case 156: handler.handle(TaskFinish(payload, fields), tid: tid)
        case 157: handler.handle(TaskCancel(payload, fields), tid: tid)
        case 158: handler.handle(TaskEscalate(payload, fields), tid: tid)
        case 159: handler.handle(TaskTrack(payload, fields), tid: tid)
        case 160: handler.handle(ActorCreate(payload, fields), tid: tid)
        case 161: handler.handle(ExecutorState(payload, fields), tid: tid)
        case 162: handler.handle(ActorDestroy(payload, fields), tid: tid)
        case 163: handler.handle(TaskCollect(payload, fields), tid: tid)
        case 170: handler.handle(LoopState(payload, fields), tid: tid)
        case 171: handler.handle(LoopPollBegin(payload, fields), tid: tid)
        case 172: handler.handle(LoopPollEnd(payload, fields), tid: tid)
        case 173: handler.handle(LoopWake(payload, fields), tid: tid)
        case 174: handler.handle(RunLoopTimer(payload, fields), tid: tid)
        case 175: handler.handle(RunLoopTimerEnd(payload, fields), tid: tid)
        case 176: handler.handle(RunLoopRun(payload, fields), tid: tid)
        default: break
        }
    }

    /// Decodes a record of the event class with this catalogue id.
    ///
    /// - Returns: nil when the id is not in the catalogue.
    init?(id: UInt8, payload: EventPayload, fields: UnsafePointer<FieldPlace>) {
        switch id {
        case 1: self = .queueCreate(.init(payload, fields))
        case 2: self = .queueState(.init(payload, fields))
        case 3: self = .queueDispose(.init(payload, fields))
        case 4: self = .queueSetTarget(.init(payload, fields))
        case 10: self = .objectActivate(.init(payload, fields))
        case 11: self = .objectSuspend(.init(payload, fields))
        case 12: self = .objectResume(.init(payload, fields))
        case 20: self = .itemEnqueue(.init(payload, fields))
        case 21: self = .itemDelay(.init(payload, fields))
        case 22: self = .itemBegin(.init(payload, fields))
        case 23: self = .itemEnd(.init(payload, fields))
        case 24: self = .itemCancel(.init(payload, fields))
        case 25: self = .itemBarrier(.init(payload, fields))
        case 26: self = .calloutBegin(.init(payload, fields))
        case 27: self = .calloutEnd(.init(payload, fields))
        case 28: self = .itemWaitBegin(.init(payload, fields))
        case 29: self = .itemWaitEnd(.init(payload, fields))
        case 30: self = .syncEnter(.init(payload, fields))
        case 31: self = .syncBlock(.init(payload, fields))
        case 32: self = .syncHandoff(.init(payload, fields))
        case 33: self = .syncReturn(.init(payload, fields))
        case 34: self = .syncBegin(.init(payload, fields))
        case 35: self = .syncWait(.init(payload, fields))
        case 40: self = .applyBegin(.init(payload, fields))
        case 41: self = .applyIterationBegin(.init(payload, fields))
        case 42: self = .applyIterationEnd(.init(payload, fields))
        case 43: self = .applyEnd(.init(payload, fields))
        case 50: self = .sourceCreate(.init(payload, fields))
        case 51: self = .sourceSetHandler(.init(payload, fields))
        case 52: self = .sourceFire(.init(payload, fields))
        case 53: self = .timerConfigure(.init(payload, fields))
        case 54: self = .timerFire(.init(payload, fields))
        case 55: self = .sourceCancel(.init(payload, fields))
        case 56: self = .sourceDispose(.init(payload, fields))
        case 57: self = .sourceSetTarget(.init(payload, fields))
        case 58: self = .sourceMerge(.init(payload, fields))
        case 60: self = .mutationAfterActivation(.init(payload, fields))
        case 61: self = .retargetAfterActivation(.init(payload, fields))
        case 62: self = .nonLeafRetarget(.init(payload, fields))
        case 63: self = .overResume(.init(payload, fields))
        case 64: self = .releaseWhileSuspended(.init(payload, fields))
        case 70: self = .groupCreate(.init(payload, fields))
        case 71: self = .groupEnter(.init(payload, fields))
        case 72: self = .groupLeave(.init(payload, fields))
        case 73: self = .groupWaitBegin(.init(payload, fields))
        case 74: self = .groupWaitEnd(.init(payload, fields))
        case 75: self = .groupNotify(.init(payload, fields))
        case 80: self = .semaphoreCreate(.init(payload, fields))
        case 81: self = .semaphoreWaitBegin(.init(payload, fields))
        case 82: self = .semaphoreWaitEnd(.init(payload, fields))
        case 83: self = .semaphoreSignal(.init(payload, fields))
        case 90: self = .lockCreate(.init(payload, fields))
        case 91: self = .lockWait(.init(payload, fields))
        case 92: self = .lockAcquire(.init(payload, fields))
        case 93: self = .lockRelease(.init(payload, fields))
        case 100: self = .threadStart(.init(payload, fields))
        case 101: self = .threadExit(.init(payload, fields))
        case 102: self = .workerRequest(.init(payload, fields))
        case 103: self = .workerUnpark(.init(payload, fields))
        case 104: self = .workerPark(.init(payload, fields))
        case 105: self = .switchOut(.init(payload, fields))
        case 106: self = .switchIn(.init(payload, fields))
        case 107: self = .workerCreate(.init(payload, fields))
        case 108: self = .workerStart(.init(payload, fields))
        case 109: self = .workerExit(.init(payload, fields))
        case 110: self = .signpostLog(.init(payload, fields))
        case 111: self = .signpostBegin(.init(payload, fields))
        case 112: self = .signpostEnd(.init(payload, fields))
        case 113: self = .signpostEvent(.init(payload, fields))
        case 120: self = .codeSymbol(.init(payload, fields))
        case 121: self = .image(.init(payload, fields))
        case 122: self = .stack(.init(payload, fields))
        case 123: self = .processState(.init(payload, fields))
        case 124: self = .codeStack(.init(payload, fields))
        case 125: self = .clockSync(.init(payload, fields))
        case 126: self = .recordingStop(.init(payload, fields))
        case 127: self = .samplingRate(.init(payload, fields))
        case 130: self = .dispatchLog(.init(payload, fields))
        case 140: self = .processorTrack(.init(payload, fields))
        case 141: self = .threadTimes(.init(payload, fields))
        case 142: self = .switchesLost(.init(payload, fields))
        case 143: self = .switchesPauseBegin(.init(payload, fields))
        case 144: self = .switchesPauseEnd(.init(payload, fields))
        case 145: self = .blockedCall(.init(payload, fields))
        case 150: self = .taskCreate(.init(payload, fields))
        case 151: self = .taskName(.init(payload, fields))
        case 152: self = .taskEnqueue(.init(payload, fields))
        case 153: self = .taskBegin(.init(payload, fields))
        case 154: self = .taskSwitch(.init(payload, fields))
        case 155: self = .taskSuspend(.init(payload, fields))
        case 156: self = .taskFinish(.init(payload, fields))
        case 157: self = .taskCancel(.init(payload, fields))
        case 158: self = .taskEscalate(.init(payload, fields))
        case 159: self = .taskTrack(.init(payload, fields))
        case 160: self = .actorCreate(.init(payload, fields))
        case 161: self = .executorState(.init(payload, fields))
        case 162: self = .actorDestroy(.init(payload, fields))
        case 163: self = .taskCollect(.init(payload, fields))
        case 170: self = .loopState(.init(payload, fields))
        case 171: self = .loopPollBegin(.init(payload, fields))
        case 172: self = .loopPollEnd(.init(payload, fields))
        case 173: self = .loopWake(.init(payload, fields))
        case 174: self = .runLoopTimer(.init(payload, fields))
        case 175: self = .runLoopTimerEnd(.init(payload, fields))
        case 176: self = .runLoopRun(.init(payload, fields))
        default: return nil
        }
    }
}

extension DispatchEvent.QueueCreate {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            queue: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            label: payload.string(fields[1]),
            width: UInt16(truncatingIfNeeded: payload.unsigned(fields[2])),
            qos: QoSClass(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[3]))),
            target: payload.unsigned(fields[4]) & 0xffff_ffff_ffff,
            flags: UInt8(truncatingIfNeeded: payload.unsigned(fields[5])),
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[6])),
            stack: UInt32(truncatingIfNeeded: payload.unsigned(fields[7])),
            tid: UInt32(truncatingIfNeeded: payload.unsigned(fields[8])))
    }
}

extension DispatchEvent.QueueState {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            queue: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            label: payload.string(fields[1]),
            width: UInt16(truncatingIfNeeded: payload.unsigned(fields[2])),
            qos: QoSClass(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[3]))),
            target: payload.unsigned(fields[4]) & 0xffff_ffff_ffff,
            flags: UInt8(truncatingIfNeeded: payload.unsigned(fields[5])),
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[6])),
            stack: UInt32(truncatingIfNeeded: payload.unsigned(fields[7])),
            tid: UInt32(truncatingIfNeeded: payload.unsigned(fields[8])))
    }
}

extension DispatchEvent.QueueDispose {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            queue: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.QueueSetTarget {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            queue: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            target: payload.unsigned(fields[1]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])))
    }
}

extension DispatchEvent.ObjectActivate {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            object: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            kind: ObjectKind(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[1]))),
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])),
            stack: UInt32(truncatingIfNeeded: payload.unsigned(fields[3])))
    }
}

extension DispatchEvent.ObjectSuspend {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            object: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            kind: ObjectKind(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[1]))),
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])),
            stack: UInt32(truncatingIfNeeded: payload.unsigned(fields[3])))
    }
}

extension DispatchEvent.ObjectResume {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            object: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            kind: ObjectKind(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[1]))),
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])))
    }
}

extension DispatchEvent.ItemEnqueue {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            item: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            queue: payload.unsigned(fields[1]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])),
            kind: ItemKind(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[3]))),
            qos: QoSClass(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[4]))))
    }
}

extension DispatchEvent.ItemDelay {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            item: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            delay: payload.unsigned(fields[1]))
    }
}

extension DispatchEvent.ItemBegin {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            item: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            queue: payload.unsigned(fields[1]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.ItemEnd {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            item: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.ItemCancel {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            item: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.ItemBarrier {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            item: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.CalloutBegin {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            item: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.CalloutEnd {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init()
    }
}

extension DispatchEvent.ItemWaitBegin {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            item: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[1])))
    }
}

extension DispatchEvent.ItemWaitEnd {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            item: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            timedOut: UInt8(truncatingIfNeeded: payload.unsigned(fields[1])))
    }
}

extension DispatchEvent.SyncEnter {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            item: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            queue: payload.unsigned(fields[1]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])),
            kind: ItemKind(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[3]))),
            qos: QoSClass(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[4]))))
    }
}

extension DispatchEvent.SyncBlock {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            item: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            queue: payload.unsigned(fields[1]) & 0xffff_ffff_ffff,
            holderTid: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])))
    }
}

extension DispatchEvent.SyncHandoff {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            item: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            queue: payload.unsigned(fields[1]) & 0xffff_ffff_ffff,
            fromTid: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])))
    }
}

extension DispatchEvent.SyncReturn {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            item: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.SyncBegin {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            queue: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[1])),
            barrier: UInt8(truncatingIfNeeded: payload.unsigned(fields[2])))
    }
}

extension DispatchEvent.SyncWait {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            item: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            queue: payload.unsigned(fields[1]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])),
            kind: ItemKind(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[3]))),
            qos: QoSClass(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[4]))),
            level: payload.unsigned(fields[5]) & 0xffff_ffff_ffff,
            holderTid: UInt32(truncatingIfNeeded: payload.unsigned(fields[6])))
    }
}

extension DispatchEvent.ApplyBegin {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            apply: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            queue: payload.unsigned(fields[1]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])),
            iterations: payload.unsigned(fields[3]))
    }
}

extension DispatchEvent.ApplyIterationBegin {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            apply: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            iteration: payload.unsigned(fields[1]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.ApplyIterationEnd {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            apply: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.ApplyEnd {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            apply: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            threads: UInt32(truncatingIfNeeded: payload.unsigned(fields[1])))
    }
}

extension DispatchEvent.SourceCreate {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            source: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            type: SourceType(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[1]))),
            handle: payload.unsigned(fields[2]),
            queue: payload.unsigned(fields[3]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[4])),
            stack: UInt32(truncatingIfNeeded: payload.unsigned(fields[5])),
            tid: UInt32(truncatingIfNeeded: payload.unsigned(fields[6])),
            flags: UInt8(truncatingIfNeeded: payload.unsigned(fields[7])))
    }
}

extension DispatchEvent.SourceSetHandler {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            source: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            handler: HandlerKind(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[1]))),
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])),
            qos: QoSClass(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[3]))),
            removed: UInt8(truncatingIfNeeded: payload.unsigned(fields[4])))
    }
}

extension DispatchEvent.SourceFire {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            source: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            item: payload.unsigned(fields[1]) & 0xffff_ffff_ffff,
            queue: payload.unsigned(fields[2]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[3])),
            data: payload.unsigned(fields[4]))
    }
}

extension DispatchEvent.TimerConfigure {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            source: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            delay: payload.unsigned(fields[1]),
            interval: payload.unsigned(fields[2]),
            leeway: payload.unsigned(fields[3]),
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[4])))
    }
}

extension DispatchEvent.TimerFire {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            source: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            fires: payload.unsigned(fields[1]))
    }
}

extension DispatchEvent.SourceCancel {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            source: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[1])))
    }
}

extension DispatchEvent.SourceDispose {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            source: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.SourceSetTarget {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            source: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            target: payload.unsigned(fields[1]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])))
    }
}

extension DispatchEvent.SourceMerge {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            source: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            data: payload.unsigned(fields[1]),
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])))
    }
}

extension DispatchEvent.MutationAfterActivation {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            object: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            kind: ObjectKind(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[1]))),
            handler: HandlerKind(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[2]))),
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[3])),
            stack: UInt32(truncatingIfNeeded: payload.unsigned(fields[4])),
            activationCode: UInt32(truncatingIfNeeded: payload.unsigned(fields[5])),
            activationStack: UInt32(truncatingIfNeeded: payload.unsigned(fields[6])))
    }
}

extension DispatchEvent.RetargetAfterActivation {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            object: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            kind: ObjectKind(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[1]))),
            from: payload.unsigned(fields[2]) & 0xffff_ffff_ffff,
            to: payload.unsigned(fields[3]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[4])),
            stack: UInt32(truncatingIfNeeded: payload.unsigned(fields[5])),
            activationCode: UInt32(truncatingIfNeeded: payload.unsigned(fields[6])),
            activationStack: UInt32(truncatingIfNeeded: payload.unsigned(fields[7])))
    }
}

extension DispatchEvent.NonLeafRetarget {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            object: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            kind: ObjectKind(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[1]))),
            from: payload.unsigned(fields[2]) & 0xffff_ffff_ffff,
            to: payload.unsigned(fields[3]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[4])),
            stack: UInt32(truncatingIfNeeded: payload.unsigned(fields[5])),
            activationCode: UInt32(truncatingIfNeeded: payload.unsigned(fields[6])),
            activationStack: UInt32(truncatingIfNeeded: payload.unsigned(fields[7])))
    }
}

extension DispatchEvent.OverResume {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            object: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            kind: ObjectKind(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[1]))),
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])),
            stack: UInt32(truncatingIfNeeded: payload.unsigned(fields[3])),
            activationCode: UInt32(truncatingIfNeeded: payload.unsigned(fields[4])),
            activationStack: UInt32(truncatingIfNeeded: payload.unsigned(fields[5])))
    }
}

extension DispatchEvent.ReleaseWhileSuspended {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            object: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            kind: ObjectKind(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[1]))),
            inactive: UInt8(truncatingIfNeeded: payload.unsigned(fields[2])),
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[3])),
            stack: UInt32(truncatingIfNeeded: payload.unsigned(fields[4])),
            activationCode: UInt32(truncatingIfNeeded: payload.unsigned(fields[5])),
            activationStack: UInt32(truncatingIfNeeded: payload.unsigned(fields[6])))
    }
}

extension DispatchEvent.GroupCreate {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            group: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[1])))
    }
}

extension DispatchEvent.GroupEnter {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            group: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.GroupLeave {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            group: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.GroupWaitBegin {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            group: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[1])))
    }
}

extension DispatchEvent.GroupWaitEnd {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            group: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            timedOut: UInt8(truncatingIfNeeded: payload.unsigned(fields[1])))
    }
}

extension DispatchEvent.GroupNotify {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            group: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            item: payload.unsigned(fields[1]) & 0xffff_ffff_ffff,
            queue: payload.unsigned(fields[2]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[3])))
    }
}

extension DispatchEvent.SemaphoreCreate {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            semaphore: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            value: payload.signed(fields[1]),
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])))
    }
}

extension DispatchEvent.SemaphoreWaitBegin {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            semaphore: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[1])))
    }
}

extension DispatchEvent.SemaphoreWaitEnd {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            semaphore: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            timedOut: UInt8(truncatingIfNeeded: payload.unsigned(fields[1])))
    }
}

extension DispatchEvent.SemaphoreSignal {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            semaphore: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[1])))
    }
}

extension DispatchEvent.LockCreate {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            lock: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            label: payload.string(fields[1]),
            fair: UInt8(truncatingIfNeeded: payload.unsigned(fields[2])),
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[3])),
            tid: UInt32(truncatingIfNeeded: payload.unsigned(fields[4])),
            kind: LockKind(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[5]))))
    }
}

extension DispatchEvent.LockWait {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            lock: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[1])),
            holderTid: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])))
    }
}

extension DispatchEvent.LockAcquire {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            lock: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[1])))
    }
}

extension DispatchEvent.LockRelease {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            lock: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.ThreadStart {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            tid: UInt32(truncatingIfNeeded: payload.unsigned(fields[0])),
            name: payload.string(fields[1]),
            maker: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])),
            age: payload.unsigned(fields[3]))
    }
}

extension DispatchEvent.ThreadExit {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            tid: UInt32(truncatingIfNeeded: payload.unsigned(fields[0])))
    }
}

extension DispatchEvent.WorkerRequest {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            root: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            count: UInt32(truncatingIfNeeded: payload.unsigned(fields[1])))
    }
}

extension DispatchEvent.WorkerUnpark {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            root: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.WorkerPark {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            root: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.SwitchOut {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            tid: UInt32(truncatingIfNeeded: payload.unsigned(fields[0])),
            preempted: UInt8(truncatingIfNeeded: payload.unsigned(fields[1])),
            processor: UInt16(truncatingIfNeeded: payload.unsigned(fields[2])))
    }
}

extension DispatchEvent.SwitchIn {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            tid: UInt32(truncatingIfNeeded: payload.unsigned(fields[0])),
            processor: UInt16(truncatingIfNeeded: payload.unsigned(fields[1])))
    }
}

extension DispatchEvent.WorkerCreate {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            root: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.WorkerStart {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            root: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.WorkerExit {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            root: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.SignpostLog {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            log: UInt32(truncatingIfNeeded: payload.unsigned(fields[0])),
            subsystem: payload.string(fields[1]),
            category: payload.string(fields[2]))
    }
}

extension DispatchEvent.SignpostBegin {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            signpost: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            log: UInt32(truncatingIfNeeded: payload.unsigned(fields[1])),
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])),
            message: payload.string(fields[3]))
    }
}

extension DispatchEvent.SignpostEnd {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            signpost: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            log: UInt32(truncatingIfNeeded: payload.unsigned(fields[1])),
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])),
            message: payload.string(fields[3]))
    }
}

extension DispatchEvent.SignpostEvent {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            signpost: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            log: UInt32(truncatingIfNeeded: payload.unsigned(fields[1])),
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])),
            message: payload.string(fields[3]))
    }
}

extension DispatchEvent.CodeSymbol {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[0])),
            address: payload.unsigned(fields[1]) & 0xffff_ffff_ffff,
            symbol: payload.string(fields[2]),
            file: payload.string(fields[3]),
            line: UInt32(truncatingIfNeeded: payload.unsigned(fields[4])),
            thunk: payload.unsigned(fields[5]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.Image {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            base: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            begin: payload.unsigned(fields[1]) & 0xffff_ffff_ffff,
            end: payload.unsigned(fields[2]) & 0xffff_ffff_ffff,
            buildId: payload.string(fields[3]),
            path: payload.string(fields[4]))
    }
}

extension DispatchEvent.Stack {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            stack: UInt32(truncatingIfNeeded: payload.unsigned(fields[0])),
            frames: payload.unsignedArray(fields[1]))
    }
}

extension DispatchEvent.ProcessState {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            pid: UInt32(truncatingIfNeeded: payload.unsigned(fields[0])),
            name: payload.string(fields[1]),
            schemaMajor: UInt8(truncatingIfNeeded: payload.unsigned(fields[2])),
            schemaMinor: UInt8(truncatingIfNeeded: payload.unsigned(fields[3])),
            processors: UInt16(truncatingIfNeeded: payload.unsigned(fields[4])),
            processorsOnline: UInt16(truncatingIfNeeded: payload.unsigned(fields[5])),
            processorQuotaMilli: UInt32(truncatingIfNeeded: payload.unsigned(fields[6])))
    }
}

extension DispatchEvent.CodeStack {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[0])),
            stack: UInt32(truncatingIfNeeded: payload.unsigned(fields[1])))
    }
}

extension DispatchEvent.ClockSync {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            ticks: payload.unsigned(fields[0]),
            monotonic: payload.unsigned(fields[1]),
            realtime: payload.unsigned(fields[2]),
            boottime: payload.unsigned(fields[3]),
            strayed: payload.signed(fields[4]))
    }
}

extension DispatchEvent.RecordingStop {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init()
    }
}

extension DispatchEvent.SamplingRate {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            oneOf: UInt32(truncatingIfNeeded: payload.unsigned(fields[0])),
            cause: SamplingCause(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[1]))),
            budget: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])),
            cost: UInt32(truncatingIfNeeded: payload.unsigned(fields[3])))
    }
}

extension DispatchEvent.DispatchLog {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            tid: UInt32(truncatingIfNeeded: payload.unsigned(fields[0])),
            message: payload.string(fields[1]))
    }
}

extension DispatchEvent.ProcessorTrack {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            origin: ProcessorSource(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[0]))),
            detail: payload.string(fields[1]))
    }
}

extension DispatchEvent.ThreadTimes {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            tid: UInt32(truncatingIfNeeded: payload.unsigned(fields[0])),
            onCpu: payload.unsigned(fields[1]),
            runDelay: payload.unsigned(fields[2]),
            slices: payload.unsigned(fields[3]))
    }
}

extension DispatchEvent.SwitchesLost {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            switches: payload.unsigned(fields[0]),
            tid: UInt32(truncatingIfNeeded: payload.unsigned(fields[1])))
    }
}

extension DispatchEvent.SwitchesPauseBegin {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            tid: UInt32(truncatingIfNeeded: payload.unsigned(fields[0])))
    }
}

extension DispatchEvent.SwitchesPauseEnd {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            tid: UInt32(truncatingIfNeeded: payload.unsigned(fields[0])))
    }
}

extension DispatchEvent.BlockedCall {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            tid: UInt32(truncatingIfNeeded: payload.unsigned(fields[0])),
            call: payload.string(fields[1]),
            stack: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])),
            descriptor: DescriptorKind(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[3]))))
    }
}

extension DispatchEvent.TaskCreate {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            task: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            kind: TaskKind(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[1]))),
            qos: QoSClass(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[2]))),
            parent: payload.unsigned(fields[3]) & 0xffff_ffff_ffff,
            group: payload.unsigned(fields[4]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[5])))
    }
}

extension DispatchEvent.TaskName {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            task: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            name: payload.string(fields[1]))
    }
}

extension DispatchEvent.TaskEnqueue {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            task: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            executor: payload.unsigned(fields[1]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])))
    }
}

extension DispatchEvent.TaskBegin {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            task: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            executor: payload.unsigned(fields[1]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.TaskSwitch {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            executor: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[1])))
    }
}

extension DispatchEvent.TaskSuspend {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            task: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            wait: AwaitKind(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[1]))),
            object: payload.unsigned(fields[2]) & 0xffff_ffff_ffff,
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[3])),
            stack: UInt32(truncatingIfNeeded: payload.unsigned(fields[4])))
    }
}

extension DispatchEvent.TaskFinish {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            task: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.TaskCancel {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            task: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.TaskEscalate {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            task: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            qos: QoSClass(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[1]))))
    }
}

extension DispatchEvent.TaskTrack {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            taskDetail: TaskDetail(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[0]))),
            reason: payload.string(fields[1]),
            collects: UInt8(truncatingIfNeeded: payload.unsigned(fields[2])))
    }
}

extension DispatchEvent.ActorCreate {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            executor: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            actorType: UInt32(truncatingIfNeeded: payload.unsigned(fields[1])))
    }
}

extension DispatchEvent.ExecutorState {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            executor: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            actorType: UInt32(truncatingIfNeeded: payload.unsigned(fields[1])),
            kind: ExecutorKind(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[2]))))
    }
}

extension DispatchEvent.ActorDestroy {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            executor: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.TaskCollect {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            child: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            group: payload.unsigned(fields[1]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.LoopState {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            loop: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            kind: LoopKind(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[1]))),
            tid: UInt32(truncatingIfNeeded: payload.unsigned(fields[2])),
            shares: payload.unsigned(fields[3]) & 0xffff_ffff_ffff,
            name: payload.string(fields[4]))
    }
}

extension DispatchEvent.LoopPollBegin {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            loop: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.LoopPollEnd {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            loop: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            ready: UInt32(truncatingIfNeeded: payload.unsigned(fields[1])))
    }
}

extension DispatchEvent.LoopWake {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            loop: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.RunLoopTimer {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            runLoop: payload.unsigned(fields[0]) & 0xffff_ffff_ffff,
            timer: payload.unsigned(fields[1]) & 0xffff_ffff_ffff,
            due: payload.unsigned(fields[2]),
            code: UInt32(truncatingIfNeeded: payload.unsigned(fields[3])),
            stack: UInt32(truncatingIfNeeded: payload.unsigned(fields[4])))
    }
}

extension DispatchEvent.RunLoopTimerEnd {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            timer: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}

extension DispatchEvent.RunLoopRun {
    @inline(__always)
    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {
        self.init(
            runLoop: payload.unsigned(fields[0]) & 0xffff_ffff_ffff)
    }
}
