// The processor track: when each thread of the process had a processor, and how it lost it.
//
//	perf_events  every context switch, as `switch_in` and `switch_out`, and what schedstat gives
//	schedstat    `thread_times` when a thread that has recorded ends, and for all threads when the session stops
//	none         nothing
//
// The switches of all threads and the totals of the stop are in one stream, whose packets have tid 0. A thread that ends
// leaves no `switch_out`. A thread's switches before the recorder noticed it are not there (switch_reader.h).
#ifndef QS_PROCESSOR_TRACK_H
#define QS_PROCESSOR_TRACK_H

#include <stdbool.h>
#include <stdint.h>

// Starts the track for a session that `starter_tid` starts. Context: the supply thread, which the track leaves out,
// while the starter holds the session's lock and waits; 0 when there is no such thread.
void qs_processor_track_start(uint32_t starter_tid);

// The same for a session that records for LTTng, whose events have the time at which they are written: there can be totals only.
void qs_processor_track_start_for_lttng(void);

// Writes a thread's totals so far, for such a session.
void qs_processor_track_record_totals(uint32_t tid);

// Writes `processor_track`. Context: the session records.
void qs_processor_track_record(void);

// Notes that the calling thread records for the first time. Returns whether the supply thread has to be woken for it.
bool qs_processor_track_thread_starts(void);

// Moves what the kernel has recorded into the streams, when it is time. Returns when it is time again, in nanoseconds
// of CLOCK_MONOTONIC; INT64_MAX when there is nothing to move. Context: the supply thread.
int64_t qs_processor_track_drain(int64_t now_ns);

// Moves the rest, writes the times of all threads, and ends the track. Context: the supply thread on its way out, or
// whoever stops the session when there is none.
void qs_processor_track_stop(void);

// Writes the times of the calling thread, which is about to end.
void qs_processor_track_thread_ends(void);

// In a forked child.
void qs_processor_track_forget(void);

#endif
