// The trace's clock: the processor's time stamp counter where it is invariant, CLOCK_MONOTONIC otherwise.
#ifndef QS_CLOCK_H
#define QS_CLOCK_H

#include <stdint.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

// Where time stamps come from. Set once before the first session starts.
enum qs_clock_kind {
	QS_CLOCK_MONOTONIC = 0, // clock_gettime, in nanoseconds
	QS_CLOCK_COUNTER = 1,   // TSC or CNTVCT, in ticks
	QS_CLOCK_INJECTED = 2,  // tests: qs_clock_injected()
};

extern enum qs_clock_kind qs_clock_kind;
extern uint64_t (*qs_clock_injected)(void);

uint64_t qs_clock_now_slow(void);

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
};

// Decides which clock to use. Allocates: no. Blocks: no.
void qs_clock_select(void);

// Takes the best of some readings: the one that the scheduler disturbed least. Takes about 10 µs.
struct qs_clock_sample qs_clock_sample(void);

// The calibration that two samples give; the longer they are apart the better: 50 ns over the distance.
struct qs_clock_calibration qs_clock_calibrate(struct qs_clock_sample first, struct qs_clock_sample last);

#endif
