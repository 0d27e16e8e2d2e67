// Generated from the documentation comments of the detectors by DetectorDocumentationTests. Do not edit.

extension MutationAfterActivation {
    public static let documentation = """
        A handler of a dispatch source is set after the source was activated.

        ## Definition

        `setEventHandler`, `setCancelHandler` or `setRegistrationHandler` is called on a source that was activated before
        (for sources the first `resume` counts). The recorder sees the call itself, so every occurrence is certain. Calls on
        the same kind of object from the same code are one finding.

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

        Handlers of sources that were not made through Queuescope.

        ## Advice

        Set all handlers before `activate`. What should change later belongs into the handler: let it look up what to do.

        ## Source

        `post_activate_mutation`, one of the events of Apple's GCD Performance instrument.
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

        Objects that were not made through Queuescope.

        ## Advice

        Pass the target to the initialiser, or create the object inactive, set the target and activate it then.

        ## Source

        `post_activate_retarget`, one of the events of Apple's GCD Performance instrument.
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
