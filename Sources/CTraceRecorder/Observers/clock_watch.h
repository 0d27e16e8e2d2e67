// Checks that the trace's clock keeps the pace of CLOCK_MONOTONIC, and writes readings of both into the trace.
//
//	ticks │            ╱      the counter jumps after the system was suspended or the virtual machine moved to
//	      │       ╱│  ╱       another host, or it runs at another rate
//	      │     ╱  │╱
//	      │   ╱    ╰─ from here on the clock is CLOCK_MONOTONIC, scaled to the same frequency
//	      └──────────── CLOCK_MONOTONIC
//
// Each check writes a `clock_sync`. It also shows that an idle program is alive, because a trace ends with its last
// event. A step of the counter is detected within a second. Time stamps of that second may be wrong, but the time of a
// stream never decreases. The reader locates the step between the two `clock_sync` events around it.
#ifndef QS_CLOCK_WATCH_H
#define QS_CLOCK_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "../Events/clock.h"
#include "observer.h"

enum {
	QS_CLOCK_FIRST_WATCH_NS = 100 * 1000 * 1000, // enough for a frequency with an error of 1 ppm
};

// Tolerated deviation of two samples from the line: the duration of a clock reading that the scheduler disturbs, plus
// 0.1 %, because NTP may slew CLOCK_MONOTONIC by 0.05 %.
static const int64_t QS_CLOCK_TOLERANCE_NS = 50 * 1000;

// Nanoseconds by which the ticks between two samples exceed this frequency; 0 within the tolerance.
int64_t qs_clock_strayed(const struct qs_clock_sample *first, const struct qs_clock_sample *last, uint64_t frequency);

// The watch as an observer: a check once a second (qs_clock_next_second), from the session's start on.
extern const struct qs_observer qs_clock_observer;

// Whether the first check of this session has measured the counter's frequency. Context: any thread, for tests.
bool qs_clock_watch_has_frequency(void);

// Writes a `clock_sync` with the current readings of the clocks. Context: the session records.
void qs_clock_record_sync(void);

#endif
