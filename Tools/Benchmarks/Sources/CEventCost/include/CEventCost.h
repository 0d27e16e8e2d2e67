// The loops that are compared. Each repeats its operation `count` times.
#ifndef CEVENTCOST_H
#define CEVENTCOST_H

#include <stdint.h>

// The lower bound: reads the time stamp counter and stores 32 bytes in a buffer of a packet's size.
void bench_floor(int64_t count);
// Records one event of the most frequent kind.
void bench_item_begin(int64_t count);
// Records the three events of an async item: enqueue, begin, end.
void bench_item(int64_t count);
// Checks whether a session records: the cost of a call site when no session records.
void bench_is_recording(int64_t count);
// The same loop without the check.
void bench_empty(int64_t count);

#endif
