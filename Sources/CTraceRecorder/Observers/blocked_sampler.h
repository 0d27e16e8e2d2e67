// Samples of blocked threads: the place where they wait (blocked_calls.h). A token bucket limits them to
// QS_BLOCKED_SAMPLES_PER_SECOND per second, with bursts of the same number.
#ifndef QS_BLOCKED_SAMPLER_H
#define QS_BLOCKED_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "switch_ring.h"

enum {
	QS_BLOCKED_SAMPLES_PER_SECOND = 250,
	// Off-CPU time after which a thread is sampled.
	QS_BLOCKED_SAMPLE_AFTER_NS = 5 * 1000 * 1000,
};

struct qs_blocked_sampler {
	int64_t spent_until_ns; // CLOCK_MONOTONIC: the samples so far have used the budget up to this time
	int seccomp;            // mode of the calling thread at the start
};

// Starts with a full bucket. Context: the recorder thread.
void qs_blocked_sampler_start(struct qs_blocked_sampler *sampler);

// Whether threads may be sampled: not after the program has installed a system call filter, because the filter may kill
// the process for the recorder's system calls.
bool qs_blocked_sampler_is_allowed(const struct qs_blocked_sampler *sampler);

// Whether a thread that blocked at `left_ns` is to be sampled now. If so, the sample is charged to the bucket.
bool qs_blocked_sampler_is_due(struct qs_blocked_sampler *sampler, int64_t left_ns, int64_t now_ns);

// Samples the thread of this ring, and writes the result with this time into the calling thread's stream, unless the
// thread has run since the ring was last read. Context: the recorder thread.
void qs_blocked_sampler_sample(struct qs_switch_ring *ring, uint32_t tid, uint64_t ticks);

#endif
