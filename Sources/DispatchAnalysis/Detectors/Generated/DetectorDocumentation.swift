// Generated from the documentation comments of the detectors by Tools/generate-schema. Do not edit.

extension ActorContention {
    public static let documentation = """
        Tasks wait for an actor, one behind the other.

        ## Definition

        A task *waits for an actor* when it could run, but another task runs on the actor. An actor is reported when tasks
        waited for it at least 10 times, or once for at least 250 ms or 10 % of the recording, the waits add up to at least
        10 ms, and there is a second or a minute in which the waits add up to at least 10 % of its length. The waits are
        attributed to the code that ran on the actor during that time. A *run* is the time between two switches in which a
        task is on the actor. If most of the waiting was behind runs of at least 100 µs, the actor is *held for long*;
        otherwise it is *called too often*. Time in which the thread of a run lost its processor does not make the run long.

        ```
          task 1  ├ on the actor ┤
          task 2  ░░░░░░░░░░░░░░░├ on the actor ┤          ░ waits
          task 3     ░░░░░░░░░░░░░░░░░░░░░░░░░░░├ on the actor ┤
        ```

        A wait that has not ended counts so far. The main actor and other serial executors count as actors. Time in which
        the actor was free but no thread was available does not count as a wait for the actor.

        ## Thresholds

        - waits = 10: Waits for the actor. A few short waits by chance are no pattern. The number does not apply to a wait
          of at least 250 ms or 10 % of the recording.
        - lost = 10ms: The smallest sum of the waits. A smaller loss is not noticeable.
        - share = 10%: The smallest sum of the waits in a second or in a minute, as a share of its length. Below it, one
          task waits for less than a tenth of the time, which is normal use of an actor.

        ## Why it matters

        An actor runs one task at a time. If its callers arrive faster than the actor serves them, they form a queue. The
        program is then as fast as one processor, and each caller waits for all earlier callers.

        ## What it cannot see

        The parts of one run on the actor: a run is named by the function that called the actor. Whether the tasks that wait
        belong to a batch that is not urgent.

        ## Advice

        Hold the actor for a shorter time: compute in a `nonisolated` function, and use the actor only for the result. Or
        call it less often: pass many values in one call, copy state that is only read, or use a `Mutex` for state that
        changes within nanoseconds.

        ## Source

        swiftlang/swift#68299 shows an actor that gets slower with the number of its callers. "Visualize and optimize Swift
        concurrency" (WWDC 2022, session 110350) calls the problem actor contention.
        """
}

extension ActorHopping {
    public static let documentation = """
        A task switches between actors for less work than the switch costs.

        ## Definition

        A *hop* is a switch of a task to another actor or executor for which the task leaves its thread. A task that finds
        its actor free and continues at once is no hop: this costs a tenth of a microsecond. A hop is *short* when no other
        task held the actor, the task then runs for less time than a hop costs, and it ran for less than two hop costs since
        the previous hop. The last condition covers work on the task's own executor, to which it may return without a hop.
        Hops without another await between them are a *chain*. A chain bounces when it has at least 4 short hops and they
        are at least two thirds of its hops: two hops are a call and its return. Chains between actors of the same types are
        reported when their short hops number at least 100, took at least 10 ms in total, and in one second or one minute
        took at least 1 % of its length.

        ```
          main actor   ├┤      ├┤      ├┤
          actor Cache     ···├┤   ···├┤             ··· waits to switch    ├┤ work
        ```

        The cost of a hop is measured in the trace: the median of the hops whose actor was free, at most 50 µs, because a
        longer hop is a wait for a processor. With fewer than 16 such hops it is 10 µs. The cost of the finding is the
        duration of the short hops. The finding is a note when a system library makes the hops, as `AsyncStream` does for a
        loop on an actor.

        ## Thresholds

        - chain = 4: Short hops of one chain. Two hops are one call of another actor and its return.
        - hops = 100: Short hops in total. A few hops cost too little to matter.
        - lost = 10ms: The smallest reported duration of all short hops. A smaller loss is not noticeable.
        - share = 1%: The smallest duration of the short hops in a second or in a minute, as a share of its length. Below
          it, the hops are spread over so much time that there is little to gain.

        ## Why it matters

        Each such hop enqueues the task and wakes a thread, for a step that takes less time than the hop. The cost grows
        with the number of processors, because the next thread is further away and its cache is cold.

        ## What it cannot see

        Whether the state that the steps use could belong to one actor. Hops that go through a continuation or a stream.

        A sampled trace (`record --budget`): a wait for an actor behind a task that was not recorded would count as a hop
        to a free actor.

        ## Advice

        Ask the other actor once for all values, pass it a closure that does the steps there, or give both actors one
        executor (`unownedExecutor`), so that a call between them stays on its thread.

        ## Source

        swiftlang/swift#77947: two actors that call each other get slower with more processors. "Swift concurrency: Behind
        the scenes" (WWDC 2021, session 10254) advises to batch work for the main actor.
        """
}

extension BarrierOnGlobal {
    public static let documentation = """
        A barrier is submitted to a global queue, where it has no effect.

        ## Definition

        An item with the barrier flag ran on one of the global queues. Items of the same code are one finding.

        ```
          own concurrent queue   ███ ███│▓▓▓▓▓│███ ███       ▓ alone
          global queue           ███ ███▓▓▓▓▓███ ███
                                    ██████████               ▓ like any other item
        ```

        ## Thresholds

        None: a barrier never has an effect there.

        ## Why it matters

        The whole process shares the global queues, so libdispatch ignores the flag there. Data that the barrier should
        protect is read and written at the same time.

        ## What it cannot see

        Whether the data is protected by other means.

        ## Advice

        Use a concurrent queue of the program's own: `DispatchQueue(label:attributes: .concurrent)`.

        ## Source

        `dispatch_barrier_async(3)`: on any queue that is not a concurrent queue created by the program, it behaves like
        `dispatch_async`.
        """
}

extension BlockedCooperativePool {
    public static let documentation = """
        A task blocks its thread, one of the few threads that all tasks share.

        ## Definition

        A job of Swift's global executor *blocks its thread* when it waits for at least 10 ms in a semaphore, a lock, a
        group, a work item or a sync. Where context switches were recorded, it also blocks its thread when it is off-CPU for
        at least 10 ms in a system call, such as a read or a sleep, or in another kind of lock. The finding names the system
        call and its caller if the recorder took the stack of the thread. Waits at one place are one finding.

        The severity depends on other jobs of the executor. It is a warning when other jobs were ready and waited for a
        thread for at least 50 ms during these waits. It is a note when they did not, but the waits add up to at least 100
        ms. For locks and system calls the warning begins at 100 ms: on a busy machine, a thread that holds a lock, such as
        the lock of the allocator, sometimes loses its processor. If the recorder took stacks of blocked threads, but none
        of these waits with a function of the program, it is a note: the runtime or the kernel may have delayed the thread.
        It is an error when, at the end of the trace, at least as many threads as there are processors are blocked, and jobs
        have waited for a thread for at least 100 ms: then no thread can make progress.

        ```
          thread 1   ├ task ░░░░░░░ semaphore.wait() ░░░░░░┤
          thread 2   ├ task ░░░░░░░ semaphore.wait() ░░░░░░┤
          tasks      ▲ ready ·········· no thread ··········├ task ┤
        ```

        The cost of a warning is the time for which a thread was blocked while a job waited for one. The cost of a note is
        the time for which the threads were blocked.

        ## Thresholds

        - wait = 10ms: The shortest wait that counts. Shorter waits are a normal use of locks.
        - lost = 50ms: The smallest time for which jobs waited for a thread because of the waits. From this time on it is a
          warning.
        - blocked = 100ms: The smallest sum of the waits if no job waited for the threads, and the smallest time for which
          jobs waited because of locks and system calls.

        ## Why it matters

        The executor has one thread per processor and creates no more. A blocked thread is missing until its wait ends. If
        the wait ends only through a task that needs a thread, the program never continues.

        ## What it cannot see

        Waits in system calls if no context switches were recorded. Under LTTng, the callers of system calls. Spinning
        locks, and locks in Swift's own libraries. A page fault of at least 10 ms counts as a system call. A system call
        that is open at the end of the trace is left out where events are missing, because the missing events may include
        the end of the task. Tasks on an executor of the program are not checked: they may block.

        ## Advice

        Suspend instead of blocking: `await` the result, wrap a callback in `withCheckedContinuation`, or replace a
        semaphore that signals events by an `AsyncStream`. Make calls that must block on a queue or a thread of their own,
        and resume a continuation from there.

        ## Source

        "Swift concurrency: Behind the scenes" (WWDC 2021, session 10254): tasks must always be able to make progress, and
        semaphores and condition variables are unsafe in them.
        """
}

extension BlockedSerialQueue {
    public static let documentation = """
        A serial queue is blocked in a system call while other work of the queue is due.

        ## Definition

        An item *blocks* its serial queue, or its serial hierarchy, when its thread is in system calls for at least 100 ms
        and for at least half of the item, such as `read`, `connect`, `waitpid` or a sleep. Items that were submitted to the
        hierarchy, and timers and delayed items that fell due, before the item ended and that began only after it waited for
        it. The cost of a blocked item is the longest of these waits, because they overlap. There is no minimum number: one
        blocked item is reported. Items of one place that are blocked in one call are one finding when they cost at least
        10 ms.

        As in `work-too-large`, items of the same code that run for at least half as long do not count as waiting, and
        neither does a sync of the main thread that ends the program.

        ```
          queue    ├───░░░░░░░░ read ░░░░░░░░───┤▓▓▓├┤├┤    ░ in the system call   ▓ the timer's handler
          due            ▲ timer    ▲ item   ▲ item         three waited for it
        ```

        This finding has priority over others about the same queue and the same time: `work-too-large`, `late-timer` and
        `long-sync-wait` become its symptoms. An item that computes, or that waits for a lock, a semaphore, a group or
        another queue, is `work-too-large`. Timers behind several short calls are `late-timer`. The main queue is in
        `main-queue-hang`, a run loop and other event loops are in `event-loop-blocked`, and both name the system call.

        ## Thresholds

        - blocked = 100ms: The shortest time in system calls. It is the limit of `work-too-large`, at which a user notices a
          delay.
        - lost = 10ms: The least cost. Work that falls due shortly before the call returns loses little.

        ## Why it matters

        A thread in a system call needs no processor, but it keeps the queue. One slow client, disk or child process then
        stops all timers, connections and requests of the queue.

        ## What it cannot see

        System calls without a recording of context switches, calls of less than 10 ms, and page faults. Waits in `futex`,
        because another thread of the program ends them. Sources other than timers: the trace has no time at which their
        event arrived. Operations behind a blocked operation of an `OperationQueue`, including the delegate queue of a
        `URLSession`: Foundation submits an operation only when it may run. A timer that has not fired at the end.

        ## Advice

        Set the descriptor to non-blocking, and return from the handler when the call fails with `EAGAIN`: a dispatch source
        runs the handler again when the descriptor is ready. Use `asyncAfter` instead of a sleep, and
        `Process.terminationHandler` instead of `waitpid`. On Linux `O_NONBLOCK` has no effect on regular files, so do such
        calls on another queue and submit only the result.

        ## Source

        `open(2)` about `O_NONBLOCK` and regular files. `DispatchSource` has no process source on Linux.
        """
}

