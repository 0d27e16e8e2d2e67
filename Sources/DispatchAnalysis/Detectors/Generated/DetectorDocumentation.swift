// Generated from the documentation comments of the detectors by Tools/generate-schema. Do not edit.

extension ActorContention {
    public static let documentation = """
        Tasks wait for an actor, one behind the other.

        ## Definition

        A task *waits for an actor* while it could run, and another task runs on the actor. An actor is reported when tasks
        waited for it at least 10 times, the waits add up to at least 10 ms, and there is a second, or a minute, in which
        they add up to at least 10 % of it. The time is booked on the code that ran on the actor meanwhile. Where most of it
        went to stretches of at least 100 µs the actor is *held for long*, otherwise it is *asked too often*. A stretch does
        not become long because its thread lost its processor.

        ```
          task 1  ├ on the actor ┤
          task 2  ░░░░░░░░░░░░░░░├ on the actor ┤          ░ waits
          task 3     ░░░░░░░░░░░░░░░░░░░░░░░░░░░├ on the actor ┤
        ```

        The main actor and other serial executors count as actors. Time in which the actor was free and no thread was, is
        not the actor's.

        ## Thresholds

        - waits = 10: Waits for the actor. A few tasks that meet by chance are no pattern.
        - lost = 10ms: The least sum of the waits. Less than that nobody notices.
        - share = 10%: The least sum of the waits in a second, or in a minute, as a part of it. Below that a task in ten
          waits at any time, which is what an actor is for.

        ## Why it matters

        An actor runs one task at a time. When its callers come faster than it serves them they queue up, the program is as
        fast as one processor, and every caller waits for all that came before it.

        ## What it cannot see

        What a task does on the actor inside of one stretch: the stretch is named by the function that called. Whether what
        waits belongs to a batch that nobody is in a hurry for.

        ## Advice

        Hold the actor for less: compute in a `nonisolated` function, and go to the actor with the result. Ask it less
        often: one call for many values, a copy of what is only read, or a `Mutex` around state that takes nanoseconds to
        change.

        ## Source

        swiftlang/swift#68299 shows an actor that gets slower with the number of its callers; "Visualize and optimize Swift
        concurrency" (WWDC 2022, session 110350) calls it actor contention.
        """
}

extension ActorHopping {
    public static let documentation = """
        A task goes to and fro between actors in steps that are shorter than getting there.

        ## Definition

        A *hop* is a task's way to another actor or executor for which it leaves its thread; one that finds its actor free
        and runs on at once costs a tenth of a microsecond, and is none. It is *short* when no other task held the actor and
        the task runs for less time there than a hop costs, and had not run for longer than two of them since the hop
        before: what it does on its own executor, to which it may come back without a hop, is short as well. Hops with
        nothing else awaited between them are a *chain*. A chain bounces when it has at least 4 short hops, and they are two
        thirds of its hops: two hops are a call and its return. Chains between actors alike are reported when they have at
        least 100 short hops which took 10 ms in all.

        ```
          main actor   ├┤      ├┤      ├┤
          actor Cache     ···├┤   ···├┤             ··· getting there    ├┤ work
        ```

        What a hop costs is measured in the trace: the median of those for which no actor was held, at most 50 µs, as more
        is a wait for a processor; with fewer than 16 of them, 10 µs. The cost of the finding is what the short hops took.

        ## Thresholds

        - chain = 4: Short hops of one chain. Two are one call of another actor and the way back.
        - hops = 100: Short hops in all. What happens a few times costs nothing.
        - lost = 10ms: The least time that they took. Less than that nobody notices.

        ## Why it matters

        Each such hop puts the task into a queue and wakes a thread, for a step that takes less time than that. It gets
        worse with more processors, as the next thread is further away and its cache is cold.

        ## What it cannot see

        Whether the state that the steps touch could be on one actor. Hops that go through a continuation or a stream.

        ## Advice

        Ask the other actor once for all that is needed, hand it a closure that does the steps there, or give both actors
        one executor (`unownedExecutor`), so that a call between them stays on its thread.

        ## Source

        swiftlang/swift#77947: two actors that call each other get slower with more processors. "Swift concurrency: Behind
        the scenes" (WWDC 2021, session 10254) advises to batch what goes to the main actor.
        """
}

extension BarrierOnGlobal {
    public static let documentation = """
        A barrier is submitted to a global queue, where it excludes nobody.

        ## Definition

        An item with the barrier flag ran on one of the global queues. Items of the same code are one finding.

        ```
          own concurrent queue   ███ ███│▓▓▓▓▓│███ ███       ▓ alone
          global queue           ███ ███▓▓▓▓▓███ ███
                                    ██████████               ▓ like any other item
        ```

        ## Thresholds

        None: it never does what it says.

        ## Why it matters

        Global queues are shared by the whole process, so libdispatch ignores the flag there: what the barrier is meant to
        protect is read and written at the same time.

        ## What it cannot see

        Whether the data is protected by something else.

        ## Advice

        Use a concurrent queue of the program's own: `DispatchQueue(label:attributes: .concurrent)`.

        ## Source

        `dispatch_barrier_async(3)`: on a queue that is not a concurrent one of one's own it behaves like `dispatch_async`.
        """
}

extension BlockedCooperativePool {
    public static let documentation = """
        A task blocks the thread that it runs on, one of the few that all tasks share.

        ## Definition

        A job of Swift's global executor *blocks its thread* when it waits for at least 10 ms in a semaphore, a lock, a
        group, a work item or a sync, or, where context switches were recorded, is off its processor for as long in a system
        call such as a read or a sleep, or in a lock of another kind; the finding names the call and who made it where the
        recorder could ask the thread. Waits from one place are one finding. It is a warning when other jobs of the executor
        were ready and waited for a thread meanwhile for at least 50 ms, and a note when none did and the waits add up to at
        least 100 ms. For locks and system calls it is a warning from 100 ms on: on a busy machine a thread that holds a
        lock, the allocator's for example, loses its processor now and then. It is an error when as many threads as there
        are processors are blocked at the trace's end while jobs have waited for one for 100 ms: then nothing is left that
        could go on.

        ```
          thread 1   ├ task ░░░░░░░ semaphore.wait() ░░░░░░┤
          thread 2   ├ task ░░░░░░░ semaphore.wait() ░░░░░░┤
          tasks      ▲ ready ·········· no thread ··········├ task ┤
        ```

        The cost of a warning is the time for which a thread was blocked while a job waited for one; that of a note is the
        time blocked.

        ## Thresholds

        - wait = 10ms: The shortest wait that counts. A lock that is held for less is what locks are for.
        - lost = 50ms: The least time for which jobs waited for a thread because of it: from there on it is a warning.
        - blocked = 100ms: The least sum of the waits where nothing waited for the threads, and the least time for which
          jobs waited because of locks and system calls.

        ## Why it matters

        The executor has one thread per processor and makes no more. A blocked one is missing until its wait is over, and
        when what it waits for is the work of a task that needs a thread, nothing ever goes on.

        ## What it cannot see

        Waits in system calls, where no context switches were recorded, nor, under LTTng, who makes them. Locks that spin,
        and those of Swift's own libraries. Page faults of ten milliseconds count as system calls. A system call that goes
        on when the trace ends is left out where events are missing, as the task's end may be among them. Tasks on an
        executor of the program's own may block as they like.

        ## Advice

        Suspend instead of blocking: `await` the result, wrap a callback in `withCheckedContinuation`, use an `AsyncStream`
        for a semaphore that signals events. Give calls that must block a queue or a thread of their own, and resume a
        continuation from there.

        ## Source

        "Swift concurrency: Behind the scenes" (WWDC 2021, session 10254): tasks must always be able to make progress, and
        semaphores and condition variables are unsafe in them.
        """
}

extension BouncingWork {
    public static let documentation = """
        An operation hops from queue to queue, in steps that are shorter than waking a thread for them.

        ## Definition

        An operation is an item that no other item submitted, with all that it submits, all that these submit, and so on. A
        *hop* is an item of it that was submitted from an item of another queue, where the two queues share no serial queue;
        a notification of a group is submitted from the item that emptied the group, one of a work item from that.
        A hop is *short* when the item works for less than a hop costs and waited for nothing but its thread, but for 10 µs.
        Its work is what it ran without what it took to submit the next item, at most 10 µs (and without the time in which
        other threads had its processor, where context switches were recorded); the hop costs that submission and a wake:
        the upper quartile of the wakes so far, or three times the lower one where that is less. An operation *bounces* when
        it has at least 3 short hops, and they are at least two thirds of its hops. It is reported when at least 10
        operations that begin in the same code, or on queues alike, bounce, and at least half of those with as many hops.

        ```
          queue A   ├┤      ├┤      ├┤
          queue B      ···├┤   ···├┤             ··· waking a thread    ├┤ work
                    A → B → A → B → A: four hops, four short steps
        ```

        The cost of a wake is measured in the trace, for each root queue: what a tenth of the waits do not exceed of asyncs
        for which a parked worker was unparked while a processor was free, and which waited for nothing else; with fewer
        than 16 of them, 10 µs. The cost of the finding is what the short hops waited.

        ## Thresholds

        - hops = 3: Short hops of one operation. One hands work over and one brings the result back: that is what queues are
          for.
        - operations = 10: Operations that bounce. What happens a few times costs nothing.

        ## Why it matters

        Every hop costs two context switches and moves the data to another processor's cache, for a step that would have
        been over sooner where it was.

        ## What it cannot see

        Hops by other means than submitting to a queue, such as a signal of a semaphore, and those of Swift tasks between
        actors. An operation that begins outside of any item is as many operations as it submits items. Whether a hop is
        needed to protect data: then the data of several steps belongs on one queue.

        ## Advice

        Give the queues that the operation visits one serial target, or do the steps in one item on one of them.

        ## Source

        The image pipeline of Apple's "Modernizing Grand Central Dispatch Usage" (WWDC 2017, session 706): nine asyncs for a
        list of four images became one.
        """
}

