// Generated from Sources/TraceSchema by Tools/generate-schema. Do not edit.

/** A part of the wait of an item. */
export const WAIT_PARTS = [
  { name: 'own_backlog', title: 'own backlog', meaning: 'an earlier item of the same queue ran' },
  { name: 'hierarchy', title: 'hierarchy', meaning: 'an item of another queue held a queue that both target' },
  { name: 'barrier', title: 'barrier', meaning: 'readers drained before a barrier, or a barrier held the concurrent queue' },
  { name: 'suspended', title: 'suspended', meaning: 'a queue was suspended or not yet activated' },
  { name: 'not_due', title: 'not due', meaning: 'the deadline of an asyncAfter was in the future' },
  { name: 'pool', title: 'pool', meaning: 'the queue was free, and every worker was busy' },
  { name: 'thread_start', title: 'thread start', meaning: 'a worker was requested and had not started' },
  { name: 'scheduler', title: 'scheduler', meaning: 'a thread was available and had not begun the item' },
];

/** A part of the life of a task. */
export const TASK_PARTS = [
  { name: 'running', title: 'ran', meaning: 'it ran on a thread' },
  { name: 'actor', title: 'actor', meaning: 'it was runnable and waited for an actor or another serial executor' },
  { name: 'thread', title: 'thread', meaning: 'it was runnable and waited for a thread' },
  { name: 'task', title: 'task', meaning: 'it awaited another task' },
  { name: 'continuation', title: 'continuation', meaning: 'it awaited a continuation. This includes sleeping' },
  { name: 'group', title: 'group', meaning: 'it awaited a task group' },
  { name: 'unknown', title: 'unknown', meaning: 'it waited for an unrecorded reason' },
];

/** The cause of a segment of a critical path. */
export const STEP_KINDS = [
  { name: 'run', title: 'items ran' },
  { name: 'outside', title: 'outside of items' },
  { name: 'start', title: 'waits for a worker' },
  { name: 'queued', title: 'gaps between items of a queue' },
  { name: 'handoff', title: 'hand-offs' },
  { name: 'wake', title: 'wake-ups of threads' },
  { name: 'not_due', title: 'timers not yet due' },
  { name: 'blocked', title: 'waits with an unknown cause', isUnknown: true },
  { name: 'before', title: 'before the first known cause', isUnknown: true },
  { name: 'suspended', title: 'suspended queues' },
  { name: 'barrier', title: 'barriers' },
  { name: 'awaits', title: 'awaits of an unknown kind', isUnknown: true },
  { name: 'preempted', title: 'runnable without a processor' },
  { name: 'lock', title: 'waits for locks' },
  { name: 'sync', title: 'waits for queues' },
  { name: 'semaphore', title: 'semaphore waits' },
  { name: 'group', title: 'group waits' },
  { name: 'work_item', title: 'work item waits' },
  { name: 'continuation', title: 'awaits of continuations' },
  { name: 'task', title: 'awaits of tasks' },
  { name: 'task_group', title: 'awaits of task groups' },
  { name: 'actor', title: 'waits for actors' },
  { name: 'child_process', title: 'waits for child processes' },
  { name: 'file', title: 'file or descriptor access' },
  { name: 'socket', title: 'socket access' },
  { name: 'regular_file', title: 'file access' },
  { name: 'directory', title: 'directory access' },
  { name: 'pipe', title: 'pipe access' },
  { name: 'fifo', title: 'FIFO access' },
  { name: 'tcp_socket', title: 'TCP socket access' },
  { name: 'udp_socket', title: 'UDP socket access' },
  { name: 'unix_socket', title: 'Unix socket access' },
  { name: 'terminal', title: 'terminal access' },
  { name: 'eventfd', title: 'eventfd access' },
  { name: 'timerfd', title: 'timerfd access' },
  { name: 'signalfd', title: 'signalfd access' },
  { name: 'inotify', title: 'inotify access' },
  { name: 'sleep', title: 'sleeps' },
  { name: 'futex', title: 'waits for locks or conditions' },
  { name: 'system_call', title: 'system calls' },
  { name: 'short_call', title: 'short blocking calls' },
  { name: 'poll', title: 'event loops that wait for events' },
  { name: 'source', title: 'sources that wait for events' },
];