extension BouncingWork {
    public static let documentation = """
        An operation hops between queues, in steps that take less time than waking a thread.

        ## Definition

        An operation is an item that no other item submitted, together with all items that it submits, directly or
        indirectly. A *hop* is an item of the operation that was submitted from an item of another queue, when the two
        queues share no serial queue. The notification of a group counts as submitted from the item that emptied the group.
        The notification of a work item counts as submitted from that work item.

        A hop is *short* when its work takes less time than the hop costs, and it waited at most 10 µs for anything other
        than its thread. Its work is its run time without the submission of the next item (at most 10 µs) and, where context
        switches were recorded, without preempted time. The hop costs that submission and one wake: the upper quartile of
        the wakes so far, or three times the lower quartile if that is less.

        An operation *bounces* when it has at least 3 short hops, and these are at least two thirds of its hops. It is
        reported when at least 10 operations that begin in the same code, or on queues with similar labels, bounce, and
        these are at least half of the operations with at least 3 hops and the same begin. One operation is enough when its
        short hops waited at least 250 ms or 10 % of the recording. The short hops of all operations together waited at
        least 1 ms, or 1 % of a recording of less than 100 ms. A hop from Swift's executor to a queue is not counted: a task
        that calls a queue and continues with its result needs it.

        ```
          queue A   ├┤      ├┤      ├┤
          queue B      ···├┤   ···├┤             ··· waking a thread    ├┤ work
                    A → B → A → B → A: four hops, four short steps
        ```

        The cost of a wake is measured in the trace, for each root queue. The samples are the waits of async items for which
        a parked worker was unparked while a processor was free, and which waited for nothing else. The cost is the 10th
        percentile of the samples; with fewer than 16 samples it is 10 µs. The cost of the finding is the sum of the waits
        of the short hops.

        ## Thresholds

        - hops = 3: Short hops of one operation. Two hops, which hand the work over and bring the result back, are the
          normal use of queues.
        - operations = 10: Operations that bounce. A smaller number costs little. The number does not apply to an operation
          whose short hops waited at least 250 ms or 10 % of the recording.
        - lost = 1ms: The smallest reported wait of all short hops. A smaller loss is not noticeable.
        - share = 1%: The same as a share of the recording, for short recordings. The smaller of the two limits applies.

        ## Why it matters

        Each hop costs two context switches and moves the data to the cache of another processor, for a step that would have
        ended sooner on the first queue.

        ## What it cannot see

        Hops without a submission to a queue, for example by the signal of a semaphore, and hops of Swift tasks between
        actors. An operation that begins outside of any item counts as one operation for each item that it submits. Whether
        a hop is needed to protect data. If so, the data of several steps belongs on one queue.

        A sampled trace (`record --budget`): the hops of an operation cannot be followed through items that were not
        recorded.

        ## Advice

        Give the queues of the operation one serial target queue, or do the steps in one item on one of the queues.

        ## Source

        The image pipeline of Apple's "Modernizing Grand Central Dispatch Usage" (WWDC 2017, session 706): nine asyncs for a
        list of four images became one.
        """
}

extension BusyLoop {
    public static let documentation = """
        Code runs again at once, thousands of times a second, although there is nothing to do.

        ## Definition

        - The event handler of a read source ran at least 1,000 times in a row without available data, and at least 1,000
          times a second. Sources of one place are one finding.
        - Or a task suspended, or switched to another executor, at least 1,000 times after its cancellation, at least 1,000
          times a second, for at least 250 ms or 10 % of the recording. The number of times does not apply to a task
          that did so for 250 ms. Tasks of one function are one finding.
        - Or a task ran for at least 250 ms after its cancellation without a suspension. This is a note: a sleep that
          returns at once is no suspension, and the trace does not distinguish a loop of such sleeps from a computation.
        - Or tasks awaited `Task.yield()` at one place at least 1,000 times, at least 1,000 times a second, and ran for less
          than 10 µs between two yields, for 250 ms or 10 % of the recording.

        ```
          peer      write ── close
          source       ├┤      ├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤ …      no data: the handler runs again at once

          cancel           ▼
          task      sleeps   ├┤├┤├┤├┤├┤├┤├┤├┤ …      each sleep returns at once
          task      sleeps   ├────────────────── …      the same, if nothing suspends the task

          task      ├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤ …      polls with Task.yield()
        ```

        ## Thresholds

        - firings = 1000: Consecutive firings without data, steps of a cancelled task, or yields. A handler that cancels the
          source at the end of the file runs once or twice without data. A cancelled task that ends takes few steps.
        - rate = 1000: Firings, steps or yields a second. Below it the loop takes little of a processor.
        - run = 250ms: The shortest time for which a cancelled task runs without a suspension. A task may finish its work
          after its cancellation, but a user notices a delay of this length.

        ## Why it matters

        A descriptor at its end stays readable. libdispatch runs the handler again as soon as it has returned, so the loop
        occupies a processor until the source is cancelled. A cancelled task that discards the error of a sleep, and a task
        that yields until a flag is set, poll without a pause.

        ## What it cannot see

        A handler that leaves data unread, which looks like a handler that has much to read. Loops that never leave their
        thread, such as a spin lock. Tasks whose cancellation was not recorded. Firings that were not recorded, such as
        the firings of Foundation's run loops.

        ## Advice

        Cancel the source when a read returns 0 bytes or an error. For a `FileHandle`, set `readabilityHandler` to nil when
        `availableData` is empty. Leave the loop of a task when `Task.isCancelled`, and do not discard the
        `CancellationError` of a sleep with `try?`. Await the event itself instead of a flag: the value of a task, the next
        element of an `AsyncStream`, or a continuation.

        ## Source

        `dispatch_source_create(3)` about `DISPATCH_SOURCE_TYPE_READ`: the source fires while the descriptor is readable,
        and a descriptor at its end is readable. `Task.sleep(for:)` about cancellation: it throws at once.
        """
}

extension ContinuationNeverResumed {
    public static let documentation = """
        A task is suspended on a continuation that is never resumed.

        ## Definition

        A task that awaits a continuation at the end of the trace is reported in three cases. *Dropped*: the runtime
        reported that the continuation was deallocated without a resume, as it does for a `CheckedContinuation`. *Left
        behind*: the task has waited for at least 250 ms, and at least 10 other continuations were awaited later at the same
        place, called by the same functions, and were resumed within a tenth of this time. No continuation at this place
        ever took more than half of this time. *Awaited*: the task has waited for at least 250 ms, and another task awaits
        it, directly or as a child of its task group. Then no 10 other continuations are needed: it is enough that the task
        was cancelled at least 250 ms before the end, or that another task was resumed at the same place within a tenth of
        the time. Tasks that wait at one place are one finding.

        ```
          task 1  ├ awaits ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ end     never resumed
          task 2     ├ awaits ░┤     ├ awaits ░┤
          task 3        ├ awaits ░┤     ├ awaits ░┤                    the same place, resumed

          task 4  ├ awaits task 5 ░░░░░░░░░░░░░░░░░░░░░░░░░░░░ end
          task 5    ├ awaits ░░░░░░▲ cancelled ░░░░░░░░░░░░░░░ end     never resumed, and task 4 waits for it
        ```

        Continuations of the runtime itself, for example in `Task.sleep` and `AsyncStream`, are never *left behind*,
        because they wait until an event occurs. For the same reason, continuations in a function `next`, which awaits the
        next element of a sequence, are excluded. If the other continuations were mostly awaited by the same tasks again and
        again, the finding is a note: in a server whose connections each read in a loop, this task may have nothing to read.
        An awaited task that was not cancelled is a note as well, and is not reported when it was resumed at this place
        before.

        ## Thresholds

        - wait = 250ms: The time for which the task has waited. Answers over a network take some 10 to 100 ms.
        - others = 10: Later continuations of the same place that were resumed. A smaller number may be chance. The number
          does not apply to a task that another task awaits.

        ## Why it matters

        The task never ends. It keeps its memory and resources, its awaiters wait forever, and each further occurrence adds
        another such task.

        ## What it cannot see

        An `UnsafeContinuation` that is dropped at a place that is used once. A continuation that the program still keeps
        and resumes after the end of the trace. If several tasks wait at the same place, which of them was left behind.

        ## Advice

        Resume the continuation exactly once on every path, including errors, early returns, cancellation and deallocation.

        ## Source

        SE-0300: a continuation must be resumed exactly once, and `CheckedContinuation` reports a missing resume.
        """
}

extension Deadlock {
    public static let documentation = """
        Threads or tasks wait for each other, and none of them can continue.

        ## Definition

        At the end of the trace, or when a snapshot was taken, a thread waits for another thread that owns the awaited
        object. The owner depends on the object:

        - A *queue*: the thread that runs an item on the queue or on a queue that excludes it, or the main thread for the
          main queue. A thread that runs or serves the main queue also holds the main actor.
        - A *lock*, or a semaphore that is used as a lock: the thread that holds it.
        - A *group* or a *work item*: the thread that runs an item of the group or the work item, or that keeps it from
          running.

        A cycle of such waits is a deadlock. Tasks that await each other, directly or through a task group, are a deadlock
        as well.

        A wait that cannot end is also reported without a cycle of threads, if nothing else can make progress: every thread
        that runs an item is blocked, no item waits on a free queue, no source is active whose handler could run, and no
        event loop polls. There are three kinds:

        - A *semaphore*: the waiting thread holds a queue or an actor on which items, syncs or tasks wait, and all earlier
          signals came from items of such queues, or there was none. The code that would signal it waits behind the thread.
          For an event loop, at least one earlier signal is required, because every wake-up of a loop waits for its next
          iteration.
        - A *group* that was entered more often than left.
        - A *sync* to a queue that is suspended or was never activated.

        *Operations* that wait for operations are reported after 1 s, where context switches were recorded: all running
        operations of a queue wait for other operations (`waitUntilFinished`, `addOperations(_:waitUntilFinished:)`,
        `waitUntilAllOperationsAreFinished`), and nothing else in the process runs or waits for a worker. A waiting
        operation counts toward `maxConcurrentOperationCount`, so Foundation does not start the awaited operations. A single
        operation is a warning, because it may await an asynchronous operation of another queue.

        ```
          thread 1   ├─ on A ── sync B ░░░░░░░░░░►
          thread 2     ├─ on B ── sync A ░░░░░░░░►        thread 1 → B → thread 2 → A → thread 1
        ```

        ## Thresholds

        - stuck = 100ms: The shortest reported wait without a cycle, if nothing else can make progress.

        ## Why it matters

        The program makes no progress, and nothing ends the wait.

        ## What it cannot see

        Threads that do not use dispatch: a thread that reads from a socket may still signal the semaphore. Waits with a
        time-out are left out, because they end. In a program that was recorded by the interposer alone, mutexes are visible
        only when a thread waits for them. If the trace ends with the wait itself, as for a killed program without recorded
        context switches, the length of the wait is unknown. Then only cycles are found, because a cycle cannot resolve
        itself.

        ## Advice

        Break the cycle at the sync that is easiest to replace by an `async`, and take queues and locks in the same order
        everywhere.

        ## Source

        Coffman, Elphick and Shoshani, "System Deadlocks", 1971: circular wait.
        """
}

extension DelayedRegistration {
    public static let documentation = """
        A timer is activated while a queue of its chain is suspended, inactive, or has a target that may still change.

        ## Definition

        When a timer source is activated, at least one queue of its chain (from the source's queue to the root queue or the
        main queue) is suspended, is inactive, or was created by `dispatch_queue_create`, so that its target may still
        change. libdispatch cannot determine the final queue of the timer at that point, and registers the timer later, from
        the queue that caused the delay. Timers created at one place on queues with similar labels are one finding.

        ```
          app.clock   ░░░░░░░░░ suspended ░░░░░░░░░│ resumed
          timer           activate ─ ─ ─ ─ ─ ─ ─ ─ ►│ registered: only now its deadline counts
                              due ▲ missed
        ```

        ## Thresholds

        None: the state of the chain at the activation decides.

        ## Why it matters

        A timer that is not registered does not fire. A deadline that passes before the registration is late by the rest of
        the delay. If the target of a queue may change, each registration needs an additional step on that queue.

        ## What it cannot see

        Suspensions from before the recording. Sources other than timers: libdispatch on Linux registers them at once.
        Timers that a system library creates on its own queue, such as the timer of `Task.sleep(for:tolerance:)`, are not
        reported if the only cause is a target that may change.

        ## Advice

        Build hierarchies from the root up: activate and resume the queues first, then activate the timers on them. In C,
        create queues with `dispatch_queue_create_with_target`, whose target is final.

        ## Source

        `delayed_registration`, one of the events of Apple's GCD Performance instrument. The condition is the one in
        libdispatch's `_dispatch_queue_compute_priority_and_wlh`.
        """
}