extension ContinuationNeverResumed {
    public static let documentation = """
        A task is suspended on a continuation that nobody resumed.

        ## Definition

        A task that awaits a continuation when the trace ends is reported in two cases. *Dropped*: the runtime said that the
        continuation went away without having been resumed, as it does of a `CheckedContinuation`. *Left behind*: it has
        waited for at least 250 ms, and since it began at least 10 other continuations were awaited in the same place,
        called by the same functions, and resumed, each within a tenth of its time; none ever took half as long. Tasks that
        wait in one place are one finding.

        ```
          task 1  ├ awaits ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ end     nobody resumes it
          task 2     ├ awaits ░┤     ├ awaits ░┤
          task 3        ├ awaits ░┤     ├ awaits ░┤                    the same place, resumed
        ```

        A continuation of the runtime's own, such as that of `Task.sleep` or of `AsyncStream`, and one in a function `next`,
        which is what awaits the next element of a sequence, are not *left behind*: they wait for as long as nothing comes.
        Where the others were mostly the same tasks again, as in a server whose connections each read in a loop, it is told as
        a note: the one that waits may have nothing to read.

        ## Thresholds

        - wait = 250ms: How long the task has waited. Answers over a network take some 10 to 100 ms.
        - others = 10: Continuations of the same place that were resumed since. Fewer may be chance.

        ## Why it matters

        The task never ends. It keeps what it holds, whoever awaits it waits for ever, and each time it happens there is one
        more.

        ## What it cannot see

        An `UnsafeContinuation` that is dropped in a place that is used once. One that is kept somewhere and would have been
        resumed after the trace's end. Which of several tasks was left behind, where they all wait for the same.

        ## Advice

        Resume the continuation exactly once on every path: errors, early returns, cancellation and deallocation too.

        ## Source

        SE-0300: a continuation must be resumed exactly once, and `CheckedContinuation` says when it was not.
        """
}

extension Deadlock {
    public static let documentation = """
        Threads wait for each other, and none will ever go on.

        ## Definition

        When the trace ends, or a snapshot was taken, a thread waits for another one that has what it waits for: that runs
        an item on the queue, or on one that excludes it, or is the main thread where that is the main queue; that holds the
        lock, or took the semaphore that is used as one; that runs an item of the group or the work item, or keeps it from
        running. A cycle of such waits is a deadlock.
        So are tasks that await each other, directly or through a task group.

        A wait that cannot end without a cycle of threads is reported too, when nothing else can move: every thread that
        runs an item is blocked, no item waits on a queue that is free, no source is active whose handler could run, and no
        event loop polls.

        - A *semaphore*, when the thread that waits holds a queue or an actor on which items, syncs or tasks wait, and all
          signals so far came from items of such queues, or none came: what would signal it waits behind it. For an event
          loop they must have come: whatever it is woken for waits for its next round.
        - A *group* that was entered more often than left.
        - A *sync* to a queue that is suspended or was never activated.

        ```
          thread 1   ├─ on A ── sync B ░░░░░░░░░░►
          thread 2     ├─ on B ── sync A ░░░░░░░░►        thread 1 → B → thread 2 → A → thread 1
        ```

        ## Thresholds

        - stuck = 100ms: How long a wait without a cycle has lasted at least, when nothing else can move.

        ## Why it matters

        The program stands still, and nothing ends it.

        ## What it cannot see

        Threads that do not use dispatch: one that reads from a socket may still signal the semaphore. Waits with a time-out
        will end. Mutexes of a program that was recorded by the interposer alone show when somebody waits for them. Where
        the trace ends with the wait itself, as that of a program that was killed without context switches being recorded,
        it does not tell how long a wait lasted: then only cycles are found, which cannot resolve themselves.

        ## Advice

        Break the cycle at the sync that is easiest to make an `async`, and take queues and locks in one order everywhere.

        ## Source

        Coffman, Elphick and Shoshani, "System Deadlocks", 1971: circular wait.
        """
}

extension DelayedRegistration {
    public static let documentation = """
        A timer is activated while a queue of its chain is suspended, inactive, or may still change its target.

        ## Definition

        At the activation of a timer source some queue of its chain, up to its root or the main queue, is suspended or
        inactive, or was made by `dispatch_queue_create`, so that its target may still change. Then libdispatch does not know
        yet where the timer belongs, and registers it later, from that queue. Timers of one place and of queues that are
        named alike are one finding.

        ```
          app.clock   ░░░░░░░░░ suspended ░░░░░░░░░│ resumed
          timer           activate ─ ─ ─ ─ ─ ─ ─ ─ ►│ registered: only now its deadline counts
                              due ▲ missed
        ```

        ## Thresholds

        None: what the chain is at the activation decides.

        ## Why it matters

        A timer that is not registered does not fire: a deadline that passes meanwhile is late by as long as it takes. With a
        target that may change, every registration takes a detour over the queue.

        ## What it cannot see

        Suspensions from before the recording. Sources other than timers, which libdispatch on Linux registers at once. What
        a library of the system does with a timer and a queue of its own, such as `Task.sleep(for:tolerance:)`, is left out
        where only the detour is to be saved.

        ## Advice

        Build hierarchies from the root up: activate and resume the queues, then activate the timers on them. In C make
        queues with `dispatch_queue_create_with_target`, whose target is final.

        ## Source

        `delayed_registration`, one of the events of Apple's GCD Performance instrument; the condition is that of
        libdispatch's `_dispatch_queue_compute_priority_and_wlh`.
        """
}

extension EventLoopBlocked {
    public static let documentation = """
        An event loop runs something for so long that it cannot poll.

        ## Definition

        An iteration of an event loop, from the return of its poll to its next poll, that takes at least 10 ms. Time in
        which others had the processor does not count, where context switches were recorded; where they were not, an
        iteration counts from 50 ms on. A run loop, of the main thread or another, counts from 100 ms on, and only where the
        main queue's items are not most of it: they are the subject of `main-queue-hang`. The finding names what was
        recorded on the loop meanwhile: the item or Swift job that took most of the iteration, the wait for a lock, a
        semaphore or a queue, or the system call, where the recorder could ask the thread. Loops that are named alike, and
        did the same, are one finding.

        It is a warning when something waited: a thread had woken the loop meanwhile, or its next poll returned at once. So
        it is when it happened at least 3 times; once, with nobody waiting, is worth to know, and no more. Neither is a run
        loop that runs no item and no task meanwhile: a program may leave it and come back later.

        A loop on `epoll` that has not polled again when the trace ends is a warning too, when a thread had woken it at least
        100 ms before, and no events are missing since.

        ```
          loop    ─ poll ─┤├┤─ poll ─┤├──────── 25 ms ────────┤├─ poll ─
          thread                              ▲ wakes the loop: waits for the rest
        ```

        ## Thresholds

        - blocked = 10ms: The shortest iteration that counts. A loop of a server goes round in some microseconds.
        - unseen = 50ms: The shortest where no context switches tell whether the loop's thread had a processor.
        - times = 3: How often it has to happen to be a warning where nothing waited.

        ## Why it matters

        All connections of a loop wait for it: one slow handler on one of 8 loops delays an eighth of all requests, however
        many processors are idle. Timers are late, and keep-alives time out.

        ## What it cannot see

        The closures and channel handlers that SwiftNIO runs on the loop are not recorded one by one: where neither a queue,
        a Swift job, a wait nor a system call is involved, it tells how long the loop's thread ran and how long it was
        blocked, and no code. A loop that never polls again, where no thread wakes it: the program may have left it. Threads
        that share one epoll set: another one polls meanwhile. Loops over io_uring.

        ## Advice

        Do what blocks or computes for long elsewhere, on a queue, a thread pool or a task that is not on the loop, and come
        back to the loop with the result.

        ## Source

        "Never block the EventLoop" in SwiftNIO's documentation; `asyncio`'s debug mode reports callbacks of 100 ms, Node's
        `monitorEventLoopDelay` has a resolution of 10 ms.
        """
}

extension HandlerlessSource {
    public static let documentation = """
        A source is active without an event handler: what it watches for is lost.

        ## Definition

        A source was activated, and no event handler was ever set for it (one that is set after the activation is
        `mutation-after-activation`). For a source of the program's own data at least one value was merged into it after that;
        for a timer at least one deadline passed while it was active; both are certain firings. For the other types the
        recorder cannot see the firing, and reports that it is active. Sources of one place are one finding.

        ```
          source   create ── setCancelHandler ── activate ──▲── fires ──▲── fires ──
                              no setEventHandler            nobody is called
        ```

        ## Thresholds

        None: once is a mistake.

        ## Why it matters

        The event is consumed and lost; a descriptor that stays ready fires again and again, and costs a processor.

        ## What it cannot see

        Handlers that were set before the recorder was there.

        ## Advice

        Set the event handler before `activate`; do not activate a source that is not needed.

        ## Source

        `handlerless_source_fire`, one of the events of Apple's GCD Performance instrument.
        """
}

