// Sampling of items and tasks: the hooks record one of `item_stride`, so that recording costs less.
//
//	submissions and uncontended syncs of a thread, with a stride of 4
//	stratum   |  1        |  2        |  3        |
//	item      | a  B  c  d| e  f  g  H| I  j  k  l|     B, H and I are recorded
//
// A thread divides its items into strata of `item_stride` consecutive ones, and records a random one of each. Each item
// has the same probability, also in a program whose items alternate, and the number of recorded items of a thread is
// exact to one stratum.
//
// The decision is made once, at the submission. A skipped item is passed to libdispatch as the program submitted it, so
// the trace has none of its events. The id of an item cannot decide: it is an address, and a program that submits one
// item after the other gets the same address each time.
//
// Sampled items: async, asyncAfter, syncs on a free queue, and jobs of Swift Concurrency that drain an actor. Syncs
// that wait, waits for locks, handlers, notifications and all other events are always recorded.
//
// A task of Swift Concurrency has a number of its own, which decides: it is recorded if the hash of its number is 0
// below the stride. So all threads agree without shared state, and the analysis can repeat the decision. The hashes are
// nested: a larger stride records a part of the tasks of a smaller one.
//
//	stride    | 1          | 8                 | 2
//	task 5    | create run   ·   ·   ·   ·       begin run finish   has steps while its hash is 0 below the stride
//	task 9    | create run   run run run run     run finish         also 0 below 8: recorded whole
//
// While the rate is constant, a task has all of its events or none: creation, name, enqueues, runs, switches of the
// executor, awaits, cancellation, end, and its jobs on queues. A task may live as long as a connection, so a change of
// the rate also applies to tasks that exist; otherwise a server with long connections would keep its cost. The runtime
// passes a task from thread to thread with acquire and release, so a thread never uses an older rate than the previous
// step of the task: a change divides the events of a task at one point. A run on a thread ends as it began.
//
// - The first task, the main task of an asynchronous main function, is always recorded, and its jobs are items.
// - A child is decided like any other task: the parent of a recorded child may be missing, and the other way round.
// - Isolated deinitializers have numbers of their own, and are decided by them.
// - Actors, executors, signposts and spans are always recorded.
#ifndef QS_ITEM_SAMPLING_H
#define QS_ITEM_SAMPLING_H

#include <stdint.h>

enum { QS_MOST_ITEM_STRIDE = 1 << 12 };

// Sets the number of items of which one is recorded: a power of two up to QS_MOST_ITEM_STRIDE; 0 or 1: all are. Threads
// use it from their next item on. Context: the start of a session, or the recorder thread.
void qs_item_sampling_set(uint32_t stride);

// The same number, at least 1.
uint32_t qs_item_sampling_stride(void);

// Numbers of this session, while it sampled.
struct qs_sampling_totals {
	uint64_t strata;     // recorded items
	uint64_t task_steps; // steps of tasks that were found to be recorded: creations, enqueues, begins and jobs
};

// Context: any thread.
struct qs_sampling_totals qs_item_sampling_totals(void);

#endif