extension EventLoopBlocked {
    public static let documentation = """
        An event loop is busy or blocked for so long that it cannot poll.

        ## Definition

        An iteration of an event loop lasts from the return of its poll to its next poll. It is reported when it takes at
        least 10 ms. Where context switches were recorded, preempted time does not count; without them, an iteration counts
        from 50 ms. An iteration of a run loop, of the main thread or of another thread, counts from 100 ms, and only when
        its longest part is not an item of the main queue: such items are reported as `main-queue-hang`. An iteration of a
        loop on `poll` counts only when something waited for it.

        The finding names the longest recorded part of the iteration: an item or a Swift job, a wait for a lock, a semaphore
        or a queue, or a system call, if the recorder could query the thread. Loops with similar names and the same code are
        one finding.

        It is a warning when something waited: another thread woke the loop during the iteration, or the next poll returned
        at once. It is also a warning when it occurred at least 3 times. A single long iteration for which nothing waited is
        a note. A run loop without an item or a task during the iteration is a note as well, because the program may leave a
        run loop and return to it later.

        A loop on `epoll` that has not polled again by the end of the trace is a warning too, when another thread woke it at
        least 100 ms before, and no events are missing since the iteration began.

        ```
          loop    ─ poll ─┤├┤─ poll ─┤├──────── 25 ms ────────┤├─ poll ─
          thread                              ▲ wakes the loop, and waits until the next poll
        ```

        ## Thresholds

        - blocked = 10ms: The shortest iteration that counts. An iteration of a server's loop takes some microseconds.
        - unseen = 50ms: The shortest iteration where no context switches show whether the thread of the loop was off-CPU.
        - times = 3: Long iterations that make it a warning when nothing waited.

        ## Why it matters

        All connections of a loop wait for it: one slow handler on one of 8 loops delays an eighth of all requests, however
        many processors are idle. Timers are late, and keep-alives time out.

        ## What it cannot see

        The closures and channel handlers that SwiftNIO runs on the loop are not recorded individually. Without a queue, a
        Swift job, a wait or a system call, the finding shows how long the thread of the loop ran and how long it was
        blocked, and no code. A loop that never polls again and that no thread wakes: the program may have left it. Threads
        that share one epoll set: another thread polls during this time. Loops over io_uring.

        ## Advice

        Do blocking or long work elsewhere: on a queue, a thread pool, or a task that is not on the loop. Return to the loop
        with the result.

        ## Source

        "Never block the EventLoop" in SwiftNIO's documentation. `asyncio`'s debug mode reports callbacks of 100 ms, and
        `monitorEventLoopDelay` of Node has a resolution of 10 ms.
        """
}

extension HandlerlessSource {
    public static let documentation = """
        A source is active without an event handler, so its events are lost.

        ## Definition

        A source was activated, and no event handler was ever set for it. (`mutation-after-activation` reports a handler
        that is set after the activation.) A data source is reported when at least one value was merged into it after the
        activation, and a timer when at least one deadline passed while it was active: both prove that the source fired. The
        recorder cannot observe the firing of the other source types, so they are reported because they are active. Sources
        created at one place are one finding.

        ```
          source   create ── setCancelHandler ── activate ──▲── fires ──▲── fires ──
                              no setEventHandler            no handler is called
        ```

        ## Thresholds

        None: one occurrence is a mistake.

        ## Why it matters

        The event is consumed and lost. A source on a file descriptor that stays ready fires again and again, and uses a
        whole processor.

        ## What it cannot see

        Handlers that were set before the recording began. Sources whose creation was not recorded are not reported.

        ## Advice

        Set the event handler before `activate`. Do not activate a source that is not needed.

        ## Source

        `handlerless_source_fire`, one of the events of Apple's GCD Performance instrument.
        """
}

extension Hang {
    public static let documentation = """
        The program waits, and nothing in it can end the wait.

        ## Definition

        At the end of the trace the program is *at rest* for at least a second: each thread waits for another thread or is
        an idle worker, no item and no task can run, no delayed item is due later, and no source of libdispatch is active.
        So no code of the program will run. The finding names the wait that comes first in the chain of causes: the wait of
        the main thread if nothing else would end it, otherwise the longest wait without a known end. Without a wait of the
        main thread, an item or a task, it is a note: the threads may be idle threads of the program's own pool.

        ```
          main     ├ waits for all operations ░░░░░░░░░░░░░ end
          worker      ├ operation ┤  idle                          did not mark its operation as finished
        ```

        A thread that has waited for a child process for at least that time, in `waitpid` or in `Process.waitUntilExit()`,
        is a note, also while other threads run. The child process may wait for this program: a pipe holds 64 KiB.

        Other findings about one of the waits, such as `deadlock`, explain this finding.

        ## Thresholds

        - rest = 1s: The shortest time at rest. Waits with a time limit are often shorter.

        ## Why it matters

        The program makes no progress and reports no error. A service does not answer.

        ## What it cannot see

        Programs with a thread in another system call, such as `read` or `epoll_wait`: an event from outside may end it. A
        signal handler or another process that ends the wait later. The time limit of a wait, if the function with the limit
        is not in the recorded stack. Threads that are not known to be blocked, for example in traces without context
        switches.

        A program at rest in a sampled trace (`record --budget`): a delayed item or a sleeping task that was not recorded
        would count as nothing to do.

        ## Advice

        Find the code that should end the wait, and the path on which it does not run: an early return, an error, or a call
        that comes too early.

        ## Source

        `pthread_cond_signal(3)` has no effect if no thread waits for the condition. The documentation of Foundation's
        `Operation`: a queue keeps an asynchronous operation until its `isFinished` is true.
        """
}

extension ItemNeverRan {
    public static let documentation = """
        Items were submitted that will never run.

        ## Definition

        At the end of the trace an item has waited for at least 50 ms since it was due, was not cancelled, and cannot run.
        There are two causes: a queue of its chain is suspended or was never activated; or its queue leads to the main
        queue, on which no item ran in the whole trace, because the main thread never serves it. Items of one queue are one
        finding. Items of queues whose labels differ only in numbers are one finding as well, when the same code suspends or
        creates these queues. Items that wait behind other items are not reported, because they will run.

        ```
          async ─► ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ end
                   suspended, never activated, or not served by the main thread
        ```

        ## Thresholds

        - wait = 50ms: The time for which the item has waited, and its queue was suspended, at the end of the trace. A short
          suspension ends sooner.

        ## Why it matters

        The work is lost, and callers that wait for its result never continue. Its captured objects are never freed.

        ## What it cannot see

        A suspension that the program would have ended after the end of the trace. Where events are missing during the wait,
        one or two items prove nothing and are not reported. Where events are missing up to the end of the trace, no item is
        reported.

        ## Advice

        Activate queues that are created inactive, and balance suspensions. In a command-line program, end the main thread
        in `dispatchMain()` or a run loop, or do not use the main queue.

        ## Source

        `dispatch_suspend(3)`, `dispatch_main(3)`.
        """
}

extension LateTimer {
    public static let documentation = """
        Timers and delayed items run later than requested.

        ## Definition

        A timer is *late* when its handler begins more than its leeway plus 20 ms after the first deadline that it runs for,
        while the timer was not suspended. An item of `asyncAfter` is late when it begins more than 20 ms after the latest
        time that libdispatch allows itself: the delay plus a tenth of it, at least 1 ms and at most 60 s. At least 3 late
        timers or items of one place, on queues with similar labels, are reported. One timer is enough when other work
        delayed it by at least 250 ms or 10 % of the recording. Timers and items that were due in one stall count once. The
        finding names the item that held the queue for most of the delay, with its queue where that is another queue of the
        hierarchy, and the system call in which the item was blocked for at least half of the delay. Only the time for which
        items held the queue between the deadline and the begin counts.

        Only delays that the program causes count: other work held the queue, or no worker was free. Where context switches
        were recorded, time during which the holder was preempted is excluded. A delay in which nothing held the queue is
        caused by a busy machine. Without context switches, which would show this, it counts from 100 ms.

        ```
          due ┬ leeway ┬──────── late ────────┐
              │        │                      │
          ────┴────────┴──████████████████████▓▓▓▓──►   █ other work on the queue   ▓ the timer's handler
        ```

        ## Thresholds

        - late = 20ms: The shortest delay beyond the leeway. A busy machine with two processors is late by one or two turns
          of the scheduler, about 4 ms each.
        - times = 3: Late timers or items of one place. A single short delay is chance. The number does not apply to a timer
          whose queue was held for at least 250 ms or 10 % of the recording after the deadline.
        - idle = 100ms: The shortest delay where nothing held the queue, and no context switches show whether the machine
          was busy.

        ## Why it matters

        Periodic work runs in bursts. libdispatch merges the deadlines that pass during the delay into one event.

        ## What it cannot see

        With context switches, timers on concurrent queues for which no worker was free: see `pool-starvation`. Timers of
        other libraries, such as Foundation's run loops. For a timer that was set before the recording, only a lower bound
        of the delay: a firing counts the deadlines that passed since the previous one, which bounds the interval. The
        finding states this.

        ## Advice

        Give timers a queue of their own, or a queue with short items only. Move long work off that queue.

        ## Source

        `dispatch_source_set_timer(3)` about the leeway; `_dispatch_after` in libdispatch's source.c about the time that it
        allows itself.
        """
}

extension LockContention {
    public static let documentation = """
        Threads spend a considerable share of their time waiting for a lock.

        ## Definition

        An acquisition of a lock is *contended* when its thread had to wait for it. Where context switches were recorded,
        the wait excludes the time in which the holder was preempted, and the time in which the woken waiter was ready to
        run and off-CPU. The machine causes these times, not the lock. A lock is reported when all of these hold:

        - It was contended at least 10 times, or one of its waits took at least 250 ms or 10 % of the recording.
        - Its waits add up to at least 10 ms.
        - In one second or one minute, one thread waited for it for at least 1 % of the time.

        So one bad second in an hour is found, and 64 threads that wait for 0.02 % each are not. The finding shows the worst
        second, the worst minute, and how many seconds and minutes reach the share.

        Similar locks (their labels differ only in numbers) whose waits come mostly from the same code are one finding. That
        code is the innermost function of the program that does more than take a lock: the caller of `NIOLock.withLock`,
        where the caller was recorded, and not `withLock` itself. Where the owner was blocked in a system call for at least
        half of a large wait, the finding names that call.

        ```
          thread 1  ████████░░░░░████████          wait = Σ ░
          thread 2  ░░░░░░░░█████░░░░░░░░          █ holds   ░ waits
        ```

        ## Thresholds

        - waits = 10: Contended acquisitions. A few short collisions by chance are not a pattern. The number does not apply
          to a wait of at least 250 ms or 10 % of the recording.
        - lost = 10ms: The least sum of the waits. A smaller loss has no noticeable effect.
        - share = 1%: The least share of a second, or of a minute, that one thread waited. Below it there is little to gain.

        ## Why it matters

        A thread that waits for a lock does no work, whatever the number of processors. The waits grow faster than the load:
        a share of 1 % today can stop the program when the number of requests doubles.

        ## What it cannot see

        Spin locks, atomics, and locks of libraries that use neither pthread mutexes nor `Synchronization.Mutex`. Both kinds
        of mutex are recorded only when they are contended, so hold times are recorded only where another thread waited.

        ## Advice

        Hold the lock for a shorter time: copy the needed data out of it, work on the copy, and put the result back. Split
        the lock where it guards data that is not used together. Where most accesses are reads, publish an immutable copy
        that is replaced as a whole: readers need no lock for it.

        ## Source

        Tables of locks, waits and holders are the method of mutrace and of `perf lock contention`.
        """
}

