/// The expected texts of reports.
enum GoldenReports {
    static let troubled = #"""
        Queuescope report
         trace     /tmp/news.ctf · ring · schema 1.0
         program   NewsService (pid 4711) on builder, 2 processors
         recorded  2026-11-21 01:41:02 UTC, 1.83 s, 1,612,331 events, 12 discarded

        VERDICT ────────────────────────────────────────────────────────────────────────────────────────────
         3 findings: 1 error, 2 warnings.
         costs most  F1 staircase-contention: 9 threads hand news.state to each other in 1,250 steps of
                     4.10 µs; the hand-offs lost 412 ms.
         error       F3 retarget-after-activation: The target of news.network is set after its activation,
                     which stops the process on Linux.
         do first    Replace the sync on news.state by an unfair lock: it guards a few machine words for
                     4 µs.

        FINDINGS ────────────────────────────────────────────────────────────────────── most important first
         F1  warning  staircase-contention · cost 412 ms · 37 times · at 0.120345 s to 1.800000 s
             9 threads hand news.state to each other in 1,250 steps of 4.10 µs; the hand-offs lost 412 ms.
             queue     news.state
             code      NewsService/StateStore.swift:42
             numbers   steps                 1,250
                       threads               9
                       switches per second   744
                       median hold           4.10 µs
                       efficiency            31%
                       worst waiter          worker 4713, 83.0 µs
                       an unfair lock saves  301 ms
             proof     0.120345000 s  main 4711    sync_handoff
                         waited 11.2 µs, got news.state from worker 4713
                       0.120357000 s  worker 4712  sync_handoff
                         waited 11.2 µs, got news.state from worker 4714
                       0.120369000 s  worker 4713  sync_handoff
                         waited 11.2 µs, got news.state from worker 4712
                       and 4 more; --all shows them
             advice    Replace the sync on news.state by an unfair lock: it guards a few machine words for
                       4 µs. Where the caller needs no result, use async.

         F2  warning  overlapping-handlers · cost 96.0 ms · 212 times · at 0.000005 s to 1.700000 s
             Handlers of 64 queues news.connection.* run at once for 20 µs each; waking the threads costs
             more.
             queues    news.connection.* (64 queues)
             code      NewsService/Connection.swift:88
             caveat    12 events were discarded in this window.
             numbers   peak  4 at once
             advice    Give the queues one serial target.

         F3  error    retarget-after-activation · once · at 0.000007 s
             The target of news.network is set after its activation, which stops the process on Linux.
             queue     news.network
             code      NewsService/Connection.swift:88
             stack     retargeted here:
                         NewsService+0x1234
                         0x70000042
                         0x10
             stack     activated here:
                         NewsService+0x1234
                         0x70000042
                         0x10
             advice    Set the target before activate().

        QUEUES ────────────────────────────────────────────────────── by lost time, below their target queue
                                                                   ───── wait ─────  ───── run ──────
         queue                    items  busy   lost mostly to      p50   p99   max   p50   p99   max handed
         …default-qos
         ├ news.state            41,233   17%  412ms own backlog  5.0µs 100µs 400µs 5.0µs 100µs 400µs  1,250
         ├ news.connection.* ×64 20,480    1%  128ms thread start 3.1µs  63µs 250µs 3.1µs  63µs 250µs      –
         ├ news.network              12   <1%      0 –                0     0     0     0     0     0      –
         │ └ news.network.parser    800    5%   61ms hierarchy     38µs 763µs 3.1ms  38µs 763µs 3.1ms      –
         └ news.cache ∥           1.50M   27%  1.0ms barrier          0     0     0     0     0     0      –
         68 busy queues; 1 ran nothing and is not shown.
         lost: total wait. wait: from enqueue to begin; run: from begin to end. handed: syncs that waited
         and got the queue from another thread. ∥: a concurrent queue.
         ×n: n similar queues in one row, with their mean load, the median queue's p50, and the worst
         queue's p99 and max; --all lists each.

        WAITS ────────────────────────────────────────────────────── what items waited for before they began
                                          own                   thread
         queue                   lost backlog hierarchy barrier  start
         all queues             602ms   412ms      61ms   1.0ms  128ms
         their share             100%     68%       10%     <1%    21%
         news.state             412ms   412ms         –       –      –
         news.connection.* ×64  128ms       –         –       –  128ms
         news.network.parser     61ms       –      61ms       –      –
         news.cache             1.0ms       –         –   1.0ms      –
         own backlog: an earlier item of the same queue ran; hierarchy: an item of another queue held a
         queue that both target; barrier: readers drained before a barrier, or a barrier held the concurrent
         queue; thread start: a worker was requested and had not started.

        THREADS ─────────────────────────────────────────────────────────────────────────── by time in items
         thread         items   busy  blocked
         main 4711      9,020    45%       5%  ████████░
         worker 4712    6,710    33%      16%  ███░░░
         worker 4713      605     3%      82%  ░░░░░░░░░░░░░░░░
         thread 4714        0     0%       0%
         busy: time in items. blocked: time in sync, or on a lock, group or semaphore, in and out of items.
         █ running, ░ blocked.

        TRACE QUALITY ──────────────────────────────────────────────────────────────────────────────────────
         99.9%  1 of 2 checks passed: some numbers may be wrong
         fails fifo-order: Items of a serial queue begin in order. (2 of 41,233)
         note  thread-0007 ends in a packet that was cut short.

        """#

    static let cleanBrief = #"""
        Queuescope report
         trace     /tmp/news.ctf · ring · schema 1.0
         program   NewsService (pid 4711) on builder, 2 processors
         recorded  2026-11-21 01:41:02 UTC, 1.83 s, 10 events

        VERDICT ────────────────────────────────────────────────────────────────────────
         No problem found.
         most wait   3.00 ms in total, on news.network, mostly own backlog.

        QUEUES ────────────────────────────────── by lost time, below their target queue
                                                                  ── wait ──  ── run ───
         queue                   items  busy   lost mostly to      p99   max   p50   max
         …default-qos
         └ news.network              5   <1%  3.0ms own backlog  6.0ms  24ms 300µs  24ms

        """#
}
