// Reads the context switches of all threads from their rings (switch_ring.h) into one stream, in the order of time, and
// keeps what that costs within the budget (switch_budget.h).
//
//	UNUSED ──thread noticed──► RECORDED ──too hot──► PAUSED ──budget refilled──► RECORDED
//	                      └──► REFUSED                          (all but UNUSED) ──thread ended──► UNUSED
//
// New threads are noticed within milliseconds of their first event, others within a second. Threads that end between two
// looks are never seen. All functions are for the recorder's thread, but where it says otherwise.
#ifndef QS_SWITCH_READER_H
#define QS_SWITCH_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "processors.h"
#include "stream.h"

// Opens the rings of all threads but the calling one; the budget is that of a process with these processors. Returns 0,
// or the errno that the event of `starter_tid` was refused with.
int qs_switch_reader_start(uint32_t starter_tid, const struct qs_processors *processors);

// Where the events go. Before the first qs_switch_reader_drain.
void qs_switch_reader_set_stream(struct qs_stream *stream);

// Asks for a look at the threads of the process. Returns whether nobody had asked: then the recorder's thread has to be
// woken. Context: any thread.
bool qs_switch_reader_request_look(void);

// Reads, when it is time. Returns when it is time again, in nanoseconds of CLOCK_MONOTONIC.
int64_t qs_switch_reader_drain(int64_t now_ns);

// Reads the rest and closes the rings.
void qs_switch_reader_stop(void);

// Closes the rings and forgets what is in them.
void qs_switch_reader_close(void);

// Running threads that are not recorded, for want of locked memory.
uint32_t qs_switch_reader_uncovered(void);

// In a forked child, which has none of the mappings.
void qs_switch_reader_forget(void);

#endif