extension LockOrderInversion {
    public static let documentation = """
        Two threads take the same queues or locks in opposite orders, which may deadlock.

        ## Definition

        There is an edge X → Y when a thread inside X requests Y. X and Y are serial queues (each serial queue of the chain
        of an item), locks, or semaphores that are used as locks. A cycle of edges is a potential deadlock when its requests
        can be active at the same time: no two of them are made inside a common queue or lock (a gate), they are not all
        made by one thread, and not all in one chain of asyncs, which orders them.

        ```
          thread 1   ├─ on A ── sync B ──┤
          thread 2                          ├─ on B ── sync A ──┤        A → B → A
                     with bad timing:
          thread 1   ├─ on A ── sync B ░░░░░░░░░░░░░░
          thread 2     ├─ on B ── sync A ░░░░░░░░░░░░                    forever
        ```

        ## Thresholds

        None: one request in each order is enough.

        ## Why it matters

        The program works in every test and then blocks under load, without a crash and without a message.

        ## What it cannot see

        Orders that did not occur in this run. In a program that was recorded by the interposer alone, mutexes for which no
        thread had to wait. Requests that something else orders, such as a semaphore that one thread waits for before it
        begins: then the finding is a false alarm.

        ## Advice

        Take the queues and locks in the same order everywhere, or do not hold the first one during the request for the
        second: with `async`, the thread holds nothing. If neither is possible, take one gate before both.

        ## Source

        Lock-order graphs with gate locks: Havelund, "Using Runtime Analysis to Guide Model Checking of Java Programs", SPIN
        2000; Linux's lockdep.
        """
}

extension LongSyncWait {
    public static let documentation = """
        A thread is blocked in a sync for 100 ms or more.

        ## Definition

        A call of `sync` or `asyncAndWait` is *long* when its caller is blocked in it for at least 100 ms before its item
        may run. The wait lasts from the call to the begin of the item, or to the end of the item where another thread runs
        it. Where context switches were recorded, two times are excluded and shown separately: the holder was preempted, or
        the queue was free and the caller was off-CPU. A sync that still waits at the end of the trace counts with its time
        up to there. Calls to the same queue from the same code are one finding.

        A *drain* is not reported: the last act of a program, when the main thread waits for the items that are still on a
        queue. It is a sync of the main thread outside of items whose own item takes at most 1 ms, and the trace ends at
        most 10 ms, or a tenth of the wait, after it.

        When the holder spent at least half of its time in a wait of its own (for a group, a semaphore, a work item or
        another sync), the finding names that wait as well. When the queue or one of its targets was suspended for at least
        half of the time, the finding names the code that suspended it.

        ```
          caller   ─ sync ░░░░░░░░░░░░░░░░░░░░░███─
          holder   ───────██████████████████████───    ░ blocked ≥ 100 ms
        ```

        ## Thresholds

        - wait = 100ms: The shortest wait that is reported. 100 ms is the limit at which a user notices a delay, and the
          whole time budget of many server requests.

        ## Why it matters

        libdispatch cannot use the blocked thread for other work, so it makes more threads for the remaining work. The
        callers of the blocked code wait as well.

        ## What it cannot see

        Why the holder took so long: look at the code that the finding names as the holder. A wait inside an item of the
        main queue is reported as `main-queue-hang`.

        ## Advice

        Submit with `async` where the caller needs no result. Where it needs one, continue in a completion handler. Do long
        work on another queue than the queue that guards the state, and do not wait while holding that queue.

        ## Source

        "Don't block": Apple's "Concurrent Programming With GCD in Swift 3" (WWDC 2016, session 720). The limit is from
        Nielsen, "Response Times: The 3 Important Limits", 1993.
        """
}

extension MainQueueHang {
    public static let documentation = """
        The main queue is busy or blocked for so long that the program seems to hang.

        ## Definition

        An item of the main queue, or of a queue that targets it, is a *hang* when it runs for at least 250 ms. From 100 ms
        it is a note. A hang is *blocked* when its thread spent at least half of the time waiting for a sync, a lock, a
        group, a semaphore or a work item, or, where context switches were recorded, blocked off-CPU. Otherwise it is
        *busy*. The finding names the place of the longest wait when that wait took at least a quarter of the hang. Items
        that waited during the hang are counted with it.

        An item that waited for at least 250 ms although no single item ran that long waited *behind other work*: behind
        many short items, or for a main thread that waits for something outside its queue. Hangs of the same kind in the
        same code are one finding. A task that runs on the main actor for as long is a hang too, and the finding names the
        function of the task. The main task, which runs an async `main`, hangs only while something else waits for the main
        actor or the main queue for at least 100 ms: otherwise its work is the program.

        ```
          main   ├─┤├──────── busy ────────┤├──░░ blocked ░░──┤├┤├┤├┤├┤├┤├┤
          item                                                 ▲ submitted  ▲ begins: behind other work
        ```

        ## Thresholds

        - noted = 100ms: The shortest hang that is a note. A user notices a delay of more than a tenth of a second.
        - reported = 250ms: The shortest hang that is a warning: the limit from which Apple's tools report a hang.

        ## Why it matters

        The main queue handles the actions of the user. In a server it handles signals, timers and the shutdown. None of
        these is handled during a hang.

        ## What it cannot see

        Work that the main thread does outside its queue. Without context switches, a system call counts as busy.

        ## Advice

        Do the work on another queue and submit its result to the main queue. Never wait on the main queue: submit the next
        step with `async` when the awaited work is done, or use the group's `notify`.

        ## Source

        The limits are the limits of the hang detection in Apple's Instruments and Xcode Organizer ("Analyze hangs with
        Instruments", WWDC 2023, session 10248).
        """
}

extension MutableTarget {
    public static let documentation = """
        A queue in use has a target that may still change, so libdispatch cannot optimise its hierarchy.

        ## Definition

        A lint (`--lint`). The program created a queue with `dispatch_queue_create`, so its target may change while it is
        active, and the queue ran or received items or is the target of other queues. Queues created at one place with
        similar labels are one finding.

        ```
          dispatch_queue_create("db", NULL) ─► db ─ ─ ? ─ ─► target        may change: looked up each time
          …_create_with_target("db", NULL, t) ─► db ───────► t            final: priorities pass at once
        ```

        ## Thresholds

        None: each such queue is reported.

        ## Why it matters

        When libdispatch has to raise the quality of service through such a queue, it cannot continue to the target of the
        queue, because the target may change at any moment. The boost arrives late, or ends at that queue.

        ## What it cannot see

        Queues that were created before the recording began. On Linux, libdispatch does not override the quality of service
        of running queues, so the cost is lower than on Apple's systems. For that reason this detector is a lint. Swift
        never creates such queues.

        ## Advice

        Create queues with `dispatch_queue_create_with_target`. Pass NULL for the default target.

        ## Source

        `mutable_target`, one of the events of Apple's GCD Performance instrument.
        """
}

extension MutationAfterActivation {
    public static let documentation = """
        A handler of a dispatch source is set after the activation of the source.

        ## Definition

        `setEventHandler`, `setCancelHandler` or `setRegistrationHandler` is called on a source that is already active. For
        sources, the first `resume` counts as activation. The recorder records the call itself, so every occurrence is
        certain. A handler that is removed (`nil`) is not a mutation: programs do this before they cancel the source. Calls
        on the same kind of object by the same code form one finding. A call by a library of the Swift toolchain is
        information only: FoundationNetworking sets the cancel handler of one source per request in this way.

        ```
          source   create ── activate ── fires ── fires ── setEventHandler ── fires …
                                           ▲                ▲
                                  the old handler     which one runs?
        ```

        ## Thresholds

        None: one occurrence is a mistake.

        ## Why it matters

        The source may fire between the activation and the call. The old handler then handles the event, or the event is
        lost if there is no old handler. A handler can be replaced safely only on the source's own queue, because no handler
        of the source runs at that time.

        ## What it cannot see

        Sources that were created before the recording began. In a program without the preloaded recorder, sources that are
        not a `TracedSource`.

        ## Advice

        Set all handlers before `activate`. If the behaviour has to change later, keep one handler that reads the current
        behaviour from a variable.

        ## Source

        `post_activate_mutation`, one of the events of Apple's GCD Performance instrument.
        """
}

extension NonLeafRetarget {
    public static let documentation = """
        The target of a queue changes while other queues or sources target that queue.

        ## Definition

        `dispatch_set_target_queue` is called on an active queue that was created by `dispatch_queue_create` (so that its
        target may change), while another object targets that queue. The recorder reads both facts from libdispatch at the
        time of the call, and writes the event before the call takes effect. Calls on the same kind of queue by the same
        code are one finding.

        ```
                before                  after
          leaf ─► middle ─► old    leaf ─► middle ─► new
                     ▲                        ▲
            set_target_queue(middle, new)     leaf moves too
        ```

        ## Thresholds

        None: one occurrence is a mistake.

        ## Why it matters

        The whole subtree moves to another place of the hierarchy while its items run. Items that the old target kept apart
        may overlap for a short time. On Linux libdispatch performs the change and logs a deprecated use. It can never
        optimise a hierarchy whose inner queues may move.

        ## What it cannot see

        Queues that the program created before the recording began. Queues that Swift creates, because their target can
        never change: see `retarget-after-activation` for them.

        ## Advice

        Build a hierarchy from its root to its leaves, and create each queue with its target
        (`dispatch_queue_create_with_target`).

        ## Source

        `non_leaf_retarget`, one of the events of Apple's GCD Performance instrument.
        """
}

extension OverResume {
    public static let documentation = """
        A queue or source that is not suspended is resumed: libdispatch ends the process.

        ## Definition

        `resume` is called on a queue, or on an active source, that has no suspension left. The recorder reads this from
        libdispatch at the call, and writes the event before the call continues, so the event is in the trace of the process
        that ends.

        ```
          suspend ── resume ── resume ─► "Over-resume of an object": the process ends
             +1        0         ▲
                          no suspension left
        ```

        ## Thresholds

        None: a single call ends the process.

        ## Why it matters

        The process ends with an illegal instruction and a message without the object and the place.

        ## What it cannot see

        Objects that the program created before the recorder was loaded, and objects that it created as `TracedQueue` or
        `TracedSource` without the preloaded recorder.

        ## Advice

        Suspend and resume in one place, and store there whether the object is suspended. Activate a source that starts
        inactive with `activate`, which may be called twice.

        ## Source

        libdispatch's own check, "Over-resume of an object" (queue.c, `_dispatch_lane_resume`).
        """
}

extension OverlappingHandlers {
    public static let documentation = """
        Small handlers of one kind run at the same time on several queues, and waking their threads costs more than the
        parallelism gains.

        ## Definition

        Items that are not syncs are grouped by the pattern of their queue's label (`news.connection.*`), by code, and by
        the type of the source whose handlers they are. A group is considered when its items run on at least 2 distinct
        exclusion queues (bottommost serial queues). An *episode* begins when one of its items begins while another one
        runs, and ends when any of the running items ends. A group is reported when all of these hold:

        - One second has at least 3 episodes, and two or more items run for at least 5 % of the time in which any item of
          the group runs.
        - The median run time of its items is at most 100 µs or 5 × the cost of a wake, whichever is more.
        - The time gained by running in parallel is less than the time spent on waking threads.

        ```
          news.connection.1   ██    ██      ██
          news.connection.2    ██      ██   ██
          news.connection.3     ██   ██      ██
                              ╰──╯  ╰───╯   ╰─╯   3 episodes, 3 threads for the work of one
        ```

        The gain is the time in which n items ran, times n − 1, with n at most the number of processors. An item that is
        blocked in syncs for a part of its time, or preempted where context switches were recorded, counts for the rest
        only. The time spent on waking is one wake for each item for which a worker woke, and the hand-offs to syncs that
        items of the group made. A wake costs what is measured in the same trace, as in `bouncing-work`.

        ## Thresholds

        - queues = 2: Distinct exclusion queues. On one queue, nothing can overlap.
        - episodes = 3: Episodes of overlap in one second. One or two may be chance.
        - overlap = 5%: The least share of overlap in the time in which any item of the group ran, in the same second. Among
          a thousand queues a few overlap by chance.
        - service = 100us: The longest median run time. Longer work is worth the thread that it wakes.
        - wakes = 5: The longest median run time in wakes, where that is more. On a machine that wakes slowly, even longer
          work is not worth it.

        ## Why it matters

        When each connection has a queue of its own on the default root queue, each busy connection needs a thread. For
        handlers of a few microseconds this means context switches, contention and cold caches instead of work.

        ## What it cannot see

        The number of processors that were free, unless context switches were recorded. Whether the handlers may be
        serialised: a handler that blocks, in a system call or a lock, needs its thread.

        ## Advice

        Give the queues of the group one serial target queue. They keep their order and their labels, and run one after the
        other on one thread.

        ## Source

        "Unwanted concurrency" in Apple's "Modernizing Grand Central Dispatch Usage" (WWDC 2017, session 706).
        """
}