extension ItemNeverRan {
    public static let documentation = """
        Items were submitted that nothing will ever run.

        ## Definition

        When the trace ends an item has waited for at least 50 ms since it was due, was not cancelled, and cannot run: a
        queue of its chain is suspended or was never activated; or its queue leads to the main queue, on which no item ran
        in the whole trace, because the main thread never serves it. Items of one queue are one finding. So are those of
        queues that differ in a number, when one place suspends or creates them. Items that wait behind others are not
        meant: they will run.

        ```
          async ─► ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ end
                   suspended, never activated, or the main thread elsewhere
        ```

        ## Thresholds

        - wait = 50ms: How long it has waited at the trace's end, and its queue was suspended. What is suspended for a
          moment goes on sooner.

        ## Why it matters

        The work is lost, with whoever waits for its result; its captured objects are never freed.

        ## What it cannot see

        A suspension that the program would have ended after the trace's end. Where events are missing meanwhile, one or two
        items prove nothing, and are not reported; where they are missing up to the trace's end, no item is.

        ## Advice

        Activate queues that are created inactive; balance suspensions; in a command-line program let the main thread end in
        `dispatchMain()` or a run loop, or do not use the main queue.

        ## Source

        `dispatch_suspend(3)`, `dispatch_main(3)`.
        """
}

extension LateTimer {
    public static let documentation = """
        Timers and delayed items run later than they asked for.

        ## Definition

        The handler of a timer begins more than its leeway and 20 ms after the first deadline that it runs for, while the
        timer was not suspended; or an item of `asyncAfter` begins more than 20 ms after the latest time that libdispatch
        allows itself (the delay plus a tenth of it, at least 1 ms and at most 60 s). At least 3 times for timers or items
        of one place, on queues that are named alike; those that were due in one stall count once. The item that held the
        queue for most of the delay is named, with its queue where that is another one of the hierarchy; only the time for
        which items really held it between the deadline and the begin counts.

        Only what the program is to blame for counts: its queue was held by other work, or there was no free worker; an item
        that ended after the deadline counts for the time that it ran. Where
        context switches were recorded, time during which the holder was preempted is excluded. What nothing held up comes
        late because the machine is busy; where no context switches tell so, it counts from 100 ms on.

        ```
          due ┬ leeway ┬──────── late ────────┐
              │        │                      │
          ────┴────────┴──████████████████████▓▓▓▓──►   █ other work on the queue   ▓ the timer's handler
        ```

        ## Thresholds

        - late = 20ms: How late it is beyond the leeway. A busy machine with two processors is late by one or two turns of
          the scheduler, some 4 ms each.
        - times = 3: How often, in one place. Once is chance.
        - idle = 100ms: How late it is where nothing held it up, and no context switches tell whether the machine was busy.

        ## Why it matters

        What should happen regularly happens in bursts; deadlines that pass meanwhile are folded into one event.

        ## What it cannot see

        With context switches, timers on concurrent queues that no worker was free for: see `pool-starvation`. Timers of other
        libraries, such as Foundation's run loops. Of a timer whose setting is not in the trace, as it was set before the
        recording, only how late it was at least: a firing counts the deadlines that passed since the one before, which
        bounds the interval. The finding says so.

        ## Advice

        Give timers a queue of their own, or one with short items only; move long work off it.

        ## Source

        `dispatch_source_set_timer(3)` on leeway; `_dispatch_after` in libdispatch's source.c on what it allows itself.
        """
}

extension LockContention {
    public static let documentation = """
        Threads wait for a lock for a share of their time that matters.

        ## Definition

        An acquisition of a lock is *contended* when its thread had to wait for it. Where context switches were recorded,
        the time in which the holder, or the thread once it was woken, had no processor is no part of the wait: the machine
        is to blame for that, not the lock. A lock is reported when it was contended
        at least 10 times, its waits add up to at least 10 ms, and there is a second, or a minute, of which one thread
        waited at least 1 %. So one bad second in an hour is found, and 64 threads that wait for 0.02 % each are not. The
        finding shows the worst second and minute, and how many there were. Locks alike (their labels differ in numbers
        only), whose waits come mostly from the same code, are one finding. That code is the innermost of the program's
        functions that does more than take locks: not `NIOLock.withLock`, but who called it, where that was recorded.

        ```
          thread 1  ████████░░░░░████████          wait = Σ ░
          thread 2  ░░░░░░░░█████░░░░░░░░          █ holds   ░ waits
        ```

        ## Thresholds

        - waits = 10: Contended acquisitions. A few threads that meet by chance are no pattern.
        - lost = 10ms: The least sum of the waits. Less than that nobody notices.
        - share = 1%: The least share of a second, or of a minute, that one thread waited. Below that there is nothing to
          gain.

        ## Why it matters

        A thread that waits for a lock does nothing, whatever the number of processors, and the waits grow faster than the
        load: what is 1 % today stops the program when twice as many requests come.

        ## What it cannot see

        Locks that spin, atomics, and locks of libraries that do not use pthread mutexes. A pthread mutex is recorded only
        when it is contended, so that the times for which it was held are known only where somebody waited for it.

        ## Advice

        Hold the lock for less: copy what is needed out of it, work on the copy, put the result back. Split it where it
        guards things that are not used together. Where most only read, a copy that is exchanged as a whole needs no lock.

        ## Source

        Contention as a table of locks, waits and holders is that of mutrace and of `perf lock contention`.
        """
}

extension LockOrderInversion {
    public static let documentation = """
        Two threads take the same queues or locks in opposite orders: one day each waits for the other.

        ## Definition

        There is an edge X → Y when a thread inside X asks for Y: X and Y are serial queues (all of the chain that an item
        runs on), locks, or semaphores that are used as locks. A cycle of edges is a potential deadlock when its requests
        can be under way at the same time: no two of them are made inside of a common queue or lock (a gate), they are not
        all made by one thread, and not all in one chain of asyncs, which orders them.

        ```
          thread 1   ├─ on A ── sync B ──┤
          thread 2                          ├─ on B ── sync A ──┤        A → B → A
                     with bad luck:
          thread 1   ├─ on A ── sync B ░░░░░░░░░░░░░░
          thread 2     ├─ on B ── sync A ░░░░░░░░░░░░                    for ever
        ```

        ## Thresholds

        None: once in each order is enough.

        ## Why it matters

        The program works in every test and stops one day under load, without a crash and without a message.

        ## What it cannot see

        Orders that the run did not take. Mutexes of a program that was recorded by the interposer alone, where nobody had
        to wait for them. Requests that something else orders, such as a semaphore that one thread waits for before it
        begins: then the finding is a warning too many.

        ## Advice

        Take them in the same order everywhere, or do not hold the first while asking for the second: with `async` nothing
        is held. Where neither works, take one gate before both.

        ## Source

        Lock-order graphs with gate locks: Havelund, "Using Runtime Analysis to Guide Model Checking of Java Programs", SPIN
        2000; Linux's lockdep.
        """
}

extension LongSyncWait {
    public static let documentation = """
        A thread is blocked in a sync for so long that somebody notices.

        ## Definition

        A call of `sync` or `asyncAndWait` is *long* when its caller is blocked in it for at least 100 ms before its item
        may run: from the call to the begin of the item, or to its end where another thread runs the item. Where context
        switches were recorded, two times are excluded and told apart: the holder was preempted, or the queue was free and
        the caller had no processor. A sync that still waits when the trace ends counts with the time up to there. Calls to
        the same queue from the same code are one finding. A holder that spent at least half of its time in a wait of its
        own (for a group, a semaphore, a work item or another sync) passes its wait on, and that wait is named.
        Where the queue or one of its targets was suspended for at least half of the time, the finding says where.

        ```
          caller   ─ sync ░░░░░░░░░░░░░░░░░░░░░███─
          holder   ───────██████████████████████───    ░ blocked ≥ 100 ms
        ```

        ## Thresholds

        - wait = 100ms: The shortest wait that is reported. Within a tenth of a second a person takes an answer for
          immediate; a server's request has used up its whole budget.

        ## Why it matters

        The thread that waits is one that libdispatch cannot use for anything else: more threads are made for the work that
        is left, and the caller's own callers wait with it.

        ## What it cannot see

        Why the holder took so long: look at the code that is named as holding the queue. A wait on the main thread shows
        as `main-queue-hang` when it is in an item of the main queue.

        ## Advice

        Where the caller needs no result, submit with `async`; where it does, let it go on in a completion handler. Do long
        work on another queue than the one that guards state, and do not wait while you hold that.

        ## Source

        "Don't block": Apple's "Concurrent Programming With GCD in Swift 3" (WWDC 2016, session 720). The limit is that of
        Nielsen, "Response Times: The 3 Important Limits", 1993.
        """
}

