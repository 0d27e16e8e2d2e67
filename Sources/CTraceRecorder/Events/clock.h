// Clock of the trace: the processor's time stamp counter when the kernel uses it as its own clock source,
// CLOCK_MONOTONIC otherwise. clock_watch.h switches away from the counter when the two diverge.
#ifndef QS_CLOCK_H
#define QS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "../System/slow_path.h"
#include "../System/system_clock.h"
#include "gate.h"

// Source of the time stamps, in qs_gate.clock_kind. Set once before the first session starts.
enum qs_clock_kind {
	QS_CLOCK_MONOTONIC = 0, // clock_gettime, in nanoseconds
	QS_CLOCK_COUNTER = 1,   // TSC or CNTVCT, in ticks
	QS_CLOCK_INJECTED = 2,  // tests: qs_clock_injected()
	QS_CLOCK_SCALED = 3,    // CLOCK_MONOTONIC in the counter's ticks, after qs_clock_leave_counter
};

extern uint64_t (*qs_clock_injected)(void);
// For tests: replaces the system's clocks in qs_clock_sample; NULL otherwise.
extern int64_t (*qs_clock_injected_system)(clockid_t clock);

QS_SLOW_PATH uint64_t qs_clock_now_slow(void);

// Current time in ticks. Not ordered against the surrounding instructions: the stamps of two threads that hand off a
// queue may contradict the order of the hand-off by some nanoseconds. The analyser allows for this. A fence would
// double the cost of every event.
static inline uint64_t qs_clock_now(void)
{
	if (__builtin_expect(qs_gate.clock_kind == QS_CLOCK_COUNTER, 1)) {
#if defined(__x86_64__)
		return __builtin_ia32_rdtsc(); // __rdtsc, without the 40,000 lines of x86intrin.h
#elif defined(__aarch64__)
		uint64_t ticks;
		__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
		return ticks;
#endif
	}
	return qs_clock_now_slow();
}

// Relation of ticks to Unix time, as in the metadata's clock block.
struct qs_clock_calibration {
	uint64_t frequency;      // ticks per second
	int64_t offset_seconds;  // Unix time of tick 0, whole seconds
	uint64_t offset_ticks;   // the rest, in ticks
};

// One reading of the counter and of the system's clocks, as simultaneous as possible.
struct qs_clock_sample {
	uint64_t ticks;
	int64_t monotonic_ns;
	int64_t realtime_ns;
	int64_t boottime_ns; // CLOCK_MONOTONIC plus the time that the system was suspended
};

// Decides which clock to use. Allocates: no. Blocks: no.
void qs_clock_select(void);

// Whether the kernel uses the processor's counter as its clock source, according to the file `current_clocksource` at
// this path. With any other clock source, the kernel has found the counter unreliable, or a hypervisor corrects it:
// kvm-clock is chosen only when the TSC is not stable. Without the file, as in some sandboxes, the counter is not
// trusted.
bool qs_clock_counter_is_trusted(const char *path);

// Switches the trace's clock to CLOCK_MONOTONIC, scaled to the counter's frequency and starting with this number of
// ticks at this time. Permanent: later sessions of the process use unscaled CLOCK_MONOTONIC. Context: any thread; other
// threads may be recording.
void qs_clock_leave_counter(uint64_t ticks, int64_t monotonic_ns, uint64_t frequency);

// Returns the best of several readings: the shortest one, least disturbed by the scheduler. Takes about 10 µs.
struct qs_clock_sample qs_clock_sample(void);

// Converts CLOCK_MONOTONIC to the trace's clock, by the line through two samples. The samples must be close together,
// so that the rates of the clocks are constant between them.
uint64_t qs_clock_ticks_at(int64_t time_ns, const struct qs_clock_sample *first, const struct qs_clock_sample *last);

// Calibration from two samples. The error of the rate is 50 ns divided by the distance of the samples. After
// qs_clock_leave_counter, its frequency is used.
struct qs_clock_calibration qs_clock_calibrate(struct qs_clock_sample first, struct qs_clock_sample last);

#endif