extension PoolDeadlock {
    public static let documentation = """
        All workers of a root queue are blocked, and the items that could wake them wait for a worker.

        ## Definition

        When the trace ends, or a snapshot was taken, every worker of a root queue is blocked, no worker is starting, and
        items wait that only one of these workers can run. It is *certain* when each worker waits for a group or a work item
        of which an item is among the waiting items, or for something that another one of these workers holds. Then no other
        thread can wake them, and 100 ms suffice to exclude a short wait. When a worker waits for a semaphore, or for a lock
        that another thread holds, the limit is 2 s. Workers that wait for queues and locks of each other are a `deadlock`,
        which a further worker does not end.

        ```
          workers      1 ░░░░  2 ░░░░  3 ░░░░  …  255 ░░░░       all wait for a semaphore
          submitted    the item that would signal it ············ no worker is left to run it
        ```

        ## Thresholds

        - certain = 100ms: The time without progress of any worker, when only queued work can wake them. Pauses of
          libdispatch itself are shorter.
        - stuck = 2s: The time without progress, when another thread may wake a worker. libdispatch checks once a second
          whether its workers are stuck, and adds one if it may.

        ## Why it matters

        The program stops. On the global queues libdispatch adds one worker per second, so a small deadlock resolves itself
        in the end, by one item per second. But it makes at most 255 workers for a root queue. When all of these are
        blocked, the program does not recover.

        ## What it cannot see

        Workers are recorded by the interposer only. Whether a thread outside the pool will wake one of the workers later.

        ## Advice

        Never block a worker for the work of another item: submit the rest from that item, or use the group's `notify`. Run
        items that must block on one serial queue, or on a thread of their own.

        ## Source

        "Thread explosion" in Apple's "Building Responsive and Efficient Apps with GCD" (WWDC 2015, session 718): "your
        application deadlocks".
        """
}

extension PoolStarvation {
    public static let documentation = """
        Work waits while the workers that should run it are blocked.

        ## Definition

        An item is *starved* while its queue is free and its root queue has no free worker. Starved times of at least 50 ms
        that overlap are one *episode*. An episode is reported when at least half of the workers of that root queue were
        blocked for most of it: in a sync, for a lock, a semaphore, a group or a work item, or, where context switches were
        recorded, in system calls. If the workers were busy instead, the processors were the limit, which is not a fault of
        the program.

        Items that a limit of the program holds back are not starved: the blocked workers run items of the same code, and at
        least two of them wait for one lock or semaphore, or as many of them as a semaphore of this code admits are blocked
        elsewhere. With a worker, the items would wait for that lock or semaphore.

        ```
          worker 1   ░░░░░░░░ blocked ░░░░░░░░░░░░░░░░
          worker 2   ░░░░░░░░ blocked ░░░░░░░░░░░░░░░░
          worker 3                  ├ made after a second: the ladder
          item       ▲ submitted      ├─┤ begins
        ```

        ## Thresholds

        - wait = 50ms: The shortest starvation that counts. Starting a thread takes less than a hundredth of that.
        - blocked = 50%: The least share of the workers that were blocked.

        ## Why it matters

        libdispatch checks once a second whether its workers are stuck, and then starts one more. A backlog behind blocked
        workers is served by one more thread per second, while the processors are idle.

        ## What it cannot see

        Workers are recorded by the interposer only. Without context switches, a worker that is blocked in a system call
        counts as busy. A blocked item is ignored where its submission is missing, because other items may have waited for
        its queue. An item that is blocked in system calls is also ignored where it has not ended and events are missing,
        because its end may be among them. Items of serial hierarchies are ignored where items without a recorded submission
        ran for half of the time.

        A sampled trace (`record --budget`): a worker that runs an item that was not recorded would count as idle.

        ## Advice

        Do not wait on a queue for the work of another queue. Limit the number of items that wait at the same time: run
        items that block on one serial queue.

        ## Source

        The monitor in libdispatch's `event/workqueue.c`, which adds a worker each second.
        """
}

extension PriorityInversion {
    public static let documentation = """
        Urgent work waits for less urgent work.

        ## Definition

        There are four kinds. In each, the quality-of-service classes of both sides are recorded, and the class of the
        awaited side is lower:

        - *sync*: a thread waits in `sync` for a queue, or waits for a lock, and a thread of a lower class holds it. The
          time is the wait.
        - *queue*: an item waits behind items of lower classes on the same serial hierarchy. The time is the running time of
          those items during the wait.
        - *signal*: a thread waits for a semaphore, a group or a work item, and a thread of a lower class ends the wait.
          These objects have no owner whose priority could be raised, so the time is the whole wait.
        - *task*: a task awaits a task of class utility or background, or waits for an actor that such a task holds. The
          time ends when that task finishes, or leaves the actor.

        A thread has the class of the root queue that it works for. The main thread counts as user-initiated in an item of
        its queue, but only against classes from utility down. An item has the class of its submission, or else the class of
        its queue. A task has the class that it was created with or inherited, before any escalation. The finding is
        reported when waits by the same code for the same queue or object cost at least 10 ms in total.

        ```
          user-initiated   ─ sync ░░░░░░░░░░░░░░░░░░░░████
          background       ███████████████████████████        ░ waits for a thread of the lowest class
        ```

        ## Thresholds

        - lost = 10ms: The smallest time lost in all such waits of one code. A smaller loss is not noticeable.

        ## Why it matters

        On Apple's systems, classes have priorities: on a busy machine, work of a low class runs last, and its waiters wait
        for it. On Linux the finding shows that urgent work depends on work that the program declares less urgent.

        ## What it cannot see

        Priorities that the program sets for its threads (nice values, cgroup weights), and classes that a thread got in
        other ways. On Linux, libdispatch keeps the classes, but all its threads have the same priority in the kernel: the
        wait is not longer than for any other thread. For that reason the finding is a note. On Apple's systems the same
        wait may take many times as long. For a task that awaits a task group, the classes of the children.

        ## Advice

        Do not wait: submit the dependent work from the work that it depends on. Another class changes nothing on Linux.

        ## Source

        "Priority inversions" in Apple's "Power, Performance, and Diagnostics: What's new in GCD and XPC" (WWDC 2014,
        session 716), and Xcode's Thread Performance Checker.
        """
}

extension QueueForestSurvey {
    public static let documentation = """
        The program's work is spread over more queue hierarchies than its processors can serve, or over the shared global
        queues.

        ## Definition

        A *tree* is a hierarchy with a serial queue at its bottom: its exclusion queue. The detector reports one note for
        the whole program when at least one of these holds:

        - *Many trees*: within 10 ms, items of more than 4 trees ended, and of more than twice as many trees as there are
          processors. Syncs are not counted, because they run on the threads of their callers.
        - *Global work*: at least 1,000 items were submitted to the global queues directly, and they are at least half of
          all items. Swift's concurrency runtime, which has its own limits, is not counted.

        The note also has the number of private concurrent queues, and of queues without a label, that ran items.

        ```
          a ─► root     b ─► root     c ─► root  …        each tree asks for a thread of its own

          a ─┐
          b ─┼─► subsystem ─► root                        three queues, one thread
          c ─┘
        ```

        ## Thresholds

        - trees = 4: Trees that are active at the same time. More than this number are many.
        - per-processor = 2: Active trees per processor. More than this number are many. One tree per processor is the
          purpose of trees.
        - global = 1000: Items on global queues.

        ## Why it matters

        Each active tree needs a worker thread. With more trees than processors, the threads compete: context switches, cold
        caches, and contention for locks between them. The number of items that run on global queues at once has no limit.

        ## What it cannot see

        Which trees could be merged: the trees whose items belong to one subsystem. Trees of the main queue, of actors, of
        libdispatch, of libraries such as Foundation and of packages that SwiftPM fetched are not counted, because the
        program cannot merge them. Trees of packages are assumed to be active whenever many trees are.

        ## Advice

        Use one serial queue per subsystem at the bottom, and target it with the other queues of the subsystem. Submit only
        short items that never block to global queues.

        ## Source

        Apple, "Modernizing Grand Central Dispatch Usage" (WWDC 2017, 706): a fixed number of serial queue hierarchies.
        """
}

extension ReadersWriter {
    public static let documentation = """
        A readers–writer queue costs more in waiting than it gains in parallel reading, or keeps its writers waiting.

        ## Definition

        A private concurrent queue with barriers (writers) and other items (readers), at least 20 items in all, is reported
        when one of the first three conditions holds. A wait of at least 100 ms for the other kind that takes 250 ms or 10 %
        of the recording is reported for any number of items.

        - *Writers prevail*: at least half of the items are barriers.
        - *Waits outweigh work*: the waits that barriers cause, of readers behind a writer and of writers behind readers,
          add up to at least 10 ms and to more than the run time of all items.
        - *A writer starves*: a writer waited at least 100 ms for readers to finish.
        - *A writer holds up a reader*: a reader waited at least 100 ms for a writer, and this is 250 ms or 10 % of the
          recording.

        ```
          readers   ███ ██ ████░░░░░░░░░██ ███
          writer            ░░░▓▓▓▓▓▓▓▓▓           ░ waits for the other kind
        ```

        ## Thresholds

        - items = 20: The least number of items for which shares are meaningful. The number does not apply to a writer or a
          reader that waited at least 250 ms or 10 % of the recording.
        - writers = 50%: The share of barriers from which little can run in parallel.
        - waits = 10ms: The least sum of the waits because of barriers. A smaller sum has no noticeable effect.
        - starved = 100ms: The wait of a writer for readers from which it starves, and the shortest wait of a reader for a
          writer that is reported alone.

        ## Why it matters

        A barrier waits until all readers have finished, and all later items wait for the barrier. Where writers are
        frequent or readers are long, all items wait, and they also pay for the bookkeeping of a concurrent queue and its
        threads.

        ## What it cannot see

        The cost of a different lock. Readers–writer locks of other libraries, such as `pthread_rwlock_t`.

        ## Advice

        For many or short writers, use a serial queue, or a lock around the state. For long readers, copy the state under a
        short lock, and read the copy. For a long writer, prepare the new state before the barrier, and only store it in the
        barrier.

        ## Source

        Courtois, Heymans and Parnas, "Concurrent Control with 'Readers' and 'Writers'", 1971; barriers in
        `dispatch_barrier_async(3)`.
        """
}

extension ReleasedSource {
    public static let documentation = """
        A source is released right after its activation, so its handler never runs.

        ## Definition

        A source with an event handler was activated, and its last reference was released within 50 ms. The program had not
        cancelled it, and it had not fired. The recording continued for at least 250 ms, or 10 % of its length, after the
        release. Sources of one place are one finding.

        ```
          source   create ── activate ── release · · · due · · · due · · · end
                                            ▲ the last reference: libdispatch cancels the source
        ```

        ## Thresholds

        - kept = 50ms: The longest time from the activation to the release. A function that sets up a source and keeps no
          reference to it releases it within microseconds. A source that is kept for longer may be released on purpose.

        ## Why it matters

        libdispatch cancels a source without references. No error reports it, and the handler never runs.

        ## What it cannot see

        Sources whose creation is not in the trace. A source that fired before its release: it may have done its work.

        ## Advice

        Keep a reference to the source as long as its events are needed, for example in a property, and cancel it at the
        end.

        ## Source

        `_dispatch_source_xref_dispose` in libdispatch's source.c wakes a source at the release of its last reference, and
        the source then removes its event, as after a cancellation.
        """
}

