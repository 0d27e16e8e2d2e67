// Sampling of items: the hooks record one of `item_stride` items, so that recording costs less.
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
// Sampled: async, asyncAfter and syncs on a free queue. Syncs that wait, waits for locks, handlers, notifications, jobs
// of Swift Concurrency and all other events are always recorded.
#ifndef QS_ITEM_SAMPLING_H
#define QS_ITEM_SAMPLING_H

#include <stdint.h>

enum { QS_MOST_ITEM_STRIDE = 1 << 12 };

// Sets the number of items of which one is recorded: a power of two up to QS_MOST_ITEM_STRIDE; 0 or 1: all are. Threads
// use it from their next item on. Context: the start of a session, or the recorder thread.
void qs_item_sampling_set(uint32_t stride);

// The same number, at least 1.
uint32_t qs_item_sampling_stride(void);

// Number of strata in this session: of items that were recorded while the session sampled. Context: any thread.
uint64_t qs_item_sampling_strata(void);

#endif
