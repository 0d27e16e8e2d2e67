// Watches whether the trace's clock keeps the pace of CLOCK_MONOTONIC, and writes readings of both into the trace.
//
//	ticks │            ╱      the counter is somewhere else after the system was suspended or the virtual machine
//	      │       ╱│  ╱       moved to another host, or runs at another rate
//	      │     ╱  │╱
//	      │   ╱    ╰─ from here on the clock is CLOCK_MONOTONIC, scaled to the same frequency
//	      └──────────── CLOCK_MONOTONIC
//
// Every look writes a `clock_sync`, which also shows that a program that does nothing is alive: a trace ends with its
// last event. A step of the counter is found within a second. Time stamps of that second may be wrong, but no stream's go
// back. The two `clock_sync` around the step tell the reader of the trace.
#ifndef QS_CLOCK_WATCH_H
#define QS_CLOCK_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "clock.h"

enum {
	QS_CLOCK_FIRST_WATCH_NS = 100 * 1000 * 1000, // gives the frequency to 1 ppm
	QS_CLOCK_WATCH_NS = 1000 * 1000 * 1000,
};

// What two samples may deviate from the line: what reading the clocks takes when the scheduler disturbs it, and 0.1 %,
// for NTP may slew CLOCK_MONOTONIC by 0.05 %.
static const int64_t QS_CLOCK_TOLERANCE_NS = 50 * 1000;

// By how many nanoseconds the ticks between two samples are more than this frequency gives; 0 within the tolerance.
int64_t qs_clock_strayed(const struct qs_clock_sample *first, const struct qs_clock_sample *last, uint64_t frequency);

// Starts to watch from this sample on.
void qs_clock_watch_start(const struct qs_clock_sample *started);

// Looks, when it is time. Returns when it is time again, in nanoseconds of CLOCK_MONOTONIC. Context: the recorder's
// thread, which records nothing itself (qs_thread_inside).
int64_t qs_clock_watch(int64_t now_ns);

// Whether the first look of this session has measured the counter's frequency. Context: any thread, for tests.
bool qs_clock_watch_has_frequency(void);

// Writes a `clock_sync` with the clocks' present readings. Context: the session records.
void qs_clock_record_sync(void);

#endif
