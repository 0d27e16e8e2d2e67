#include "blocked_sampler.h"

#include <string.h>

#include "../Events/event_writing.h"
#include "../Gate/thread_guard.h"
#include "blocked_calls.h"
#include "switch_reader.h"

enum { SAMPLES_PER_SECOND = 250 };

static const int64_t SECOND_NS = 1000 * 1000 * 1000;

// CLOCK_MONOTONIC: the samples so far have used the budget up to this time.
static int64_t spent_until_ns;

static void start(uint32_t starter_tid)
{
	(void)starter_tid;
	spent_until_ns = 0;
}

// Whether the budget allows a sample now. If so, the sample is charged to the bucket.
static bool is_affordable(int64_t now_ns)
{
	if (spent_until_ns < now_ns - SECOND_NS) spent_until_ns = now_ns - SECOND_NS;
	if (spent_until_ns >= now_ns) return false;
	spent_until_ns += SECOND_NS / SAMPLES_PER_SECOND;
	return true;
}

// Samples a blocked thread, and writes the result, unless the thread has run since its ring was last read. Returns
// false if the thread has to wait for the budget.
static bool sample(struct qs_switch_ring *ring, uint32_t tid, int64_t now_ns)
{
	if (!is_affordable(now_ns) || !qs_blocked_calls_are_allowed()) return false;
	struct qs_blocked_call call;
	if (qs_switch_ring_fill(ring) > 0 || !qs_blocked_call_read(tid, &call)) return true;
	qs_thread_inside = false;
	uint32_t stack = qs_define_stack(call.frames, call.count);
	qs_thread_inside = true;
	// The thread ran in the meantime, so the sampled call may be over.
	if (qs_switch_ring_fill(ring) == 0) {
		qs_record_blocked_call(tid, call.name, strlen(call.name), stack, call.descriptor);
	}
	return true;
}

static int64_t tick(int64_t now_ns)
{
	(void)now_ns;
	qs_switch_reader_visit_blocked(sample);
	// The switch reader reads the rings when a thread has been blocked for long enough.
	return INT64_MAX;
}

static void stop(void)
{
	qs_switch_reader_read();
	qs_switch_reader_visit_blocked(sample);
}

const struct qs_observer qs_blocked_observer = {.start = start, .tick = tick, .stop = stop};
