// Generated from the documentation comments of the detectors by DetectorDocumentationTests. Do not edit.

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

        Suspensions from before the recording. Sources other than timers, which libdispatch on Linux registers at once.

        ## Advice

        Build hierarchies from the root up: activate and resume the queues, then activate the timers on them. In C make
        queues with `dispatch_queue_create_with_target`, whose target is final.

        ## Source

        `delayed_registration`, one of the events of Apple's GCD Performance instrument; the condition is that of
        libdispatch's `_dispatch_queue_compute_priority_and_wlh`.
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
        queue of its chain is suspended or was never activated; or its queue leads to the main queue, on which no item ran in
        the whole trace, because the main thread never serves it. Items of one queue are one finding. Items that wait behind
        others are not meant: they will run.

        ```
          async ─► ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ end
                   suspended, never activated, or the main thread elsewhere
        ```

        ## Thresholds

        - wait = 50ms: How long it has waited at the trace's end, and its queue was suspended. What is suspended for a moment
          goes on sooner.

        ## Why it matters

        The work is lost, with whoever waits for its result; its captured objects are never freed.

        ## What it cannot see

        A suspension that the program would have ended after the trace's end.

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
        allows itself (the delay plus a tenth of it, at least 1 ms and at most 60 s). At least 3 times for timers or items of
        one place, on queues that are named alike. What ran on the queue when it was due is named.

        ```
          due ┬ leeway ┬──────── late ────────┐
              │        │                      │
          ────┴────────┴──████████████████████▓▓▓▓──►   █ other work on the queue   ▓ the timer's handler
        ```

        ## Thresholds

        - late = 20ms: How late it is beyond the leeway. A busy machine with two processors is late by one or two turns of
          the scheduler, some 4 ms each.
        - times = 3: How often, in one place. Once is chance.

        ## Why it matters

        What should happen regularly happens in bursts; deadlines that pass meanwhile are folded into one event.

        ## What it cannot see

        Timers whose schedule was set before the recording. Timers of other libraries, such as Foundation's run loops.

        ## Advice

        Give timers a queue of their own, or one with short items only; move long work off it.

        ## Source

        `dispatch_source_set_timer(3)` on leeway; `_dispatch_after` in libdispatch's source.c on what it allows itself.
        """
}

extension MutableTarget {
    public static let documentation = """
        A queue is used whose target may still change, so that libdispatch cannot optimise its hierarchy.

        ## Definition

        A lint (`--lint`): a queue that the program made with `dispatch_queue_create`, whose target may therefore change while
        it is active, ran items or has queues that target it. Queues of one place, named alike, are one finding.

        ```
          dispatch_queue_create("db", NULL) ─► db ─ ─ ? ─ ─► target        may change: looked up again and again
          …_create_with_target("db", NULL, t) ─► db ───────► t            final: priorities pass at once
        ```

        ## Thresholds

        None.

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
        queues (bottom-most serial queues). An *episode* is a stretch of time in which two or more of its items run at once.
        A group is reported when it has at least 3 episodes, the median service of its items is at most 100 µs or 5 × the
        cost of a wake, whichever is more, and the time gained by running at once is less than the time spent on waking
        threads.

        ```
          news.connection.1   ██    ██      ██
          news.connection.2    ██      ██   ██
          news.connection.3     ██   ██      ██
                              ╰──╯  ╰───╯   ╰─╯   3 episodes, 3 threads for the work of one
        ```

        The gain is the time in which n items ran, times n − 1 (n at most the number of processors); an item that is blocked
        in syncs for a part of its time counts for the rest only. The time spent on waking is one wake for every item that
        found its queue free, and the hand-offs to syncs that items of the group made. A wake costs the lower quartile of
        the waits of asyncs that nothing held up, measured in the same trace; with fewer than 16 of them, 10 µs, the mean
        hand-off in recordings of the demo service.

        ## Thresholds

        - queues = 2: Distinct exclusion queues. On one, nothing can overlap.
        - episodes = 3: Episodes of overlap. Once or twice is chance.
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

extension QueueForestSurvey {
    public static let documentation = """
        The program's work is spread over more queue hierarchies than its processors can serve, or over shared global queues.

        ## Definition

        A tree is a hierarchy with a serial queue at its bottom: its exclusion queue. Informational, one finding for the whole
        program, when at least one of these holds: *many trees*, within 10 ms items of more than 4 trees ended, and of more
        than twice as many as there are processors; *global work*, at least 1,000 items went to the global queues
        directly, and they are at least half of all (Swift's concurrency runtime, which has its own limits, is not counted).
        It also tells how many private concurrent queues and queues without a label did work.

        ```
          a ─► root     b ─► root     c ─► root  …        each tree asks for a thread of its own

          a ─┐
          b ─┼─► subsystem ─► root                        three queues, one thread
          c ─┘
        ```

        ## Thresholds

        - trees = 4: Trees that work at the same time, at least.
        - per-processor = 2: Trees that work at the same time, for each processor. As many as processors is what they are for.
        - global = 1000: Items that went to global queues.

        ## Why it matters

        Each active tree wants a worker thread. More trees than processors take turns: switches, caches, and locks in
        between. Items on global queues come with no limit at all.

        ## What it cannot see

        Which trees could be merged: those whose items belong to one subsystem. Trees that Foundation makes for itself are
        not counted.

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

        A signal that would have come after the trace's end. Semaphores other than libdispatch's.

        ## Advice

        Signal on every path, errors too. Better, do not block: take the result in a completion handler or with `await`.

        ## Source

        `dispatch_semaphore_create(3)`.
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

        Sources whose creation is not in the trace. Programs that keep sources in stock on purpose look the same.

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

        None.

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

        The acquisitions of a lock, or of the exclusion queue of a hierarchy (its bottom-most serial queue), are taken in
        the order in which they were granted. Two in a row are a *hand-off* when the second was requested before the first
        was released, and by another thread. A *staircase* is a run of at least 4 hand-offs in a row between at least 2
        threads, whose median hold is at most 100 µs and in which at least half of the hand-offs went to a blocked thread:
        one that waited in `sync` or in `lock`. It is a *convoy* when in at least half of its steps the thread that
        released asks again before the next one got it: it turns around and cannot take what it just gave back, because
        it is reserved for a thread that still has to wake up.

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

        Timers whose schedule was set before the recording. Suspensions of the timer's queue rather than of the timer.
        `asyncAfter`, which cannot be suspended.

        ## Advice

        Pause a timer by scheduling it for `.distantFuture`, or cancel it and make a new one when it is needed again.

        ## Source

        `suspended_timer_fire`, one of the events of Apple's GCD Performance instrument; `_dispatch_timer_unote_needs_rearm`.
        """
}

extension UnbalancedGroup {
    public static let documentation = """
        A group is entered more often than it is left, and somebody waits for it; or it is left too often.

        ## Definition

        *Never empty*: when the trace ends a group has been entered more often than left, by more than the items of it that
        still run or wait can make up for, nothing entered or left it for 250 ms, and somebody waits for it: a thread does
        so still, gave up by a time-out, or asked to be notified.

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

        Which of the enters was not left. Work that a library does for the program, such as a download, and that would have
        left the group after the trace's end.

        ## Advice

        Leave in `defer` right after the enter, or use `async(group:)`, which enters and leaves by itself.

        ## Source

        `dispatch_group_enter(3)`: "Each call to dispatch_group_enter must be matched with a call to dispatch_group_leave."
        """
}
