// The loops whose costs are compared. Each does its work `count` times and nothing else.
#ifndef CEVENTCOST_H
#define CEVENTCOST_H

#include <stdint.h>

// The floor: reads the time stamp counter and stores 32 bytes, into a buffer as large as a packet.
void bench_floor(int64_t count);
// Records one event of the kind that is most frequent.
void bench_item_begin(int64_t count);
// Records what an async item records: enqueue, begin, end. Costs three events.
void bench_item(int64_t count);
// Asks whether a session records, and does nothing: what a call site pays when tracing is off.
void bench_is_recording(int64_t count);
// The same loop without asking.
void bench_empty(int64_t count);

#endif
