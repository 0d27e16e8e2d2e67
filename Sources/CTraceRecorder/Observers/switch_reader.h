// Reads the context switches of all threads (switch_threads.h) from their rings into one stream, in time order, within
// the budget (switch_budget.h). All functions run on the recorder thread.
#ifndef QS_SWITCH_READER_H
#define QS_SWITCH_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "../Events/stream.h"
#include "../System/processors.h"
#include "switch_ring.h"

// The rings are read when a thread has been blocked for this time, so that it can be visited.
enum { QS_BLOCKED_SAMPLE_AFTER_NS = 5 * 1000 * 1000 };

// Opens the rings of all threads except the calling one. The budget is computed from these processors. Returns 0, or
// the errno of opening the event of `starter_tid`.
int qs_switch_reader_start(uint32_t starter_tid, const struct qs_processors *processors);

// Sets the stream of the events. Call before the first qs_switch_reader_drain.
void qs_switch_reader_set_stream(struct qs_stream *stream);

// Forgets what the starter did so far: it waited for the recorder. Call directly before it continues.
void qs_switch_reader_begin(void);

// Reads the rings if it is time. Returns the time of the next call, in nanoseconds of CLOCK_MONOTONIC.
int64_t qs_switch_reader_drain(int64_t now_ns);

// Reads the rings now, if there are any.
void qs_switch_reader_read(void);

// Calls the function for each thread that was blocked for at least QS_BLOCKED_SAMPLE_AFTER_NS when the rings were last
// read, and passes the time of that reading (CLOCK_MONOTONIC). Events of the function are in the stream of the switches
// and have the same time. A thread is visited until the function returns true, and again in its next blocked period.
// Does nothing if the rings were not read since the last visit. The budget pays for the visits.
void qs_switch_reader_visit_blocked(bool (*visit)(struct qs_switch_ring *ring, uint32_t tid, int64_t now_ns));

// Limits the budget to this share of a processor, in millionths.
void qs_switch_reader_limit(int64_t share);

// Reads the remaining records and closes the rings.
void qs_switch_reader_stop(void);

// Closes the rings without reading them.
void qs_switch_reader_close(void);

// Resets the state in a forked child, which has none of the mappings.
void qs_switch_reader_forget(void);

#endif
