#include "clock_watch.h"

#include <stdlib.h>

#include "../Events/event_writing.h"
#include "../Events/identity.h"
#include "../Gate/thread_guard.h"

static struct {
	struct qs_clock_sample first; // start of the line
	struct qs_clock_sample last;
	int64_t due_ns;
	bool has_frequency; // atomic; the first check defines the line
} watch;

int64_t qs_clock_strayed(const struct qs_clock_sample *first, const struct qs_clock_sample *last, uint64_t frequency)
{
	int64_t elapsed_ns = last->monotonic_ns - first->monotonic_ns;
	__int128 counted_ns = (__int128)(int64_t)(last->ticks - first->ticks) * 1000000000 / (int64_t)frequency;
	__int128 strayed_ns = counted_ns - elapsed_ns;
	__int128 tolerance_ns = QS_CLOCK_TOLERANCE_NS + elapsed_ns / 1000;
	if (strayed_ns >= -tolerance_ns && strayed_ns <= tolerance_ns) return 0;
	return strayed_ns > INT64_MAX ? INT64_MAX : strayed_ns < INT64_MIN ? INT64_MIN : (int64_t)strayed_ns;
}

static void start(uint32_t starter_tid)
{
	(void)starter_tid;
	const struct qs_clock_sample *started = &qs_identity.started;
	watch.first = *started;
	watch.last = *started;
	watch.due_ns = started->monotonic_ns + QS_CLOCK_FIRST_WATCH_NS;
	__atomic_store_n(&watch.has_frequency, false, __ATOMIC_RELAXED);
}

// An injected clock without an injected system clock has no reference.
static bool is_injected(void)
{
	return qs_gate.clock_kind == QS_CLOCK_INJECTED && qs_clock_injected_system == NULL;
}

static void record(const struct qs_clock_sample *sample, int64_t strayed_ns)
{
	bool was_inside = qs_thread_inside;
	qs_thread_inside = false;
	qs_record_clock_sync(sample->ticks, (uint64_t)sample->monotonic_ns, (uint64_t)sample->realtime_ns,
		(uint64_t)sample->boottime_ns, strayed_ns);
	qs_thread_inside = was_inside;
}

void qs_clock_record_sync(void)
{
	// LTTng has its own clock, and a recorder that joined writes into a trace that has the other recorder's readings.
	if (is_injected() || qs_identity.is_joined || qs_identity.lttng != NULL) return;
	struct qs_clock_sample sample = qs_clock_sample();
	record(&sample, 0);
}

// Starts from the expected time, or from the counter's value when that is later, so that time never decreases.
static void leave_counter(const struct qs_clock_sample *sample, uint64_t frequency)
{
	int64_t elapsed_ns = sample->monotonic_ns - watch.last.monotonic_ns;
	uint64_t ticks = watch.last.ticks + (uint64_t)((unsigned __int128)(uint64_t)elapsed_ns * frequency / 1000000000u);
	if ((int64_t)(sample->ticks - ticks) > 0) ticks = sample->ticks;
	qs_clock_leave_counter(ticks, sample->monotonic_ns, frequency);
}

static bool can_leave_counter(void)
{
	return qs_gate.clock_kind == QS_CLOCK_COUNTER || qs_gate.clock_kind == QS_CLOCK_INJECTED;
}

static void check(void)
{
	struct qs_clock_sample sample = qs_clock_sample();
	uint64_t frequency = qs_clock_calibrate(watch.first, watch.last).frequency;
	bool is_compared = watch.has_frequency && can_leave_counter();
	int64_t strayed_ns = is_compared ? qs_clock_strayed(&watch.last, &sample, frequency) : 0;
	if (strayed_ns != 0) {
		record(&watch.last, 0);
		leave_counter(&sample, frequency);
		sample = qs_clock_sample();
		record(&sample, strayed_ns);
	} else {
		record(&sample, 0);
	}
	watch.last = sample;
	__atomic_store_n(&watch.has_frequency, true, __ATOMIC_RELAXED);
}

static int64_t tick(int64_t now_ns)
{
	if (is_injected()) return INT64_MAX;
	if (now_ns >= watch.due_ns) {
		check();
		watch.due_ns = qs_clock_next_second(now_ns, watch.first.monotonic_ns);
	}
	return watch.due_ns;
}

bool qs_clock_watch_has_frequency(void)
{
	return __atomic_load_n(&watch.has_frequency, __ATOMIC_RELAXED);
}

const struct qs_observer qs_clock_observer = {.start = start, .tick = tick, .define = qs_clock_record_sync};
