#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

uint64_t (*qs_clock_injected)(void);
int64_t (*qs_clock_injected_system)(clockid_t clock);

// Line that QS_CLOCK_SCALED follows. Written once, before the clock kind.
static struct {
	uint64_t ticks;
	int64_t monotonic_ns;
	uint64_t frequency; // 0: the counter is still in use
} scaled;

static int64_t read_system(clockid_t clock)
{
	return qs_clock_injected_system != NULL ? qs_clock_injected_system(clock) : qs_clock_system(clock);
}

QS_SLOW_PATH uint64_t qs_clock_now_slow(void)
{
	switch (__atomic_load_n(&qs_gate.clock_kind, __ATOMIC_ACQUIRE)) { // pairs with the store in qs_clock_leave_counter
	case QS_CLOCK_INJECTED: return qs_clock_injected();
	case QS_CLOCK_SCALED: {
		int64_t elapsed_ns = read_system(CLOCK_MONOTONIC) - scaled.monotonic_ns;
		return scaled.ticks + (uint64_t)(int64_t)((__int128)elapsed_ns * (int64_t)scaled.frequency / 1000000000);
	}
	default: return (uint64_t)qs_clock_system(CLOCK_MONOTONIC);
	}
}

void qs_clock_leave_counter(uint64_t ticks, int64_t monotonic_ns, uint64_t frequency)
{
	scaled.ticks = ticks;
	scaled.monotonic_ns = monotonic_ns;
	scaled.frequency = frequency;
	// Pairs with the load in qs_clock_now_slow.
	__atomic_store_n(&qs_gate.clock_kind, QS_CLOCK_SCALED, __ATOMIC_RELEASE);
}

// Constant rate in all power states, and equal on all processors.
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

bool qs_clock_counter_is_trusted(const char *path)
{
#if defined(__aarch64__)
	static const char counter[] = "arch_sys_counter\n";
#else
	static const char counter[] = "tsc\n";
#endif
	int saved_errno = errno;
	int file = open(path, O_RDONLY | O_CLOEXEC);
	char name[32];
	ssize_t length = file >= 0 ? read(file, name, sizeof name) : -1;
	if (file >= 0) close(file);
	errno = saved_errno;
	return length == (ssize_t)sizeof counter - 1 && memcmp(name, counter, sizeof counter - 1) == 0;
}

void qs_clock_select(void)
{
	static const char source[] = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
	if (qs_gate.clock_kind == QS_CLOCK_INJECTED) return;
	bool is_counter = scaled.frequency == 0 && counter_is_invariant() && qs_clock_counter_is_trusted(source);
	qs_gate.clock_kind = is_counter ? QS_CLOCK_COUNTER : QS_CLOCK_MONOTONIC;
}

struct qs_clock_sample qs_clock_sample(void)
{
	struct qs_clock_sample best = {0};
	uint64_t best_window = UINT64_MAX;
	for (int attempt = 0; attempt < 64; attempt++) {
		uint64_t before = qs_clock_now();
		int64_t monotonic = read_system(CLOCK_MONOTONIC);
		uint64_t after = qs_clock_now();
		if (after - before >= best_window) continue;
		best_window = after - before;
		best.ticks = before + (after - before) / 2;
		best.monotonic_ns = monotonic;
	}
	// The distances between the system's clocks need no counter: they all run at the same rate.
	int64_t first = read_system(CLOCK_MONOTONIC);
	int64_t realtime = read_system(CLOCK_REALTIME);
	int64_t boottime = read_system(CLOCK_BOOTTIME);
	int64_t second = read_system(CLOCK_MONOTONIC);
	int64_t middle = first + (second - first) / 2;
	best.realtime_ns = best.monotonic_ns + (realtime - middle);
	best.boottime_ns = best.monotonic_ns + (boottime - middle);
	return best;
}

uint64_t qs_clock_ticks_at(int64_t time_ns, const struct qs_clock_sample *first, const struct qs_clock_sample *last)
{
	if (qs_gate.clock_kind == QS_CLOCK_MONOTONIC) return (uint64_t)time_ns;
	int64_t elapsed_ns = last->monotonic_ns - first->monotonic_ns;
	if (elapsed_ns <= 0) return last->ticks;
	__int128 ticks = (__int128)(time_ns - first->monotonic_ns) * (int64_t)(last->ticks - first->ticks) / elapsed_ns;
	return first->ticks + (uint64_t)(int64_t)ticks;
}

struct qs_clock_calibration qs_clock_calibrate(struct qs_clock_sample first, struct qs_clock_sample last)
{
	struct qs_clock_calibration result = {.frequency = 1000000000};
	bool counts_ticks = qs_gate.clock_kind == QS_CLOCK_COUNTER || qs_clock_injected_system != NULL;
	int64_t elapsed_ns = last.monotonic_ns - first.monotonic_ns;
	if (qs_gate.clock_kind == QS_CLOCK_SCALED) {
		result.frequency = scaled.frequency;
		last = first; // the line may have a step between `first` and the last sample
	} else if (counts_ticks && elapsed_ns > 0 && last.ticks > first.ticks) {
		result.frequency =
			(uint64_t)((unsigned __int128)(last.ticks - first.ticks) * 1000000000u / (uint64_t)elapsed_ns);
	}
#if defined(__aarch64__)
	if (qs_gate.clock_kind == QS_CLOCK_COUNTER) __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(result.frequency));
#endif
	if (result.frequency == 0) result.frequency = 1;
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