extension ReleasedWhileSuspended {
    public static let documentation = """
        The last reference to a suspended or inactive queue or source is released: libdispatch ends the process.

        ## Definition

        The program releases its last reference to a queue or source that is suspended, or that was created inactive and
        never activated. The recorder reads this from libdispatch at the release, and writes the event before the release
        continues, so the event is in the trace of the process that ends.

        ```
          create ── suspend ── last release ─► "Release of a suspended object": the process ends
          create (inactive) ── last release ─► "Release of an inactive object": the process ends
        ```

        ## Thresholds

        None: a single release ends the process.

        ## Why it matters

        The process ends with an illegal instruction, far from the code that suspended the object. In Swift the release
        occurs at the end of the last variable that refers to the object.

        ## What it cannot see

        Objects that the program created before the recorder was loaded, and objects that it created as `TracedQueue` or
        `TracedSource` without the preloaded recorder.

        ## Advice

        Resume a suspended object before its last release. Cancel a timer instead of suspending it permanently. Activate
        every source, also a source that is to be cancelled.

        ## Source

        libdispatch's own checks, "Release of a suspended object" and "Release of an inactive object" (queue.c,
        `_dispatch_queue_xref_dispose`).
        """
}

extension RetargetAfterActivation {
    public static let documentation = """
        The target queue of an activated queue or source is changed.

        ## Definition

        `setTarget` is called on an object that is already active. The recorder writes the event before the call takes
        effect, so the event is in the trace even when libdispatch ends the process. Calls on the same kind of object by the
        same code are one finding: an error for a queue, a warning for a source. The finding lists the new target first.

        ```
          queue    create ── activate ── async ── async ── setTarget ─► the process ends
          source   create ── activate ── fires ── fires ── setTarget ─► it keeps running; libdispatch logs a deprecated use
        ```

        ## Thresholds

        None: one occurrence is a mistake.

        ## Why it matters

        For a queue that Swift created, libdispatch on Linux ends the process ("Cannot change the target of this object
        after it has been activated"). For a source the call succeeds, and libdispatch logs a deprecated use. Handlers that
        already run stay on the old queue, so the state that the new target protects is unprotected during this time. An
        object whose target may change also prevents libdispatch from optimising its hierarchy.

        ## What it cannot see

        Objects that were created before the recording began. In a program without the preloaded recorder, objects that are
        not a `TracedQueue` or a `TracedSource`. `non-leaf-retarget` reports queues whose target may change.

        ## Advice

        Pass the target to the initialiser, or create the object inactive, set the target, and then activate it.

        ## Source

        `post_activate_retarget`, one of the events of Apple's GCD Performance instrument.
        """
}

extension SemaphoreNeverSignalled {
    public static let documentation = """
        A thread waits on a semaphore that was never signalled.

        ## Definition

        A semaphore whose creation is in the trace was never signalled, and a thread waited for it for at least 250 ms: it
        still waits at the end of the trace, or its wait timed out. Semaphores created in one place are one finding. If the
        thread still waits in an item of a queue of the program, the finding names the queue, because a signal from code on
        that queue may wait behind this wait. A wait of the main thread does not count when other items began after its
        begin: some programs keep the main thread waiting forever.

        ```
          thread   wait ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ end
          others         ── no signal, ever ──
        ```

        ## Thresholds

        - wait = 250ms: The shortest wait of the thread. Answers over a network take about 10 to 100 ms.

        ## Why it matters

        The thread is lost, with all work behind it. When it is a worker, its pool has one worker less.

        ## What it cannot see

        A signal after the end of the trace. Where events are missing up to the end of the trace, the signal may be among
        them, and nothing is reported. Semaphores other than libdispatch's.

        ## Advice

        Signal on every path, including errors. Better, do not block: take the result in a completion handler or with
        `await`.

        ## Source

        `dispatch_semaphore_create(3)`: a wait "waits for a signal to occur before returning".
        """
}

extension SerialAwaits {
    public static let documentation = """
        A task awaits the same call several times, one after the other, and each await is long.

        ## Definition

        A *row* is a sequence of awaits of one task: at least 3 continuations or tasks, awaited by the same functions at the
        same place, each for at least 1 ms. A task counts if the awaiting task created it after the previous await, as in
        `await Task { … }.value`, because it cannot run during that await. Between the awaits the task awaits only actors
        and threads, and it runs for less than a fifth of the time. A row that took at least 100 ms is noted: concurrent
        awaits would take only as long as the longest of them. Two awaits are enough when concurrent ones would save 250 ms
        or 10 % of the recording. A row ends when the task ends or awaits something else, or when the trace ends while the
        task runs, which is the case for the main task until the process exits.

        ```
          task     ├─░░ fetch(1) ░░─░░ fetch(2) ░░─░░ fetch(3) ░░─┤       the sum
          instead  ├─░░ fetch(1) ░░─┤
                     ░░ fetch(2) ░░                                       the longest
                     ░░ fetch(3) ░░
        ```

        The cost is the sum of the awaits minus the longest await of each row. The finding is always a note, never a
        warning: the trace does not show whether an await needs the result of the previous one.

        ## Thresholds

        - awaits = 3: Awaits of one row. Two awaits often depend on each other. The number does not apply to a row that
          loses at least 250 ms or 10 % of the recording.
        - length = 1ms: The shortest await. A shorter await gains little from concurrency.
        - row = 100ms: The shortest row. A user notices a delay of more than a tenth of a second.

        ## Why it matters

        The task does nothing while it waits. The server or the disk that it waits for could handle all requests at once.

        ## What it cannot see

        Whether the awaits depend on each other. Awaits of different calls, one after the other. Waits for the next element
        of a sequence, sleeps, and awaits of tasks that existed during the previous await are excluded: these tasks may run
        concurrently.

        ## Advice

        Start the calls together: `async let` for a few calls, a task group for any number.

        ## Source

        SE-0317: `async let` is for independent results that are awaited together.
        """
}

extension SourceNeverActivated {
    public static let documentation = """
        A source was created and set up, and never activated.

        ## Definition

        A source was created and given an event handler at least 50 ms before the end of the trace, and was not activated,
        cancelled or released by then. (Its release is reported as `released-while-suspended`.) Sources of one place are one
        finding.

        ```
          source   create ── setEventHandler ── schedule ── ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ end
                                                     ▲ no activate: nothing ever fires
        ```

        ## Thresholds

        - age = 50ms: The age at the end of the trace from which a source counts as forgotten. The set-up takes
          microseconds, but some programs create sources in advance.

        ## Why it matters

        The source never fires, and no error reports it. Unlike queues, sources start inactive.

        ## What it cannot see

        Sources whose creation is not in the trace. Where events are missing up to the end of the trace, the activation may
        be among them, and nothing is reported. Programs that create sources in advance on purpose look the same.

        ## Advice

        Call `activate` when the source is set up.

        ## Source

        `dispatch_source_create(3)`: "Sources are created in an inactive state."
        """
}

extension SourceWithoutQoS {
    public static let documentation = """
        Sources are registered without a quality of service.

        ## Definition

        A lint (`--lint`). When a source is activated, its event handler and all queues of its chain have no quality of
        service, and the chain ends at the default global queue. The handlers run with the fallback class. All such sources
        are one finding with their number.

        ```
          read source ─► app.net (unspecified) ─► com.apple.root.default-qos
               no class ───────── no class ─────────── the fallback
        ```

        ## Thresholds

        None: the classes at the activation decide.

        ## Why it matters

        Events of the network or of timers compete with all other work at the default class. Events that a user waits for
        have no precedence over background events.

        ## What it cannot see

        Sources on the main queue, which has the class of the main thread. Nearly every program has such sources, and on
        Linux classes make little difference. For that reason this detector is a lint.

        ## Advice

        Give the queue that runs the handlers of a source the class of its purpose: `.userInitiated` if a user waits for the
        result, `.utility` if the work may take longer.

        ## Source

        `source_registration_without_qos`, one of the events of Apple's GCD Performance instrument.
        """
}

extension StaircaseContention {
    public static let documentation = """
        A lock or a serial queue passes from thread to thread, and the hand-offs take much of the time.

        ## Definition

        The acquisitions of a lock, or of the exclusion queue of a hierarchy (its bottommost serial queue), are ordered by
        the time at which they were granted. Two consecutive acquisitions are a *hand-off* when another thread requested the
        second one before the first one was released. A *staircase* is a run of at least 4 consecutive hand-offs between at
        least 2 threads for which all of these hold:

        - The median hold is at most 100 µs.
        - At least half of the hand-offs went to a blocked thread: a thread that waited in `sync` or in `lock`.
        - The holds take at most 90 % of the time of holds and hand-offs.

        A staircase is a *convoy* when, in at least half of its steps, the releasing thread requests the lock or the queue
        again before the next thread was granted it. The releasing thread is running, but it cannot take the lock or the
        queue back, because it is reserved for a thread that still has to wake up.

        Locks or queues whose labels differ only in numbers (`image.3`, `image.12`), and whose threads wait in the same
        code, are one finding. It has their sums, and names the 8 members with the largest loss. A finding is reported when
        its hand-offs take at least 1 % of the recording, or at least 10 ms.

        ```
          thread 1  ███      ░░░░░░░░░░███      ░░░░░░░░
          thread 2  ░░░░░░███      ░░░░░░░░░░███
          thread 3     ░░░░░░░░░███      ░░░░░░░░░░███
                       ▲  ▲
                release  grant         █ holds   ░ waits
        ```

        ## Thresholds

        - steps = 4: Consecutive hand-offs. Two threads that collide by chance hand off once or twice.
        - hold = 100us: The longest median hold. A hand-off costs about 10 µs (the mean of 61,265 in a recording of the demo
          service), which is little compared with a longer hold.
        - efficiency = 90%: The largest share of the holds in the time of holds and hand-offs. Above it there is little to
          gain: a few long holds outweigh all hand-offs.
        - blocked = 50%: The least share of hand-offs to blocked threads. A worker that drains a backlog is not contention,
          however long the backlog is.
        - share = 1%: The smallest total of the hand-offs, as a share of the recording. Below it, there is little to gain.
        - lost = 10ms: Hand-offs that take this long in total are reported whatever their share.

        ## Why it matters

        Each step puts one thread to sleep and wakes another: two context switches, cold caches, and a time in which no
        thread holds the lock and no thread may take it. The throughput falls to one item per wake-up, whatever the number
        of processors.

        ## What it cannot see

        Locks that the program does not take through Queuescope. For a pthread mutex only contended acquisitions are
        recorded, so a seeming run of hand-offs may have other threads in between: a glibc mutex allows a running thread to
        overtake sleeping ones. `lock-contention` covers these. Contention with fewer than four consecutive hand-offs, for
        example of an unfair lock, whose running threads overtake the sleeping ones. This makes the lock fast, and it is not
        reported.

        ## Advice

        Protect tiny state with a lock that a running thread may take again: `NSLock` or a pthread mutex. Use a `Mutex` for
        few threads only. On Linux, `Synchronization.Mutex` of Swift 6.3 is a priority-inheritance futex, which is handed to
        the next waiter, so many threads form the same convoy. Measured for 32 threads: serial queue 904 ms, `Mutex`
        1,744 ms, `NSLock` 62 ms; for 4 threads: 1,182 ms, 41 ms and 53 ms.

        Combine many small syncs of one caller into one larger sync. Submit with `async` where the caller needs no result.

        ## Source

        The lock convoy is described in Blasgen, Gray, Mitoma and Price, "The Convoy Phenomenon", 1979. Its shape on serial
        queues, and the unfair lock as a remedy, are described in Apple's "Modernizing Grand Central Dispatch Usage" (WWDC
        2017, session 706).
        """
}

extension StrictBackgroundTimer {
    public static let documentation = """
        A timer has the strict flag and runs at background priority.

        ## Definition

        A timer that was created with the flag `.strict` is activated, and the quality of service of its registration is
        background or maintenance. This class is the class of its handler or, if the handler has none, the nearest class in
        the chain of its queue. Timers created at one place are one finding.

        ```
          background timers   ─┬──┬─┬───┬──►  coalesced: ──────┴──────┴──►  few wake-ups
          … with .strict      ─┬──┬─┬───┬──►  each on time: ─┴──┴─┴───┴──►  one wake-up each
        ```

        ## Thresholds

        None: the flag and the class contradict each other.

        ## Why it matters

        Work of the background class may wait, so libdispatch coalesces its timers and the processor wakes less often. The
        strict flag prevents coalescing, but the handler still runs late, at low priority.

        ## What it cannot see

        Sources from before the recording, if their activation is not in the trace.

        ## Advice

        Remove `.strict` and give the timer a leeway. If the time matters, give its queue a higher quality of service.

        ## Source

        `strict_bg_timer`, one of the events of Apple's GCD Performance instrument; `_dispatch_timer_unote_register`.
        """
}