/** An object that a thread waits for. */
export const WAIT_OBJECTS = [
  { name: 'group', title: 'group' },
  { name: 'semaphore', title: 'semaphore' },
  { name: 'item', title: 'work item' },
  { name: 'queue', title: 'queue' },
  { name: 'lock', title: 'lock' },
];

/** A misuse, or a change of the state of a queue or a source. */
export const MARK_KINDS = [
  { name: 'mutation_after_activation', title: 'mutation after activation' },
  { name: 'retarget_after_activation', title: 'retarget after activation' },
  { name: 'activated', title: 'activated' },
  { name: 'suspended', title: 'suspended' },
  { name: 'resumed', title: 'resumed' },
  { name: 'cancelled', title: 'cancelled' },
  { name: 'retargeted', title: 'retargeted' },
  { name: 'disposed', title: 'disposed' },
  { name: 'non_leaf_retarget', title: 'non-leaf retarget' },
  { name: 'over_resume', title: 'over-resume' },
  { name: 'release_while_suspended', title: 'release while suspended' },
];

/** The libdispatch call that created the item. */
export const ITEM_KINDS = [
  { value: 0, name: 'async', title: 'async' },
  { value: 1, name: 'sync', title: 'sync' },
  { value: 2, name: 'after', title: 'asyncAfter' },
  { value: 3, name: 'source_handler', title: 'source handler' },
  { value: 4, name: 'notify', title: 'notify' },
  { value: 5, name: 'apply', title: 'concurrentPerform' },
  { value: 6, name: 'io', title: 'I/O' },
  { value: 7, name: 'swift_job', title: 'Swift job' },
  { value: 8, name: 'async_and_wait', title: 'asyncAndWait' },
  { value: 9, name: 'perform', title: 'perform' },
  { value: 10, name: 'cancel_handler', title: 'cancel handler' },
  { value: 11, name: 'registration_handler', title: 'registration handler' },
  { value: 12, name: 'actor_job', title: 'actor job' },
  { value: 13, name: 'loop_iteration', title: 'iteration' },
];

/** The quality-of-service class, with libdispatch's values. */
export const QOS_CLASSES = [
  { value: 0, name: 'unspecified', title: 'unspecified' },
  { value: 5, name: 'maintenance', title: 'maintenance' },
  { value: 9, name: 'background', title: 'background' },
  { value: 17, name: 'utility', title: 'utility' },
  { value: 21, name: 'default', title: 'default' },
  { value: 25, name: 'user_initiated', title: 'user-initiated' },
  { value: 33, name: 'user_interactive', title: 'user-interactive' },
];

/** How the program created the task. */
export const TASK_KINDS = [
  { value: 0, name: 'unknown', title: 'task' },
  { value: 1, name: 'unstructured', title: 'task' },
  { value: 2, name: 'detached', title: 'detached task' },
  { value: 3, name: 'group_child', title: 'child task of a group' },
  { value: 4, name: 'async_let', title: 'async let' },
  { value: 5, name: 'immediate', title: 'immediate task' },
  { value: 6, name: 'main', title: 'main task' },
  { value: 7, name: 'sleep', title: 'sleep' },
  { value: 8, name: 'discarding_child', title: 'child task of a discarding group' },
];

/** The kind of the awaited object of a suspended task, with the runtime's values. */
export const AWAIT_KINDS = [
  { value: 0, name: 'unknown', title: 'unknown' },
  { value: 1, name: 'task', title: 'task' },
  { value: 2, name: 'continuation', title: 'continuation' },
  { value: 3, name: 'group', title: 'group' },
  { value: 4, name: 'executor', title: 'executor' },
];