extension MainQueueHang {
    public static let documentation = """
        The main queue does not come to its next item for so long that a person sees the program hang.

        ## Definition

        An item of the main queue, or of a queue that targets it, that runs for at least 250 ms is a *hang*; from 100 ms on
        it is noted. It is *blocked* when its thread spent at least half of that time waiting for a sync, a lock, a group, a
        semaphore or a work item, or, where context switches were recorded, off its processor of its own accord, and *busy*
        otherwise; the place where it waited longest is named when it waited there for a quarter of the hang. Items that
        waited meanwhile are counted with it. An item that waited for as long although no single item ran that long waited
        *behind other work*: many short items, or a main thread that waits for something outside of its queue. Hangs of the
        same kind in the same code are one finding. A task that runs on the main actor for as long is a hang, too, named by
        its own function.

        ```
          main   ├─┤├──────── busy ────────┤├──░░ blocked ░░──┤├┤├┤├┤├┤├┤├┤
          item                                                 ▲ submitted  ▲ begins: behind other work
        ```

        ## Thresholds

        - noted = 100ms: The shortest hang that is worth to know. Above a tenth of a second a person sees a delay.
        - reported = 250ms: The shortest hang that is a warning: where Apple's tools begin to call it a hang.

        ## Why it matters

        The main queue serves what a person does, and in a server what keeps it alive: signals, timers, shut-down. While it
        hangs, nothing of that happens.

        ## What it cannot see

        Work of the main thread outside of its queue. Where no context switches were recorded, a system call counts as busy.

        ## Advice

        Do the work on another queue and come back to the main queue with its result. Never wait on the main queue: let
        what it waits for submit the rest with `async`, or use the group's `notify`.

        ## Source

        The limits are those of the hang detection of Apple's Instruments and Xcode Organizer ("Analyze hangs with
        Instruments", WWDC 2023, session 10248).
        """
}

extension MutableTarget {
    public static let documentation = """
        A queue is used whose target may still change, so that libdispatch cannot optimise its hierarchy.

        ## Definition

        A lint (`--lint`): a queue that the program made with `dispatch_queue_create`, whose target may therefore change while
        it is active, was given items or has queues that target it. Queues of one place, named alike, are one finding.

        ```
          dispatch_queue_create("db", NULL) ─► db ─ ─ ? ─ ─► target        may change: looked up again and again
          …_create_with_target("db", NULL, t) ─► db ───────► t            final: priorities pass at once
        ```

        ## Thresholds

        None: each is told once, whatever it did.

        ## Why it matters

        Where a quality of service has to be raised through such a queue, libdispatch may not walk on to its target, because
        it may be another one at any moment: the boost is late, or stops there.

        ## What it cannot see

        Queues from before the recorder was there. On Linux libdispatch does not override the quality of service of running
        queues, so it costs less here than on Apple's systems: that is why it is a lint. Swift never makes such queues.

        ## Advice

        Make queues with `dispatch_queue_create_with_target`, with the default target (NULL) where none is meant.

        ## Source

        `mutable_target`, one of the events of Apple's GCD Performance instrument.
        """
}

extension MutationAfterActivation {
    public static let documentation = """
        A handler of a dispatch source is set after the source was activated.

        ## Definition

        `setEventHandler`, `setCancelHandler` or `setRegistrationHandler` is called on a source that was activated before
        (for sources the first `resume` counts). The recorder sees the call itself, so every occurrence is certain. Calls on
        the same kind of object from the same code are one finding. In a library that comes with Swift it is informational:
        FoundationNetworking sets the cancel handler of a source of each request so.

        ```
          source   create ── activate ── fires ── fires ── setEventHandler ── fires …
                                           ▲                ▲
                                  the old handler     which one runs?
        ```

        ## Thresholds

        None: once is a mistake.

        ## Why it matters

        The source may fire between the activation and the call: then the event is handled by the old handler, or by none,
        and lost. To be replaced safely, the handler has to be exchanged on the source's own queue, which stops it
        meanwhile.

        ## What it cannot see

        Sources that were made before the recorder was there; in a program without the preloaded recorder, those that were not
        made as `TracedSource`.

        ## Advice

        Set all handlers before `activate`. What should change later belongs into the handler: let it look up what to do.

        ## Source

        `post_activate_mutation`, one of the events of Apple's GCD Performance instrument.
        """
}

extension NonLeafRetarget {
    public static let documentation = """
        A queue that other queues or sources target is given another target itself.

        ## Definition

        `dispatch_set_target_queue` is called on an active queue that was made by `dispatch_queue_create` (so that its target
        may change) while another object targets it. The recorder reads both facts from libdispatch at the moment of the
        call, and writes the event before the call goes through. Calls on the same kind of queue from the same code are one
        finding.

        ```
                before                  after
          leaf ─► middle ─► old    leaf ─► middle ─► new
                     ▲                        ▲
            set_target_queue(middle, new)     leaf was not asked
        ```

        ## Thresholds

        None: once is a mistake.

        ## Why it matters

        The whole subtree moves to another place of the hierarchy while its items run: what the old target kept apart may
        overlap for a moment. libdispatch on Linux does it and logs a deprecated use; it can never optimise a hierarchy whose
        inner queues may move.

        ## What it cannot see

        Queues that the program made before the recorder was there. Queues that Swift makes never have a target that may
        change: for them see `retarget-after-activation`.

        ## Advice

        Build a hierarchy from its root to its leaves, each queue with its target from the start
        (`dispatch_queue_create_with_target`).

        ## Source

        `non_leaf_retarget`, one of the events of Apple's GCD Performance instrument.
        """
}

extension OverResume {
    public static let documentation = """
        A queue or source is resumed that is not suspended: libdispatch ends the process.

        ## Definition

        `resume` is called on a queue or an active source that has no suspension to take back. The recorder reads this from
        libdispatch at the moment of the call, and writes the event before the call goes through, so that it is in the trace
        of the process that ends.

        ```
          suspend ── resume ── resume ─► "Over-resume of an object": the process ends
             +1        0         ▲
                          nothing to take back
        ```

        ## Thresholds

        None: once ends the process.

        ## Why it matters

        The process ends with an illegal instruction and a message that names neither the object nor the place.

        ## What it cannot see

        Objects that the program made before the recorder was there, and those that it made as `TracedQueue` or
        `TracedSource` without the preloaded recorder.

        ## Advice

        Let one place own the suspension, and remember there whether it has suspended. A source that starts inactive is
        activated with `activate`, which may be called twice.

        ## Source

        libdispatch's own check, "Over-resume of an object" (queue.c, `_dispatch_lane_resume`).
        """
}

extension OverlappingHandlers {
    public static let documentation = """
        Small handlers of one kind run at the same time on several queues, and waking their threads costs more than that
        parallelism gains.

        ## Definition

        Items that are not syncs are grouped by the pattern of their queue's label (`news.connection.*`), by code, and by
        the type of the source whose handlers they are. A group matters when its items run on at least 2 distinct exclusion
        queues (bottommost serial queues). An *episode* begins when one of its items begins while another runs, and is over
        when any of the running ones has ended. A group is reported when all of this holds:

        - In one second it has at least 3 episodes, and for at least 5 % of the time in which any of its items runs, two or
          more do.
        - The median service of its items is at most 100 µs or 5 × the cost of a wake, whichever is more.
        - The time gained by running at once is less than the time spent on waking threads.

        ```
          news.connection.1   ██    ██      ██
          news.connection.2    ██      ██   ██
          news.connection.3     ██   ██      ██
                              ╰──╯  ╰───╯   ╰─╯   3 episodes, 3 threads for the work of one
        ```

        The gain is the time in which n items ran, times n − 1 (n at most the number of processors); an item that is blocked
        in syncs for a part of its time, or had no processor as far as context switches were recorded, counts for the rest
        only. The time spent on waking is one wake for every item for which a worker woke, and the hand-offs to syncs that
        items of the group made. A wake costs what is measured in the same trace, as in `bouncing-work`.

        ## Thresholds

        - queues = 2: Distinct exclusion queues. On one, nothing can overlap.
        - episodes = 3: Episodes of overlap in one second. Once or twice is chance.
        - overlap = 5%: The least share of overlap in the time in which any item of the group ran, in the same second. Of a
          thousand queues some meet by chance.
        - service = 100us: The longest median service. Longer work repays the thread it wakes.
        - wakes = 5: The longest median service in wakes, where that is more: on a machine that wakes slowly, longer work
          does not repay it either.

        ## Why it matters

        A queue of its own for every connection, each on the default root, brings up a thread for each that has something to
        do. For handlers of a few microseconds that means context switches, contention and cold caches instead of work.

        ## What it cannot see

        How many processors were free, unless context switches were recorded. Whether the handlers may be serialised: a
        handler that blocks, in a system call or a lock, needs its thread.

        ## Advice

        Give the queues of the group one serial target queue. They keep their order and their labels, and run one after the
        other on one thread.

        ## Source

        "Unwanted concurrency" in Apple's "Modernizing Grand Central Dispatch Usage" (WWDC 2017, session 706).
        """
}