extension SuspendedTimerFire {
    public static let documentation = """
        A deadline of a timer passes while its source is suspended.

        ## Definition

        A timer source is suspended, and its next deadline plus its leeway passes before it is resumed (or before the trace
        ends). Each suspension counts once, because libdispatch removes the timer from its heap at the first missed
        deadline. A suspension does not count if the previous deadline had already passed when it began, because then the
        event was pending. Timers suspended at one place are one finding.

        Where events are missing from the trace, the missing events may include firings. A deadline before the suspension
        without a recorded firing is then treated as fired, and the following deadlines are computed from the schedule.

        ```
          timer   ──┬──────┬────│suspend ░░░░░░░░░░░░░░░░░░ resume│──┬──
                   fires  fires          ▲ due: wakes libdispatch,   ╰ the missed ones, as one event
                                           runs no handler
        ```

        ## Thresholds

        - times = 1: Suspensions with a missed deadline. One is a mistake.

        ## Why it matters

        The processor wakes for an event that no handler receives. After the resume, the handler runs at once for all missed
        deadlines, at a time that is not in the schedule. A program that pauses a timer rarely intends this.

        ## What it cannot see

        Timers whose schedule was set before the recording, unless their firings show the interval. Suspensions of the
        timer's queue instead of the timer. `asyncAfter`, which cannot be suspended.

        ## Advice

        Pause a timer by scheduling it for `.distantFuture`, or cancel it and create a new one when it is needed again.

        ## Source

        `suspended_timer_fire`, one of the events of Apple's GCD Performance instrument;
        `_dispatch_timer_unote_needs_rearm`.
        """
}

extension TaskExplosion {
    public static let documentation = """
        Thousands of tasks are alive at once, but only a few threads can run them.

        ## Definition

        The tasks that run one function are *alive* from their creation to their end. The function is reported when at least
        1000 of its tasks are alive at once without need: nine of ten tasks waited only for a thread or an actor, and all
        tasks together spent at least 90 % of their lives in such waits. Tasks that wait for something else, such as one
        connection each, are a normal use of tasks, whatever their number.

        ```
          alive   ▂▅█████████▇▆▅▄▃▂▁     10,000 created in a loop
          ran     ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁     one per processor
        ```

        The cost is the longest time for which one of the tasks was ready and did not run: work that is enqueued behind the
        tasks waits for this time.

        ## Thresholds

        - alive = 1000: Tasks alive at once. A task takes some hundred bytes and one or two allocations.
        - idle = 90%: The smallest share of their lives in which the tasks were ready and did not run.
        - lost = 10ms: The longest wait of one of the tasks must be at least this long. A shorter burst delays nothing
          noticeably.

        ## Why it matters

        The tasks keep their memory while they wait, with all values that their closures captured. A job that becomes ready
        during this time, such as the answer to a user, runs only after all of them.

        ## What it cannot see

        Tasks whose creation was not recorded. The memory that the closures keep alive. The number of tasks alive is counted
        in time steps of 100 µs, and in longer steps when more than 16,384 steps have changes. Tasks that live for less than
        one step are not counted.

        ## Advice

        Add the next task to the group when another one ends (`group.next()`), so that a few tasks per processor are alive.
        Or give each task a part of the elements.

        ## Source

        "Beyond the basics of structured concurrency" (WWDC 2023, session 10170) limits the number of tasks of a group in
        this way.
        """
}

extension TasksTooSmall {
    public static let documentation = """
        Tasks do less work than their creation costs.

        ## Definition

        For the tasks that run one function, S is the sum of their running times, and O is the cost of creating and starting
        them: 1.5 µs per task. The *overhead share* is O / (O + S). The function is reported when the share is above 50 %,
        the overhead is at least 10 ms, at least 1000 tasks were created at a rate of at least 20,000 per second, and nine
        of ten tasks awaited nothing. Tasks that wait for something run concurrently, so they are useful even if they are
        short. Runs of 100 µs and more are excluded from S if they are at most one in a thousand: their threads lost the
        processor.

        ```
          created    ▲▲▲▲▲▲▲▲
          overhead   ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒     ▒ create, enqueue, start, finish
          work         █  █  █  █  █  █  █  █       █ ran
        ```

        The rate counts only the time in which tasks ended; pauses of more than 10 ms count as 10 ms. The advice contains
        the number of elements per task that brings the share under 10 %: 9 × O / S. It is a warning when the overhead is at
        least 10 % of that time, and otherwise a note: tasks for jobs that arrive one by one cannot be larger.

        ## Thresholds

        - share = 50%: The overhead share above which a task is too small: it spends more time on overhead than on work.
        - tasks = 1000: Fewer tasks cost too little to matter.
        - rate = 20000: Tasks per second while tasks are created. A lower rate uses at most a thirtieth of a processor.
        - lost = 10ms: The smallest reported overhead.

        ## Why it matters

        The processors create tasks, enqueue them and free their memory. One loop would be faster than all of them together.

        ## What it cannot see

        The cost of collecting the results, and of the threads that wake for the tasks. The true share is higher.

        ## Advice

        Give each task a part of the elements, with one part per processor, or do the work in a loop.

        ## Source

        A million empty children of a task group, created, run and collected, took 1.7 to 2.2 s of processor time, without
        the time in the kernel, on a virtual machine with two processors. "Explore structured concurrency in Swift" (WWDC
        2021, session 10134) creates a task for each picture, not for each pixel.
        """
}

extension ThreadExplosion {
    public static let documentation = """
        libdispatch makes many more worker threads than there are processors.

        ## Definition

        The workers of all root queues that exist at one time are counted, including parked ones. libdispatch aims for as
        many workers in each root queue as there are processors, by affinity and cpuset. These workers are counted once, not
        once for every root queue. A CFS quota makes no difference, because libdispatch does not read it. It is an
        *explosion* when there are at least 4 workers per processor, and at least 8 of them were started within one second.

        At the moment when most workers are awake, each worker is attributed to the queue of its outermost item, to its
        code, and to its state: waiting in a sync, for a lock, a semaphore, a group or a work item; running an item; or
        without an item. An awake worker that has no item yet, such as the worker whose start makes the peak, counts with
        its activity in the next millisecond. When fewer than three quarters of the workers, and fewer than 4 per processor,
        have an item, the others are idle spares and nothing is reported. The report is a note while there are fewer than 8
        workers per processor and the cost is below 10 ms.

        An explosion ends when fewer than half of the workers of its peak are awake, or when fewer workers exist than an
        explosion needs. The next burst of starts begins another one. The finding shows the explosion with the most awake
        workers. The cost is the cost of the threads, not the time for which they exist: for each worker beyond the number
        of processors its start, from the call that creates it to its first instruction, and one wake, measured as in
        `bouncing-work`.

        ```
          workers
           16 ┤                    ╭──── peak: 12 wait for a semaphore in Cache.swift:40
            8 ┤              ╭─────╯     3 run, 1 is idle
            2 ┤──────────────╯
              ╰─────────────────────────── 2 processors
        ```

        ## Thresholds

        - factor = 4: Workers per processor. libdispatch aims for one. It starts more when threads block.
        - started = 8: Workers started within one second. A pool that grew slowly is not an explosion.
        - crowd = 8: Workers per processor that make it a warning at any cost.
        - cost = 10ms: The cost that makes it a warning for any number of workers.

        ## Why it matters

        Each thread needs memory for its stack and competes with the others for the processors. When threads block,
        libdispatch starts more, until it reaches its limit and no queued work can run.

        ## What it cannot see

        Threads that the program or a library creates by itself. Workers are recorded by the interposer only, and the number
        of processors must be recorded. A worker that is blocked in a system call counts as running. The cost of the cache
        misses that the threads cause for each other.

        ## Advice

        Do not block on a queue: use a completion handler or `notify`. Where many independent serial queues need the
        threads, give them a common serial target. Where many items wait for the same lock, run them on one serial queue
        that guards the data.

        ## Source

        "Thread explosion" in Apple's "Building Responsive and Efficient Apps with GCD" (WWDC 2015, session 718). The number
        of workers that libdispatch aims for is `active_cpus` in its `shims/hw_config.h`.
        """
}

extension TimerWithoutRunLoop {
    public static let documentation = """
        A timer is added to a run loop that no thread runs.

        ## Definition

        A timer is added to a run loop (`Timer.scheduledTimer`, `RunLoop.add(_:forMode:)`) that does not run at that time.
        The run loop does not run later either, the timer is not invalidated, and it has been due for at least 250 ms, or
        10 % of the recording, when the trace ends. Timers of one place are one finding.

        ```
          worker   ├─ item ── scheduledTimer ─┤   ├─ item ─┤   ├─ item ─┤     runs items, not its run loop
          timer                     ├─ 150 ms ─┤ due ························ never fires
        ```

        ## Thresholds

        - late = 50ms: The smallest reported time since the timer was due. In a short recording, a tenth of it may be less
          than the delay of a busy machine.

        ## Why it matters

        The timer never fires, and no error reports it. Each thread has a run loop, also a worker of libdispatch and a
        thread of Swift's pool, but only the main thread of an application, and threads that call `RunLoop.run`, run it.

        ## What it cannot see

        Programs that link Foundation statically. Whether the thread would have run its run loop after the end of the trace.

        ## Advice

        Use a timer source on the queue (`DispatchSource.makeTimerSource(queue:)`), `Task.sleep` in a task, or add the timer
        to the run loop of the main thread if that thread runs it.

        ## Source

        `Timer.scheduledTimer(withTimeInterval:repeats:block:)` "schedules it on the current run loop in the default mode".
        """
}

extension UnbalancedGroup {
    public static let documentation = """
        A group is entered more often than it is left while a wait or a notification depends on it, or it is left too often.

        ## Definition

        *Never empty*: at the end of the trace a group has been entered more often than left, by more than its running and
        waiting items account for. Nothing entered or left it for 250 ms. A thread still waits for it, a wait for it timed
        out, or a notification is pending. A wait of the main thread does not count when other items began after its begin:
        some programs keep the main thread waiting forever.

        *Left too often*: a group whose creation is in the trace was left more often than entered, at the very end of the
        trace, because libdispatch ends the process.

        ```
          enter ── work ── leave          count 0: wait returns, notify runs
          enter ── work ── error, return  count 1: ░░░░░░░░░░░░░░░░░░░░░░ forever
                             ▲ no leave
        ```

        ## Thresholds

        - quiet = 250ms: The time at the end of the trace in which nothing entered or left the group. Answers over a network
          take about 10 to 100 ms.

        ## Why it matters

        `wait` never returns and `notify` never runs. With a time-out, every call takes all of it.

        ## What it cannot see

        Whether a group was left too often where events are missing since its creation, and whether it was left later where
        events are missing up to the end of the trace: nothing is reported then. Which of the enters has no leave. Work that
        a library does for the program, such as a download, and that would have left the group after the end of the trace.

        ## Advice

        Leave in `defer` right after the enter, or use `async(group:)`, which enters and leaves by itself.

        ## Source

        `dispatch_group_enter(3)`: "Each call to dispatch_group_enter must be matched with a call to dispatch_group_leave."
        """
}

