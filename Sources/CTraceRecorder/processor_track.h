// Processor track: when each thread of the process ran on a processor, and why it left it.
//
//	perf_events  every context switch, as `switch_in` and `switch_out`, and the same totals as schedstat
//	schedstat    `thread_times` when a thread that has recorded ends, and for all threads when the session stops
//	none         nothing
//
// The switches of all threads and the totals at the stop are in one stream, whose packets have tid 0. There is no
// `switch_out` for the end of a thread. Switches before the recorder noticed a thread are missing (switch_reader.h).
#ifndef QS_PROCESSOR_TRACK_H
#define QS_PROCESSOR_TRACK_H

#include <stdbool.h>
#include <stdint.h>

// Starts the track for a session that the thread `starter_tid` starts. Context: the recorder thread, which is excluded
// from the track, while the starter holds the session's lock and waits. `starter_tid` is 0 when there is no recorder
// thread.
void qs_processor_track_start(uint32_t starter_tid);

// The same for an LTTng session. Its events have the time at which they are written, so there are totals only.
void qs_processor_track_start_for_lttng(void);

// Writes a thread's totals so far, for an LTTng session.
void qs_processor_track_record_totals(uint32_t tid);

// Writes `processor_track`. Context: the session records.
void qs_processor_track_record(void);

// Notes that the calling thread records its first event. Returns whether the recorder thread has to be woken for it.
bool qs_processor_track_thread_starts(void);

// Moves records of the kernel into the streams, if it is time. Returns the time of the next call, in nanoseconds of
// CLOCK_MONOTONIC; INT64_MAX when there are no records to move. Context: the recorder thread.
int64_t qs_processor_track_drain(int64_t now_ns);

// Moves the remaining records, writes the times of all threads, and ends the track. Context: the recorder thread before
// it ends.
void qs_processor_track_stop(void);

// Returns the track's stream to the free list. Context: the recorder thread, after its last events were copied.
void qs_processor_track_release_stream(void);

// Writes the times of the calling thread, which is about to end.
void qs_processor_track_thread_ends(void);

// Resets the state in a forked child.
void qs_processor_track_forget(void);

#endif
