#include "clock.h"

#include <stdbool.h>
#include <stddef.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

enum qs_clock_kind qs_clock_kind = QS_CLOCK_MONOTONIC;
uint64_t (*qs_clock_injected)(void);

uint64_t qs_clock_now_slow(void)
{
	if (qs_clock_kind == QS_CLOCK_INJECTED) return qs_clock_injected();
	return (uint64_t)qs_clock_system(CLOCK_MONOTONIC);
}

// Constant rate in all power states, and the same on all processors.
static bool counter_is_invariant(void)
{
#if defined(__x86_64__)
	unsigned int a, b, c, d;
	if (__get_cpuid(0x80000007, &a, &b, &c, &d) == 0) return false;
	return (d & (1u << 8)) != 0;
#elif defined(__aarch64__)
	return true; // the architecture's generic timer
#else
	return false;
#endif
}

void qs_clock_select(void)
{
	if (qs_clock_kind != QS_CLOCK_INJECTED && counter_is_invariant()) qs_clock_kind = QS_CLOCK_COUNTER;
}

struct qs_clock_sample qs_clock_sample(void)
{
	struct qs_clock_sample best = {0};
	uint64_t best_window = UINT64_MAX;
	for (int attempt = 0; attempt < 64; attempt++) {
		uint64_t before = qs_clock_now();
		int64_t monotonic = qs_clock_system(CLOCK_MONOTONIC);
		uint64_t after = qs_clock_now();
		if (after - before >= best_window) continue;
		best_window = after - before;
		best.ticks = before + (after - before) / 2;
		best.monotonic_ns = monotonic;
	}
	// The distance of the two system clocks does not need the counter: both count at the same rate.
	int64_t first = qs_clock_system(CLOCK_MONOTONIC);
	int64_t realtime = qs_clock_system(CLOCK_REALTIME);
	int64_t second = qs_clock_system(CLOCK_MONOTONIC);
	best.realtime_ns = best.monotonic_ns + (realtime - (first + (second - first) / 2));
	return best;
}

struct qs_clock_calibration qs_clock_calibrate(struct qs_clock_sample first, struct qs_clock_sample last)
{
	struct qs_clock_calibration result;
	result.frequency = 1000000000;
#if defined(__aarch64__)
	if (qs_clock_kind == QS_CLOCK_COUNTER) {
		__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(result.frequency));
	}
#else
	if (qs_clock_kind == QS_CLOCK_COUNTER && last.monotonic_ns > first.monotonic_ns) {
		unsigned __int128 ticks = (unsigned __int128)(last.ticks - first.ticks) * 1000000000u;
		result.frequency = (uint64_t)(ticks / (uint64_t)(last.monotonic_ns - first.monotonic_ns));
	}
#endif
	// Unix time of tick 0.
	__int128 elapsed = (__int128)last.ticks * 1000000000 / result.frequency;
	__int128 origin = (__int128)last.realtime_ns - elapsed;
	int64_t seconds = (int64_t)(origin / 1000000000);
	int64_t rest = (int64_t)(origin % 1000000000);
	if (rest < 0) {
		rest += 1000000000;
		seconds -= 1;
	}
	result.offset_seconds = seconds;
	result.offset_ticks = (uint64_t)((unsigned __int128)rest * result.frequency / 1000000000u);
	return result;
}