extension PoolDeadlock {
    public static let documentation = """
        All workers of a root queue wait, and what could wake them waits for a worker.

        ## Definition

        When the trace ends, or a snapshot was taken, every worker of a root queue is blocked, none is on its way, and items
        wait that only one of these workers can run. It is *certain* when each worker waits for a group or a work item of
        which an item is among those, or for something that another of the workers has: then nobody else can wake it, and
        100 ms are enough to tell it from a passing moment. Where a worker waits for a semaphore, or for a lock that somebody
        else holds, it takes 2 s.

        ```
          workers      1 ░░░░  2 ░░░░  3 ░░░░  …  255 ░░░░       all wait for a semaphore
          submitted    the item that would signal it ············ no worker is left to run it
        ```

        ## Thresholds

        - certain = 100ms: For how long no worker has gone on, when only queued work can wake them. What libdispatch does
          by itself takes less.
        - stuck = 2s: For how long, when something else may wake one. libdispatch looks once a second whether its workers
          are stuck, and adds one if it may.

        ## Why it matters

        The program stands still. On the global queues libdispatch adds a worker each second, so that a small knot comes
        loose in the end, one item a second; but it makes no more than 255 for a root queue, and with these blocked nothing
        comes back.

        ## What it cannot see

        Workers are recorded by the interposer only. Whether a thread outside of the pool will still wake one of them.

        ## Advice

        Never block a worker for what another item has to do: let that item submit the rest, or use the group's `notify`.
        What has to block belongs on one serial queue, or on a thread of its own.

        ## Source

        "Thread explosion" in Apple's "Building Responsive and Efficient Apps with GCD" (WWDC 2015, session 718): "your
        application deadlocks".
        """
}

extension PoolStarvation {
    public static let documentation = """
        Work waits while the workers that should do it are blocked.

        ## Definition

        An item is *starved* for the time in which nothing held its queue and its root queue had no free worker. Such times
        of at least 50 ms that overlap are one *episode*. It is reported when at least half of the workers of that root
        were blocked for most of it: in a sync, for a lock, a semaphore, a group or a work item, or, where context switches
        were recorded, in system calls. Then work waited and nothing could run; where the workers were busy, the processors
        were what was missing, and that is no fault.

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

        libdispatch looks once a second whether its workers are stuck, and then makes one more: a backlog behind blocked
        workers moves by one thread a second, a ladder, while the processors are idle.

        ## What it cannot see

        Workers are recorded by the interposer only. Without context switches, a worker that is blocked in a system call is
        not known to be. An item that is blocked is left out where its submission is missing, as others may have waited for
        its queue; one in system calls also where it has not ended and events are missing, as its end may be among them. Items
        of serial hierarchies are left out where items without their submission ran for half of the time.

        ## Advice

        Do not wait on a queue for what another queue has to do. Bound the number of items that wait at a time: a serial
        queue for those that block.

        ## Source

        The monitor of libdispatch's `event/workqueue.c`, which adds a worker each second.
        """
}

extension PriorityInversion {
    public static let documentation = """
        Something urgent waits for something that is not.

        ## Definition

        Four shapes, each where both quality-of-service classes are known and the one that is waited for is lower:

        - *sync*: a thread waits in `sync` for a queue or a lock that a thread of a lower class has. The time is the wait.
        - *queue*: an item waits behind items of lower classes on the same serial hierarchy. The time is what those ran.
        - *signal*: a thread waits for a semaphore, a group or a work item, and a thread of a lower class wakes it. These
          have no owner, so that nobody can lend the waker his class: the time is the wait.
        - *task*: a task awaits one of the classes utility or background, or waits for an actor that such a one holds. The
          time is until that one has finished, or has left the actor.

        A thread has the class of the root queue that it works for. The main thread, in an item of its queue, counts as
        user-initiated against classes from utility down. An item has the class that it was submitted with, or else that of
        its queue. A task has the class that it was made with or inherited, before any escalation. It is reported when waits
        in the same code for the same queue or object cost at least 10 ms together.

        ```
          user-initiated   ─ sync ░░░░░░░░░░░░░░░░░░░░████
          background       ███████████████████████████        ░ waits for a thread that runs last of all
        ```

        ## Thresholds

        - lost = 10ms: The least time lost in all such waits in one code. What is shorter nobody notices.

        ## Why it matters

        Where classes have priorities, on Apple's systems, work of a low class comes last on a busy machine, and so does
        whoever waits for it. On Linux it shows urgent work that depends on what the program itself calls less urgent.

        ## What it cannot see

        Priorities that the program gives its threads itself (nice, a cgroup's weight), and classes that a thread was given
        by other means. libdispatch keeps the classes on Linux, but all its threads have the same priority in the kernel:
        the wait is no longer there than it would be for any other thread. So the finding is a note; on Apple's systems the
        same wait may take many times as long. Of a task that awaits a task group, the classes of the children.

        ## Advice

        Do not wait: let the work that is waited for submit what depends on it. Another class changes nothing on Linux.

        ## Source

        "Priority inversions" in Apple's "Power, Performance, and Diagnostics: What's new in GCD and XPC" (WWDC 2014,
        session 716), and Xcode's Thread Performance Checker.
        """
}

extension QueueForestSurvey {
    public static let documentation = """
        The program's work is spread over more queue hierarchies than its processors can serve, or over shared global
        queues.

        ## Definition

        A tree is a hierarchy with a serial queue at its bottom: its exclusion queue. Informational, one finding for the
        whole program, when at least one of these holds: *many trees*, within 10 ms items of more than 4 trees ended, and of
        more than twice as many as there are processors, syncs not counted, as they run on their callers' threads; *global
        work*, at least 1,000 items went to the global queues directly, and they are at least half of all (Swift's
        concurrency runtime, which has its own limits, is not counted). It also tells how many private concurrent queues and
        queues without a label did work.

        ```
          a ─► root     b ─► root     c ─► root  …        each tree asks for a thread of its own

          a ─┐
          b ─┼─► subsystem ─► root                        three queues, one thread
          c ─┘
        ```

        ## Thresholds

        - trees = 4: Trees that work at the same time, at least.
        - per-processor = 2: Trees that work at the same time, for each processor. As many as processors is what they are
          for.
        - global = 1000: Items that went to global queues.

        ## Why it matters

        Each active tree wants a worker thread. More trees than processors take turns: switches, caches, and locks in
        between. Items on global queues come with no limit at all.

        ## What it cannot see

        Which trees could be merged: those whose items belong to one subsystem. Trees of the main queue, of actors, of
        libdispatch, of libraries such as Foundation and of packages that SwiftPM fetched are not counted, as the program
        cannot merge them; trees of packages are taken to be active whenever many trees are.

        ## Advice

        One serial queue per subsystem at the bottom, and the other queues of the subsystem on it; no work on global queues
        but short items that never block.

        ## Source

        Apple, "Modernizing Grand Central Dispatch Usage" (WWDC 2017, 706): a fixed number of serial queue hierarchies.
        """
}

extension ReadersWriter {
    public static let documentation = """
        A readers–writer queue costs more in waiting than it gains in parallel reading, or keeps its writers waiting.

        ## Definition

        On a concurrent queue of the program's own with barriers (writers) and other items (readers), at least 20 items in
        all, one of: *writers prevail*, at least half of the items are barriers; *waits outweigh work*, the waits that
        barriers cause, of readers behind a writer and of writers behind readers, add up to at least 10 ms and to more than
        the time that all items ran; *a writer starves*, one waited at least 100 ms for readers to drain.

        ```
          readers   ███ ██ ████░░░░░░░░░██ ███
          writer            ░░░▓▓▓▓▓▓▓▓▓           ░ waits for the other kind
        ```

        ## Thresholds

        - items = 20: Items from which on shares mean something.
        - writers = 50%: The share of barriers from which on nothing is left to run in parallel.
        - waits = 10ms: Waits because of barriers, all together. Less does not matter.
        - starved = 100ms: The longest wait of a writer for readers.

        ## Why it matters

        A barrier waits until all readers have left, and all that come after it wait for the barrier: where writers are
        frequent or readers long, everybody queues up, and pays for the bookkeeping of a concurrent queue and its threads.

        ## What it cannot see

        What a different lock would have cost. Readers–writer locks of other libraries, such as `pthread_rwlock_t`.

        ## Advice

        Many or short writers: a serial queue, or a lock around the state. Long readers: copy the state under a short lock,
        and read the copy.

        ## Source

        Courtois, Heymans and Parnas, "Concurrent Control with 'Readers' and 'Writers'", 1971; barriers in
        `dispatch_barrier_async(3)`.
        """
}

extension ReleasedWhileSuspended {
    public static let documentation = """
        The last reference to a suspended or inactive queue or source goes away: libdispatch ends the process.

        ## Definition

        The program gives back its last reference to a queue or source that is suspended, or that was created inactive and
        never activated. The recorder reads this from libdispatch at the moment of the release, and writes the event before
        the release goes through, so that it is in the trace of the process that ends.

        ```
          create ── suspend ── (last reference goes) ─► "Release of a suspended object": the process ends
          create (inactive) ── (last reference goes) ─► "Release of an inactive object": the process ends
        ```

        ## Thresholds

        None: once ends the process.

        ## Why it matters

        The process ends with an illegal instruction, far from the code that suspended the object: in Swift the release is
        where the last variable that held it went away.

        ## What it cannot see

        Objects that the program made before the recorder was there, and those that it made as `TracedQueue` or
        `TracedSource` without the preloaded recorder.

        ## Advice

        Resume what was suspended before letting it go. Cancel a timer instead of suspending it for good. Activate every
        source, also one that is to be cancelled.

        ## Source

        libdispatch's own checks, "Release of a suspended object" and "Release of an inactive object" (queue.c,
        `_dispatch_queue_xref_dispose`).
        """
}

