// The trace's clock: the processor's time stamp counter where the kernel itself keeps time by it, CLOCK_MONOTONIC
// otherwise. clock_watch.h leaves the counter when the two no longer agree.
#ifndef QS_CLOCK_H
#define QS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "slow_path.h"

// Where time stamps come from. Set once before the first session starts.
enum qs_clock_kind {
	QS_CLOCK_MONOTONIC = 0, // clock_gettime, in nanoseconds
	QS_CLOCK_COUNTER = 1,   // TSC or CNTVCT, in ticks
	QS_CLOCK_INJECTED = 2,  // tests: qs_clock_injected()
	QS_CLOCK_SCALED = 3,    // CLOCK_MONOTONIC in the counter's ticks, after qs_clock_leave_counter
};

extern enum qs_clock_kind qs_clock_kind; // atomic once a session records
extern uint64_t (*qs_clock_injected)(void);
// Tests: what qs_clock_sample reads instead of the system's clocks; NULL otherwise.
extern int64_t (*qs_clock_injected_system)(clockid_t clock);

QS_SLOW_PATH uint64_t qs_clock_now_slow(void);

// The time now, in ticks. Not ordered against the instructions around it: two threads that hand a queue over may see stamps that
// contradict the hand-over by some nanoseconds, which the analyser allows for. A fence would double the cost of every event.
static inline uint64_t qs_clock_now(void)
{
	if (__builtin_expect(qs_clock_kind == QS_CLOCK_COUNTER, 1)) {
#if defined(__x86_64__)
		return __rdtsc();
#elif defined(__aarch64__)
		uint64_t ticks;
		__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
		return ticks;
#endif
	}
	return qs_clock_now_slow();
}

// One of the system's clocks, in nanoseconds. Takes some tens of them.
static inline int64_t qs_clock_system(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// How ticks relate to Unix time: what the metadata's clock block says.
struct qs_clock_calibration {
	uint64_t frequency;      // ticks per second
	int64_t offset_seconds;  // Unix time of tick 0, whole seconds
	uint64_t offset_ticks;   // the rest, in ticks
};

// One reading of the counter and of the system's clocks at the same instant, as close as can be.
struct qs_clock_sample {
	uint64_t ticks;
	int64_t monotonic_ns;
	int64_t realtime_ns;
	int64_t boottime_ns; // as CLOCK_MONOTONIC, and counts on while the system is suspended
};

// Decides which clock to use. Allocates: no. Blocks: no.
void qs_clock_select(void);

// Whether the kernel keeps time by the processor's counter, as the file `current_clocksource` at this path says. On any
// other clock source it has found the counter unreliable, or a hypervisor corrects it: kvm-clock is chosen only where
// the TSC is not stable. Without the file, as in some sandboxes, nobody vouches for the counter.
bool qs_clock_counter_is_trusted(const char *path);

// From now on the trace's clock is CLOCK_MONOTONIC, scaled to the counter's frequency, from this number of ticks at this
// time. For good: a later session of the process uses CLOCK_MONOTONIC as it is. Context: any thread, others may record.
void qs_clock_leave_counter(uint64_t ticks, int64_t monotonic_ns, uint64_t frequency);

// Takes the best of some readings: the one that the scheduler disturbed least. Takes about 10 µs.
struct qs_clock_sample qs_clock_sample(void);

// From CLOCK_MONOTONIC to the trace's clock, along the line through two samples, which are so close together that the
// clocks' rates are the same throughout.
uint64_t qs_clock_ticks_at(int64_t time_ns, const struct qs_clock_sample *first, const struct qs_clock_sample *last);

// The calibration that two samples give; the longer they are apart the better: 50 ns over the distance. After
// qs_clock_leave_counter the frequency is the one that was given there.
struct qs_clock_calibration qs_clock_calibrate(struct qs_clock_sample first, struct qs_clock_sample last);

#endif