extension UncollectedChildren {
    public static let documentation = """
        A task group keeps finished child tasks, because its task adds children and collects none.

        ## Definition

        A task group keeps each finished child until its task collects the result with `next()`, or until the group ends.
        The group is reported when it keeps at least 1,000 finished children at one time, and all of these conditions hold
        while the number grows:

        - The task suspends for something other than the group and then adds children, at least 10 times: children are added
          as events arrive.
        - The growth lasts at least 250 ms, or 10 % of the recording.

        ```
          children added   ▲▲▲   ▲▲▲▲   ▲▲▲   ▲▲▲▲   ▲▲▲   ▲▲▲▲   ▲▲▲
          the task            ░░░    ░░░░   ░░░    ░░░   ░░░    ░░░      ░ suspended until the next event
          kept             ▁▁▁▁▂▂▂▂▂▃▃▃▃▃▄▄▄▄▄▄▅▅▅▅▅▅▆▆▆▆▆▆▆▇▇▇▇▇▇▇      60,000 finished children
        ```

        The cost is the time for which the number grows. Children of groups that discard results (`withDiscardingTaskGroup`)
        are excluded, because such a group releases a child when it ends. A group that receives all its children at once is
        excluded as well: the number of its children is limited by the loop that adds them.

        ## Thresholds

        - children = 1000: The smallest number of finished children that the group keeps. They take about a megabyte.
        - rounds = 10: How often the task suspends for something else and then adds children. A smaller number may be the
          reading of the input.

        ## Why it matters

        A finished child keeps its task object, its result and the first part of its task allocator: 1.4 KB for a child
        without a result. A loop that never ends takes memory until the process is killed. An error of a child is not
        noticed until its result is collected.

        ## What it cannot see

        The size of the results. Groups of traces before schema 1.7, and of a Swift runtime whose task layout is unknown.
        A task that never suspends while it adds children, because its input is always ahead. The suspensions of a task
        with nested groups count for the group to which it added the last child.

        A sampled trace (`record --budget`): a child whose collection was not recorded would count as kept.

        ## Advice

        Use `withDiscardingTaskGroup` when the results are not needed. Otherwise call `next()` before another child is
        added, as soon as the group has a few children per processor.

        ## Source

        SE-0381: "a TaskGroup must keep child task results until they are consumed", and a server that never calls `next()`
        leaks them. It adds `DiscardingTaskGroup` for this reason.
        """
}

extension UnevenConcurrentPerform {
    public static let documentation = """
        The iterations of a concurrentPerform do not fill the processors.

        ## Definition

        For a `concurrentPerform` that took time T on P processors (the number of iterations, when that is less), a
        processor time of P × T was available, and the iterations used B of it. *Efficiency* is B / (P × T). The lost time
        is (P × T − B) / P. P is the number of processors that affinity, cpuset and CFS quota leave to the process. The
        following times do not count as available:

        - A worker was requested and had not arrived, because its processor was busy with other programs.
        - More than 100 µs passed between two iterations of a thread, which would have continued if it had been on a
          processor.
        - The call waited for its last iteration only because that iteration was preempted.
        - Where context switches were recorded: an iteration was blocked, for example by a lock. This time is subtracted
          from the length of the iteration.
        - Where context switches were recorded: the call waited for its last thread only because that thread had been
          blocked.

        A call is *lopsided* when its longest iteration took at least 1.5 × the median, and an iteration by itself took at
        least a tenth of the call. No other thread can take over from the thread that runs it. The excess of the longest
        iteration over the median is lost, except for its share of 1 / P, and at most the time that the busiest thread ran
        beyond the average. The other threads compensate for the rest. "By itself" means without preempted time, where
        context switches were recorded: small iterations need not be split because the machine is busy.

        Calls of the same code are reported when their efficiency in all is below 85 %, or when some of them are lopsided.
        In both cases, at least 10 ms must be lost in all, and 1 ms in one call.

        ```
          thread 1  ├──── 1 ────┤├──── 3 ────┤
          thread 2  ├──── 2 ────┤ ········idle           3 iterations on 2 processors: 75 %
                    ├───────────T────────────┤
        ```

        The *idle tail* is the time between the end of the last iteration of a thread and the end of the call. The
        *imbalance* is the run time of the busiest thread over the average.

        ## Thresholds

        - efficiency = 85%: Calls below it are reported. Three iterations on two processors reach 75 %, eleven reach 92 %.
          The last iterations of a call never end at the same time.
        - longest = 150%: The longest iteration of a lopsided call over the median. On a processor that is shared with
          another program, an iteration takes twice as long.
        - part = 10%: The share of the longest iteration in a lopsided call. Other threads compensate for smaller
          iterations.
        - lost = 10ms: The least time lost in all calls together.
        - call = 1ms: The least time lost in one call. Starting the threads takes about 10 µs each, in every call.

        ## Why it matters

        The caller waits for the slowest thread. With as many iterations as processors, one processor that is busy with
        other work doubles the time. With a thousand iterations, the other processors take over its share.

        ## What it cannot see

        Work of other programs on the processor of an iteration: an iteration that waits for its processor counts as busy. A
        worker that is preempted before its first iteration of a call, or after its last one, counts as idle when it does
        not return. Iterations of a concurrentPerform inside another one share the processors.

        ## Advice

        Use about 1000 iterations of at least 20 µs each, or a stride that makes them: short enough to balance the load, and
        long enough to be worth the distribution.

        ## Source

        "Iteration count" in Apple's "Modernizing Grand Central Dispatch Usage" (WWDC 2017, session 706): three iterations,
        eleven, and a thousand with one busy core.
        """
}

extension UselessWakeups {
    public static let documentation = """
        Workers wake, find nothing to do, and go back to sleep.

        ## Definition

        A wake-up of a worker is *useless* when the worker parks again without having run an item. A worker that was parked
        for less than 2 µs did not sleep, so its return is not a wake-up. The workers of a root queue are reported when they
        had at least 100 useless wake-ups in bad seconds. A second is bad when at least 10 wake-ups, and at least half of
        all wake-ups, were useless. So a quiet hour does not hide a bad second.

        ```
          worker 1   park ·····▲ unpark ── item ── park
          worker 2   park ·····▲ unpark ─ looks ─ park        useless
                               │
          submitted            ╰ one item, two workers requested
        ```

        It is a warning when the cost is at least 1 % of one processor in those seconds, otherwise a note. A trace shorter
        than a second counts as one second. The cost is the time awake, and one wake for each useless wake-up, measured as
        in `bouncing-work`.

        ## Thresholds

        - wakeups = 100: Useless wake-ups in bad seconds. A few occur in every program.
        - share = 50%: The least share of useless wake-ups among the wake-ups of a bad second. A smaller share is the price
          of a quick response.
        - rate = 10: Useless wake-ups in a bad second. A smaller number has no measurable cost.

        ## Why it matters

        Each useless wake-up costs two context switches and takes a processor out of its idle state. The time is taken from
        other threads, and on a battery the energy is wasted.

        ## What it cannot see

        Workers that run only tasks and actors: Swift's runtime decides which of them wake, and `tasks-too-small` reports
        tasks that are too small. Workers are recorded by the interposer only. Work that libdispatch does between items,
        such as the hand-off of a queue to a waiting sync, leaves no item. The wake-up of a worker for that counts as
        useless.

        A sampled trace (`record --budget`): a wake-up for an item that was not recorded would count as useless.

        ## Advice

        Submit to fewer queues: libdispatch requests a worker whenever an empty queue gets an item. Batch small items, and
        give queues that are active together one serial target.

        ## Source

        "Too many wake-ups" in Apple's Energy Efficiency Guide, and "Modernizing Grand Central Dispatch Usage" (WWDC 2017,
        session 706).
        """
}

extension WaitForOwnQueue {
    public static let documentation = """
        A wait with a time limit blocks the queue that would end it.

        ## Definition

        A thread waits for a semaphore or a group, and the wait reaches its time limit. All later signals of this object
        come from items of a serial queue that the thread held during the wait: it ran an item of the queue, or it is the
        main thread and the queue is the main queue or the main actor. So the wait could not end before its time limit.
        Waits at one place are one finding.

        ```
          on app.store   ├ item: waits at most 1 s ░░░░ time limit ┤├ item: signals ┤
          the signal       ├ submitted to app.store ···············┤
        ```

        ## Thresholds

        - wait = 50ms: The shortest reported wait. Shorter time limits are often part of polling.

        ## Why it matters

        Each wait takes its whole time limit, and the program then continues without the result. Without a time limit it
        would be a deadlock.

        ## What it cannot see

        A signal after the end of the trace, or none: see `semaphore-never-signalled`. Earlier waits for a semaphore whose
        id is used again. Waits for conditions and for locks.

        ## Advice

        Continue in a completion handler (`notify`, `await`) instead of blocking the queue, or deliver the signal on another
        queue.

        ## Source

        `dispatch_semaphore_wait(3)`: it returns "non-zero after the timeout expires".
        """
}

extension WorkTooLarge {
    public static let documentation = """
        One long item on a serial queue delays others.

        ## Definition

        An item that runs for at least 100 ms on a serial queue, or on a queue of a serial hierarchy, is *too large* when
        other items were submitted to the same hierarchy before it ended, and began only after it. The cost is the time for
        which they waited for it. Two kinds of items do not count, because another order of the same work would not help
        them: an item of the same code that runs for at least half as long, as in a batch of similar items, and a sync of
        the main thread that ends the program, as in `long-sync-wait`. Where context switches were recorded, preempted time
        does not count as run time of the item.

        Items of the same code on the same queue are one finding when they cost at least 10 ms, however rare they are among
        the runs of the code: one request in a thousand that waits for a slow disk is what users complain about. Where
        context switches were recorded, the finding shows how long the item was blocked. Where the item was in one wait for
        at least half of its time (for a group, a semaphore, a work item, a lock or a sync), the finding names that wait.

        ```
          queue      ├────────── 240 ms ──────────┤├┤├┤├┤
          submitted       ▲    ▲         ▲               three waited for it
        ```

        ## Thresholds

        - service = 100ms: Items at least this long are reported. 100 ms is the limit at which a user notices a delay.
        - waiting = 1: Items that waited for it. Without any, nothing was delayed.
        - lost = 10ms: The least sum of the waits for such items. Waiters that arrive shortly before the item ends lose
          little; this bound ignores them.

        ## Why it matters

        A serial queue runs one item at a time. An item behind a long one waits for all of it, however short it is itself.

        ## What it cannot see

        Whether the order is needed. If so, the item can only be made shorter. Items that were cancelled while they waited.
        An item that is open at the end of the trace is ignored where events are missing, because its end may be among them.

        ## Advice

        Do the long part on another queue and submit only its result, or split the item into pieces, each of which submits
        the next one. Other items then run between two pieces. Where the item mostly waits, do not wait on the queue.

        ## Source

        Head-of-line blocking; "Do not block the main queue" in Apple's Concurrency Programming Guide.
        """
}

extension WorkTooSmall {
    public static let documentation = """
        Items are so small that submitting them costs more than their work.

        ## Definition

        For the async items of one code on queues with similar labels, S is the sum of their own run times, and O is the
        cost of running them: one wake for each item for which a worker woke, and 0.5 µs for submitting and dequeuing each
        item. The *overhead share* is O / (O + S). It is reported above 50 %, for at least 1000 items at a rate of at least
        20,000 per second, with an overhead of at least 10 ms. In the rate, a pause between two items counts with at most 10
        ms. The cost of a wake is measured as in `bouncing-work`.

        ```
          submitted   ▲          ▲          ▲            ▲ submit
          overhead    ▒▒▒▒▒▒▒▒   ▒▒▒▒▒▒▒▒   ▒▒▒▒▒▒▒▒     ▒ wake
          service             █          █          █    █ work
        ```

        The advice names the batch size that brings the share under 10 %: 9 × O / S items.

        ## Thresholds

        - share = 50%: The overhead share above which an item is too small: the program spends more time on the submissions
          than on the work.
        - items = 1000: A smaller number of items has no noticeable cost.
        - rate = 20000: Items per second. At a lower rate even a wake for each item, about 10 µs, takes less than a fifth of
          a processor.
        - lost = 10ms: The least overhead in all.

        ## Why it matters

        The program spends its time on moving work instead of doing it, and wakes threads that other work could use.

        ## What it cannot see

        Further costs of the submitting side, such as the captured values of a block. Whether the items may wait until a
        batch is full.

        A sampled trace (`record --budget`): the submissions that were not recorded would count as time of a recorded one.

        ## Advice

        Collect several items and submit them as one, or do the work in place, under a lock.

        ## Source

        "Replacing too small work": Apple's Concurrency Programming Guide, and the batches of "Modernizing Grand Central
        Dispatch Usage" (WWDC 2017, session 706). An uncontended submission costs about 0.5 µs on the machines on which
        Queuescope was measured.
        """
}