extension RetargetAfterActivation {
    public static let documentation = """
        An activated queue or source is given another target queue.

        ## Definition

        `setTarget` is called on an object that was activated before. The recorder writes the event before the call goes
        through, so it is in the trace even when libdispatch ends the process. Calls on the same kind of object from the
        same code are one finding: an error for a queue, a warning for a source. It names the new target first.

        ```
          queue    create ── activate ── async ── async ── setTarget ─► the process ends
          source   create ── activate ── fires ── fires ── setTarget ─► it goes on; libdispatch logs a deprecated use
        ```

        ## Thresholds

        None: once is a mistake.

        ## Why it matters

        For a queue made by Swift, libdispatch on Linux ends the process ("Cannot change the target of this object after it
        has been activated"). For a source the call works and the program survives, and libdispatch logs a deprecated use:
        handlers that are under way still run on the old queue, so what the new target is meant to protect is not protected.
        An object whose target may change also keeps libdispatch from optimising its hierarchy.

        ## What it cannot see

        Objects that were made before the recorder was there; in a program without the preloaded recorder, those that were not
        made as `TracedQueue` or `TracedSource`. Queues whose target may change are `non-leaf-retarget`'s business.

        ## Advice

        Pass the target to the initialiser, or create the object inactive, set the target and activate it then.

        ## Source

        `post_activate_retarget`, one of the events of Apple's GCD Performance instrument.
        """
}

extension SemaphoreNeverSignalled {
    public static let documentation = """
        A thread waits on a semaphore that nobody ever signalled.

        ## Definition

        A semaphore whose creation is in the trace was never signalled, and a thread waits for it when the trace ends, for at
        least 250 ms, or gave up by a time-out after as long. Semaphores made in one place are one finding. The main thread
        of a program in which other items began after that does not count: waiting for ever is how some programs keep it.

        ```
          thread   wait ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ end
          others         ── no signal, ever ──
        ```

        ## Thresholds

        - wait = 250ms: How long the thread has waited. Answers over a network take some 10 to 100 ms.

        ## Why it matters

        The thread is lost, with everything behind it; when it is a worker, its pool has one less.

        ## What it cannot see

        A signal that would have come after the trace's end. Where events are missing up to the end, the signal may
        be among them: nothing is said then. Semaphores other than libdispatch's.

        ## Advice

        Signal on every path, errors too. Better, do not block: take the result in a completion handler or with `await`.

        ## Source

        `dispatch_semaphore_create(3)`: a wait "waits for a signal to occur before returning".
        """
}

extension SerialAwaits {
    public static let documentation = """
        A task awaits the same thing several times over, each time for long, one after the other.

        ## Definition

        A *row* of awaits is a task's: at least 3 continuations, awaited by the same functions in the same place, each for
        at least 1 ms, with nothing else awaited between them but actors and threads, and less than a fifth of the time
        spent running. A row that is over and took at least 100 ms is noted: had they been awaited side by side, it would
        have taken as long as the longest of them. It is over when the task ends or awaits something else, or when the
        trace ends while the task runs, as the main task does until the process exits.

        ```
          task     ├─░░ fetch(1) ░░─░░ fetch(2) ░░─░░ fetch(3) ░░─┤       the sum
          instead  ├─░░ fetch(1) ░░─┤
                     ░░ fetch(2) ░░                                       the longest
                     ░░ fetch(3) ░░
        ```

        The cost is the sum of the awaits less the longest one of each row. It is a note, never a warning: only the program
        knows whether one needs the result of the one before.

        ## Thresholds

        - awaits = 3: Awaits of one row. Two may well need each other.
        - length = 1ms: The shortest await. A shorter one does not gain by having company.
        - row = 100ms: The shortest row. Above a tenth of a second a person sees a delay.

        ## Why it matters

        The task does nothing while it waits, and what it asks, such as a server or a disk, could answer all of them at
        once.

        ## What it cannot see

        Whether the awaits depend on each other. Awaits of different calls, one after the other. Waits for the next element
        of a sequence and sleeping are left out, as are awaits of tasks, which may run side by side.

        ## Advice

        Start them together: `async let` for a few, a task group for a row of any length.

        ## Source

        SE-0317: `async let` is for independent results that are awaited together.
        """
}

extension SourceNeverActivated {
    public static let documentation = """
        A source was made and set up, and never activated.

        ## Definition

        A source was created and given an event handler, and when the trace ended at least 50 ms after its creation it was
        neither activated nor cancelled nor released. (Releasing it is `released-while-suspended`.) Sources of one place are
        one finding.

        ```
          source   create ── setEventHandler ── schedule ── ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ end
                                                     ▲ no activate: nothing ever fires
        ```

        ## Thresholds

        - age = 50ms: The age at the trace's end from which on it counts as forgotten. Set-up takes microseconds; some
          programs make sources in stock.

        ## Why it matters

        Nothing fires, and nothing says so: sources start inactive, other than queues.

        ## What it cannot see

        Sources whose creation is not in the trace. Where events are missing up to the trace's end, the activation may be
        among them: nothing is said then. Programs that keep sources in stock on purpose look the same.

        ## Advice

        Call `activate` when the source is set up.

        ## Source

        `dispatch_source_create(3)`: "Sources are created in an inactive state."
        """
}

extension SourceWithoutQoS {
    public static let documentation = """
        Sources are registered without any quality of service.

        ## Definition

        A lint (`--lint`): at the activation of a source neither its event handler nor any queue of its chain asks for a
        quality of service, and the chain ends at the default global queue; its handlers run with the fallback. All of them
        are one finding with their count.

        ```
          read source ─► app.net (unspecified) ─► com.apple.root.default-qos
               no class ───────── no class ─────────── the fallback
        ```

        ## Thresholds

        None: what is asked for at the activation decides.

        ## Why it matters

        Events of the network or of timers compete with everything else at the default class: what a user waits for is not
        preferred to what nobody waits for.

        ## What it cannot see

        Sources on the main queue, which has the main thread's class. Nearly every program has such sources, and on Linux
        classes make little difference: that is why it is a lint.

        ## Advice

        Give the queue on which a source's handlers run the class of their purpose: `.userInitiated` for what somebody waits
        for, `.utility` for what may take its time.

        ## Source

        `source_registration_without_qos`, one of the events of Apple's GCD Performance instrument.
        """
}

extension StaircaseContention {
    public static let documentation = """
        A lock or a serial queue is handed from thread to thread, and the hand-offs cost more than the work.

        ## Definition

        The acquisitions of a lock, or of the exclusion queue of a hierarchy (its bottommost serial queue), are taken in
        the order in which they were granted. Two in a row are a *hand-off* when the second was requested before the first
        was released, and by another thread. A *staircase* is a run of at least 4 hand-offs in a row between at least 2
        threads, whose median hold is at most 100 µs and in which at least half of the hand-offs went to a blocked thread:
        one that waited in `sync` or in `lock`, and in which the holds are at most 90 % of the time of holds and hand-offs.
        It is a *convoy* when in at least half of its steps the thread that released asks again before the next one got it:
        it turns around and cannot take what it just gave back, because it is reserved for a thread that still has to wake
        up.

        Locks or queues whose labels differ in numbers only (`image.3`, `image.12`), and whose threads wait in the same
        code, are one finding: it adds them up and names the 8 that lost most.

        ```
          thread 1  ███      ░░░░░░░░░░███      ░░░░░░░░
          thread 2  ░░░░░░███      ░░░░░░░░░░███
          thread 3     ░░░░░░░░░███      ░░░░░░░░░░███
                       ▲  ▲
                release  grant         █ holds   ░ waits
        ```

        ## Thresholds

        - steps = 4: Hand-offs in a row. Two threads that meet by chance hand over once or twice.
        - hold = 100us: The longest median hold. A hand-off costs some 10 µs (the mean of 61,265 in a recording of the demo
          service); next to longer holds it does not matter.
        - efficiency = 90%: The greatest share of the holds in the time of holds and hand-offs. Above it there is little to
          gain: some long holds among the short ones outweigh all hand-offs.
        - blocked = 50%: The least share of hand-offs to blocked threads. A worker that drains a backlog is no contention,
          however long the backlog.

        ## Why it matters

        Every step puts a thread to sleep and wakes another one: two context switches, cold caches, and a lock that nobody
        holds and nobody may take meanwhile. Throughput falls to one item per wake-up, whatever the number of processors.

        ## What it cannot see

        Locks that the program does not take through Queuescope. Of a pthread mutex only the contention is recorded, so what
        looks like a row of hand-offs may have other threads in between: glibc's mutexes let a running thread overtake the
        sleeping ones. Contention below four hand-offs in a row, such as that of
        an unfair lock, whose running threads overtake the ones that sleep: that is why it is fast, and it is not reported.

        ## Advice

        Tiny state belongs under an unfair lock or a `Mutex`. Many small syncs of one caller become one larger sync. A
        caller that needs no result submits with `async`.

        ## Source

        The lock convoy is described by Blasgen, Gray, Mitoma and Price, "The Convoy Phenomenon", 1979; its shape on serial
        queues, and the unfair lock as a remedy, in Apple's "Modernizing Grand Central Dispatch Usage" (WWDC 2017, 706).
        """
}

