#include "blocked_sampler.h"

#include <string.h>
#include <sys/prctl.h>

#include "../Events/event_writing.h"
#include "../Gate/thread_guard.h"
#include "blocked_calls.h"

void qs_blocked_sampler_start(struct qs_blocked_sampler *sampler)
{
	*sampler = (struct qs_blocked_sampler){.seccomp = prctl(PR_GET_SECCOMP)};
}

bool qs_blocked_sampler_is_allowed(const struct qs_blocked_sampler *sampler)
{
	return prctl(PR_GET_SECCOMP) == sampler->seccomp;
}

bool qs_blocked_sampler_is_due(struct qs_blocked_sampler *sampler, int64_t left_ns, int64_t now_ns)
{
	const int64_t second_ns = 1000 * 1000 * 1000;
	if (now_ns - left_ns < QS_BLOCKED_SAMPLE_AFTER_NS) return false;
	if (sampler->spent_until_ns < now_ns - second_ns) sampler->spent_until_ns = now_ns - second_ns;
	if (sampler->spent_until_ns >= now_ns) return false;
	sampler->spent_until_ns += second_ns / QS_BLOCKED_SAMPLES_PER_SECOND;
	return qs_blocked_sampler_is_allowed(sampler);
}

void qs_blocked_sampler_sample(struct qs_switch_ring *ring, uint32_t tid, uint64_t ticks)
{
	struct qs_blocked_call call;
	if (qs_switch_ring_fill(ring) > 0 || !qs_blocked_call_read(tid, &call)) return;
	qs_thread_inside = false;
	uint32_t stack = qs_define_stack(call.frames, call.count);
	qs_thread_inside = true;
	// The thread ran in the meantime, so the sampled call may be over.
	if (qs_switch_ring_fill(ring) > 0) return;
	qs_thread_stream->kernel_time = ticks;
	qs_record_blocked_call(tid, call.name, strlen(call.name), stack);
}
