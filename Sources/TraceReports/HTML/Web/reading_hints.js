// What to look at, for each kind of finding: one sentence above its rows, for people who see such a picture for the
// first time.

export const READING_HINTS = {
  'staircase-contention': 'Solid: the thread holds it. Hatched: the thread is blocked for it. '
    + 'Each arrow is a hand-off, in which nobody works.',
  'lock-contention': 'Solid: the thread holds the lock. Hatched: it is blocked for it.',
  'overlapping-handlers': 'Amber, above the dashed line: several run at once, each on a thread of its own that had to '
    + 'be woken. A colour is a thread.',
  'thread-explosion': 'The dashed line is the number of processors. Workers above it only take turns on them.',
  'queue-forest': 'The dashed line is the number of processors. Each queue that has work takes a worker of its own.',
  'pool-starvation': 'Hatched up to the dashed line: all workers that the pool may run are blocked. Amber: items wait.',
  'pool-deadlock': 'Hatched: all workers of the pool are blocked. Vermilion over the queue: items that no worker is '
    + 'left for.',
  'readers-writer': 'A bar with bold ends is a barrier: it runs alone. Hatched and amber: who waits for it, or it for '
    + 'them.',
  'barrier-on-global': 'A global queue ignores barriers: what was to run alone runs beside others.',
  'main-queue-hang': 'One bar holds the main queue all that time. Hatched: it does not even work, it waits.',
  'long-sync-wait': 'Hatched: the thread is blocked in sync until the queue has run what was there before.',
  'priority-inversion': 'Hatched: the urgent thread is blocked, for work of a lower quality of service.',
  'uneven-concurrent-perform': 'Each bar is an iteration. Where a thread has none, its processor has nothing to do.',
  'bouncing-work': 'A colour is a thread: the items of one chain go from thread to thread, and each change costs a '
    + 'wake-up.',
  'work-too-small': 'Amber: an item waits for a thread. The bar after it is all that it does.',
  'work-too-large': 'One bar keeps the queue to itself; all that comes later waits until it ends.',
  'item-never-ran': 'Vermilion over a queue: what was enqueued there and never began.',
  'late-timer': 'What has the queue when the timer is due makes it late. The flags are where it ran at last.',
  'deadlock': 'Hatched to the end of the trace: a wait that nobody is left to end.',
  'lock-order-inversion': 'Two locks, taken in one order here and in the other there: at the wrong moment, both wait.',
  'mutation-after-activation': 'From the tick, the activation, a line leads to the diamond: the change that came too '
    + 'late.',
  'retarget-after-activation': 'From the tick, the activation, a line leads to the diamond: the retarget that came too '
    + 'late.',
};

export const ANY_HINT = 'The numbered flags are the evidence; E goes from one to the next.';
