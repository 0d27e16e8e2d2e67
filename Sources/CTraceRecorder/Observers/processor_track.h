// Processor track: when each thread of the process ran on a processor, and why it left it.
//
//	perf_events  every context switch, as `switch_in` and `switch_out`, and the same totals as schedstat
//	schedstat    `thread_times` when a thread that has recorded ends, and for all threads when the session stops
//	none         nothing
//
// The switches of all threads and the totals at the stop are in one stream, whose packets have tid 0. There is no
// `switch_out` for the end of a thread. Switches before the recorder noticed a thread are missing (switch_threads.h).
#ifndef QS_PROCESSOR_TRACK_H
#define QS_PROCESSOR_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include "observer.h"

// The track as an observer. It excludes the recorder thread; `starter_tid` is 0 when there is none. Its stop moves the
// remaining records, writes the times of all threads, and ends the track; its release returns the stream to the free
// list, after the last events were copied.
extern const struct qs_observer qs_processor_observer;

// Starts the track for an LTTng session. Its events have the time at which they are written, so there are totals only.
void qs_processor_track_start_for_lttng(void);

// Writes a thread's totals so far, for an LTTng session.
void qs_processor_track_record_totals(uint32_t tid);

// Notes that the calling thread records its first event. Returns whether the recorder thread has to be woken for it.
bool qs_processor_track_thread_starts(void);

// Writes the times of the calling thread, which is about to end.
void qs_processor_track_thread_ends(void);

#endif