extension StrictBackgroundTimer {
    public static let documentation = """
        A timer demands to fire on time, and runs at background priority.

        ## Definition

        A timer made with the flag `.strict` is activated, and the quality of service with which it is registered (its
        handler's, else the nearest of its queue's chain) is background or maintenance. Timers of one place are one finding.

        ```
          background timers   ─┬──┬─┬───┬──►  coalesced: ──────┴──────┴──►  few wake-ups
          … with .strict      ─┬──┬─┬───┬──►  each on time: ─┴──┴─┴───┴──►  one wake-up each
        ```

        ## Thresholds

        None: the two contradict each other.

        ## Why it matters

        Work of background quality may wait: its timers are coalesced with others, so that the processor wakes less often.
        The strict flag forbids this, and still gets its handler run late, at low priority.

        ## What it cannot see

        Sources from before the recording whose activation is not in the trace.

        ## Advice

        Drop `.strict` and give the timer a leeway; or where the time matters, give its queue a higher quality of service.

        ## Source

        `strict_bg_timer`, one of the events of Apple's GCD Performance instrument; `_dispatch_timer_unote_register`.
        """
}

extension SuspendedTimerFire {
    public static let documentation = """
        A timer's deadline passes while its source is suspended.

        ## Definition

        A timer source is suspended, and its next deadline, with its leeway, lies between the suspension and the resumption
        (or the trace's end). It counts once per suspension, as libdispatch takes the timer out of its heap then, and not
        when the deadline before had passed already, whose event was pending. Timers of one place are one finding.

        Where events are missing, the firings may be among them: a deadline that passed before the suspension, and that no
        firing is known for, then counts as fired, and those of the schedule go on from it.

        ```
          timer   ──┬──────┬────│suspend ░░░░░░░░░░░░░░░░░░ resume│──┬──
                   fires  fires          ▲ due: wakes libdispatch,   ╰ the missed ones, as one event
                                           calls nobody
        ```

        ## Thresholds

        - times = 1: Suspensions with a missed deadline from which on it is reported.

        ## Why it matters

        The processor wakes for an event that nobody gets. On resumption the handler runs at once for all deadlines that it
        missed, whatever the time: rarely what was meant by a pause.

        ## What it cannot see

        Timers whose schedule was set before the recording, unless their firings tell the interval. Suspensions of the timer's
        queue rather than of the timer. `asyncAfter`, which cannot be suspended.

        ## Advice

        Pause a timer by scheduling it for `.distantFuture`, or cancel it and make a new one when it is needed again.

        ## Source

        `suspended_timer_fire`, one of the events of Apple's GCD Performance instrument; `_dispatch_timer_unote_needs_rearm`.
        """
}

extension TaskExplosion {
    public static let documentation = """
        Thousands of tasks are made at once that only a few threads can run.

        ## Definition

        The tasks that run one function are *alive* from their creation to their end. They explode when at least 1000 of
        them are alive at once although there was no need: nine in ten awaited nothing but a thread or an actor, and
        together they spent at least 90 % of their lives waiting for that. Tasks that wait for something else, such as a
        connection each, are what tasks are for, however many.

        ```
          alive   ▂▅█████████▇▆▅▄▃▂▁     10,000 made in a loop
          ran     ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁     as many as there are processors
        ```

        The cost is how long the one that waited longest was ready without running: what everything else behind them waits.

        ## Thresholds

        - alive = 1000: Tasks alive at once. A task takes some hundred bytes and an allocation or two.
        - idle = 90%: The least share of their lives in which they were ready and did not run.
        - lost = 10ms: The least time that one of them waited. A burst that is over sooner hurts nobody.

        ## Why it matters

        They take memory for as long as they wait, with all that their closures captured, and whatever becomes ready
        meanwhile, such as an answer to a person, runs when all of them have.

        ## What it cannot see

        Tasks whose creation was not recorded. What the closures keep alive. The number alive is counted in steps of time, a
        ten thousandth of the recording or longer: tasks that live for less than a step are not among them.

        ## Advice

        Add the next task to the group when one ends (`group.next()`), so that a few per processor are alive, or give each
        task a part of the elements.

        ## Source

        "Beyond the basics of structured concurrency" (WWDC 2023, session 10170) limits the tasks of a group in this way.
        """
}

extension TasksTooSmall {
    public static let documentation = """
        Tasks do less than it costs to make them.

        ## Definition

        Of the tasks that run one function, S is the sum of what they ran, and O what it took to make and to start them: 1.5
        µs each. The *overhead share* is O / (O + S). It is reported above 50 %, for at least 1000 tasks that came at 20,000
        or more a second while they came, of which nine in ten awaited nothing, with an overhead of at least 10 ms. Tasks
        that wait for something run side by side, however short, and are worth it. Runs of 100 µs and more are left out of S
        where they are no more than one in a thousand: their threads lost the processor.

        ```
          made       ▲▲▲▲▲▲▲▲
          overhead   ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒     ▒ create, enqueue, start, finish
          work         █  █  █  █  █  █  █  █       █ ran
        ```

        The advice names the number of elements that as one task would bring the share under 10 %: 9 × O / S.

        ## Thresholds

        - share = 50%: The overhead above which a task is too small: more is spent on getting there than on the work.
        - tasks = 1000: Fewer tasks cost nothing that matters.
        - rate = 20000: Tasks in a second, while they come. Below that they take a thirtieth of a processor at most.
        - lost = 10ms: The least overhead in all.

        ## Why it matters

        The processors are busy with making tasks, queueing them and freeing their memory: one loop would be faster than all
        of them together.

        ## What it cannot see

        What collecting the results costs, and the threads that wake for the tasks: the share is rather higher.

        ## Advice

        Give each task a part of the elements, as many parts as there are processors, or do the work in a loop.

        ## Source

        A million empty children of a task group, made, run and collected, took 1.7 to 2.2 s of processor time, not counting
        the kernel's, on a virtual machine of two processors. "Explore structured concurrency in Swift" (WWDC 2021, session
        10134) makes a task for each picture, not for each pixel.
        """
}

extension ThreadExplosion {
    public static let documentation = """
        libdispatch makes many more worker threads than there are processors.

        ## Definition

        The workers of all root queues that exist at one time are counted, parked ones included. As many as there are
        processors, by affinity and cpuset, is what libdispatch aims for in each root queue: these are counted once, not for
        every root queue. A CFS quota makes no difference: libdispatch does not read it. It is an *explosion* when there are
        at least 4 for each processor, and at least 8 of them were started within one second. When most of them are awake,
        every worker is attributed to the queue at the bottom of what it runs, to its code, and to what it is doing: waiting
        in a sync, for a lock, a semaphore, a group or a work item, running an item, or none. An awake worker that has
        nothing yet, as the one whose start makes the peak, counts with what it does within the next millisecond. Where
        fewer than three quarters of them have an item, and fewer than 4 for each processor, the others are only kept for
        later, and it is none. The number that is told is that at the moment when most are awake. It is a note while there
        are fewer than 8 for each processor and the cost is below 10 ms.

        An explosion is over when fewer than half of the workers of its peak are awake, or when fewer exist than make one.
        The next burst of starts makes another one; the one with the most workers awake is shown. The cost is what the
        threads cost, not how long they exist: for each worker beyond the number of processors its start, from the call that
        makes it to its first instruction, and one wake, measured as in `bouncing-work`.

        ```
          workers
           16 ┤                    ╭──── peak: 12 wait for a semaphore in Cache.swift:40
            8 ┤              ╭─────╯     3 run, 1 is idle
            2 ┤──────────────╯
              ╰─────────────────────────── 2 processors
        ```

        ## Thresholds

        - factor = 4: Workers for each processor. One is what libdispatch aims for; more come from threads that block.
        - started = 8: Workers started within one second. A pool that grew slowly is no explosion.
        - crowd = 8: Workers for each processor that make it a warning, whatever it costs.
        - cost = 10ms: What makes it a warning, however few they are.

        ## Why it matters

        Every thread takes memory for its stack and turns with the others on the processors; blocked threads make
        libdispatch bring more, until it reaches its limit and everything stands still.

        ## What it cannot see

        Threads that the program or a library makes by itself. Workers are recorded by the interposer only, and the number
        of processors must be known. A worker that is blocked in a system call counts as running. What the threads take from
        each other's caches.

        ## Advice

        Do not block on a queue: use a completion handler or `notify`. Where many independent serial queues bring the
        threads, give them a common serial target; where many items wait for the same lock, put them on the queue that
        guards it.

        ## Source

        "Thread explosion" in Apple's "Building Responsive and Efficient Apps with GCD" (WWDC 2015, session 718). The number
        of workers that libdispatch aims for: `active_cpus` in its `shims/hw_config.h`.
        """
}

extension UnbalancedGroup {
    public static let documentation = """
        A group is entered more often than it is left, and somebody waits for it; or it is left too often.

        ## Definition

        *Never empty*: when the trace ends a group has been entered more often than left, by more than the items of it that
        still run or wait can make up for, nothing entered or left it for 250 ms, and somebody waits for it: a thread does
        so still, gave up by a time-out, or asked to be notified. The main thread of a program in which other items began
        after that does not count: waiting for ever is how some programs keep it.

        *Left too often*: a group whose creation is in the trace was left more often than entered, at the very end of the
        trace: libdispatch ends the process for it.

        ```
          enter ── work ── leave          count 0: wait returns, notify runs
          enter ── work ── error, return  count 1: ░░░░░░░░░░░░░░░░░░░░░░ for ever
                             ▲ no leave
        ```

        ## Thresholds

        - quiet = 250ms: How long nothing entered or left the group at the trace's end. Answers over a network take some
          10 to 100 ms.

        ## Why it matters

        `wait` never returns and `notify` never runs; with a time-out, every call takes all of it.

        ## What it cannot see

        Whether a group was left too often where events are missing since it was made, and whether it was left at last where
        they are missing up to the trace's end: nothing is said then.
        Which of the enters was not left. Work that a library does for the program, such as a download, and that would have
        left the group after the trace's end.

        ## Advice

        Leave in `defer` right after the enter, or use `async(group:)`, which enters and leaves by itself.

        ## Source

        `dispatch_group_enter(3)`: "Each call to dispatch_group_enter must be matched with a call to dispatch_group_leave."
        """
}

extension UnevenConcurrentPerform {
    public static let documentation = """
        The iterations of a concurrentPerform do not fill the processors.

        ## Definition

        Of a `concurrentPerform` that took time T on P processors (the number of iterations, when that is less), P × T
        could have been used, and the iterations used B of it. *Efficiency* is B / (P × T), and (P × T − B) / P is lost.
        P is what affinity, cpuset and CFS quota leave of the machine. Processors that are busy with other programs are
        not lost: of P × T that time is taken away in which a worker had been asked for and had not come, and more than
        100 µs between two iterations of a thread, which would have gone on had it had a processor. The time in which the
        call waited for its last iteration, and that for its processor, does not count. Where context switches were
        recorded, the time for which iterations waited for something, such as a lock, does not count either: it is neither
        used nor lost, and is taken off their lengths. Nor does the time for which the call waited for its last thread
        only because it had waited itself.

        A call is *lopsided* when its longest iteration took at least 1.5 × the median, and an iteration by itself a tenth
        of the call: nobody could take over from the thread that was behind, and what the longest took beyond the median is
        lost but for its share, 1 / P, and for what the other threads evened out: no more is lost than the busiest thread
        ran beyond the average. By itself means without the time in which other threads had its processor, where context
        switches were recorded: small iterations need not be cut further because the machine is busy.

        Calls of the same code are reported when together they have an efficiency below 85 %, or the lopsided ones lost that
        much, when at least 10 ms are lost in all, and 1 ms in one call.

        ```
          thread 1  ├──── 1 ────┤├──── 3 ────┤
          thread 2  ├──── 2 ────┤ ········idle           3 iterations on 2 processors: 75 %
                    ├───────────T────────────┤
        ```

        The *idle tail* is the time between the end of the last iteration of a thread and that of the call; the *imbalance*
        is the busiest thread's time over the average.

        ## Thresholds

        - efficiency = 85%: Calls below it are reported. Three iterations on two processors have 75 %, eleven have 92 %; the
          last iterations of a call never end all at once.
        - longest = 150%: The longest iteration of a lopsided call over the median. On a processor that is shared with
          something else, an iteration takes twice as long.
        - part = 10%: The longest iteration's part of a lopsided call. With small parts the others even it out.
        - lost = 10ms: The least time lost in all calls together.
        - call = 1ms: The least time lost in one call. Starting the threads takes some 10 µs each, in every call.

        ## Why it matters

        The caller waits for the slowest thread. With as many iterations as processors, one processor that has something
        else to do doubles the time; with a thousand, the others take over its share.

        ## What it cannot see

        What a processor did for others during an iteration: one that had to wait for it counts as busy. A worker that
        loses its processor before its first iteration of a call, or after its last, counts as idle when it does not come
        back.
        Iterations of a concurrentPerform within another share the processors.

        ## Advice

        Some 1000 iterations, or a stride that makes them, of at least 20 µs each: small enough to even out, long enough to
        be worth handing out.

        ## Source

        "Iteration count" in Apple's "Modernizing Grand Central Dispatch Usage" (WWDC 2017, session 706): three iterations,
        eleven, and a thousand with one busy core.
        """
}

extension UselessWakeups {
    public static let documentation = """
        Workers wake, find nothing to do, and go back to sleep.

        ## Definition

        A wake-up of a worker is *useless* when it parks again without having run an item. One that was parked for less than
        2 µs did not sleep, and so was not woken. The workers of a root queue are reported when they woke in vain at least
        100 times in bad seconds: those in which at least 10 wake-ups, and at least half of all, were useless. A quiet hour
        does not hide a bad second.

        ```
          worker 1   park ·····▲ unpark ── item ── park
          worker 2   park ·····▲ unpark ─ looks ─ park        useless
                               │
          submitted            ╰ one item, two workers asked for
        ```

        It is a warning when it costs at least 1 % of one processor in those seconds, of which a shorter run has one, else a
        note. The cost is the time awake, and a wake for each, measured as in `bouncing-work`.

        ## Thresholds

        - wakeups = 100: Useless wake-ups. A few happen in every program.
        - share = 50%: The least share of useless ones among the wake-ups of a bad second. Below that they are the price of
          being quick.
        - rate = 10: Useless wake-ups in a bad second. Less often it costs nothing that could be measured.

        ## Why it matters

        Each one is two context switches and a processor that leaves its idle state for nothing: time taken from others, and
        on a battery the most expensive way to do nothing.

        ## What it cannot see

        Workers that run nothing but tasks and actors: which of them Swift's runtime wakes is not the program's choice;
        tasks that are too small are another detector's. Workers are recorded by the interposer only. Work that libdispatch
        does between items, such as handing a queue to a waiting sync, leaves no item: a worker that was woken for that
        counts as woken in vain.

        ## Advice

        Submit to fewer queues: a worker is asked for whenever a queue that was empty gets an item. Batch small items, and
        let queues that are active together share a serial target.

        ## Source

        "Too many wake-ups" in Apple's Energy Efficiency Guide, and "Modernizing Grand Central Dispatch Usage" (WWDC 2017,
        session 706).
        """
}

extension WorkTooLarge {
    public static let documentation = """
        One long item on a serial queue keeps others waiting.

        ## Definition

        An item that runs for at least 100 ms on a serial queue, or on a queue whose hierarchy is serial, is *too large*
        when others were submitted to the same hierarchy before it ended, and began only after it. What they waited for it
        is the cost. Time in which other threads had its processor is not the item's, where context switches were recorded.
        Items of the same code on the same queue are one finding, when they cost at least 10 ms, however rare they are among
        its runs: one request in a thousand that waits for a slow disk is what users complain about. Where context switches
        were recorded, the finding says how much of its time the item was blocked; where it was in one wait for at least
        half of it (for a group, a semaphore, a work item, a lock or a sync), it says for what.

        ```
          queue      ├────────── 240 ms ──────────┤├┤├┤├┤
          submitted       ▲    ▲         ▲               three waited for it
        ```

        ## Thresholds

        - service = 100ms: The shortest item that is too large. Whoever waits for a person or for a request has no more.
        - waiting = 1: Items that waited for it. Without any, nobody was held up.
        - lost = 10ms: The least that others waited for such items in all. Who comes just before the end is hardly held up.

        ## Why it matters

        A serial queue is a line at one counter: whoever comes after a long item waits for all of it, however short his own
        work is.

        ## What it cannot see

        Whether the order is needed: then the item can only be made shorter. Items that were cancelled while they waited.
        An item that goes on at the trace's end is left out where events are missing, as its end may be among them.

        ## Advice

        Do the long part on another queue and submit only its result, or split the item into pieces that submit the next
        one: others get their turn between two pieces. Where it mostly waits, do not wait on the queue.

        ## Source

        Head-of-line blocking; "Do not block the main queue" in Apple's Concurrency Programming Guide.
        """
}

extension WorkTooSmall {
    public static let documentation = """
        Items are so small that submitting them costs more than what they do.

        ## Definition

        Of the asyncs of one code on queues alike, S is the sum of what they ran by themselves, and O what it cost to get
        them to run: one wake for each for which a worker woke, and 0.5 µs for submitting and taking out each. The *overhead
        share* is O / (O + S). It is reported above 50 %, for at least 1000 items that came at 20,000 or more a second while
        they came, with an overhead of at least 10 ms. The cost of a wake is measured as in `bouncing-work`.

        ```
          submitted   ▲          ▲          ▲            ▲ submit
          overhead    ▒▒▒▒▒▒▒▒   ▒▒▒▒▒▒▒▒   ▒▒▒▒▒▒▒▒     ▒ wake
          service             █          █          █    █ work
        ```

        The advice names the number of items that as one would bring the share under 10 %: 9 × O / S.

        ## Thresholds

        - share = 50%: The overhead above which an item is too small: more is spent on getting there than on the work.
        - items = 1000: Fewer items cost nothing that matters.
        - rate = 20000: Items in a second, while they come. Below that even a wake for each, some 10 µs, takes less than a
          fifth of a processor.
        - lost = 10ms: The least overhead in all.

        ## Why it matters

        The program spends its time on moving work instead of on doing it, and wakes threads that others could use.

        ## What it cannot see

        What the submitting side pays beyond the usual, such as for a block's captured values. Whether the items may wait
        until a batch is full.

        ## Advice

        Collect several and submit them as one item, or do the work where it arises, under a lock.

        ## Source

        "Replacing too small work": Apple's Concurrency Programming Guide, and the batches of "Modernizing Grand Central
        Dispatch Usage" (WWDC 2017, session 706). An uncontended submission costs some 0.5 µs on the machines that
        Queuescope was measured on.
        """
}
