#include "item_sampling.h"

#include "CTraceRecorder.h"
#include "clock.h"
#include "stream.h"

void qs_item_sampling_set(uint32_t stride)
{
	__atomic_store_n(&qs_gate.item_stride, stride > 1 ? stride : 0, __ATOMIC_RELAXED);
}

uint32_t qs_item_sampling_stride(void)
{
	uint32_t stride = __atomic_load_n(&qs_gate.item_stride, __ATOMIC_RELAXED);
	return stride > 1 ? stride : 1;
}

// SplitMix64's hash, below the stride.
static uint32_t hash_below(uint32_t stride, uint64_t value)
{
	value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
	value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
	return (uint32_t)(value >> 33) & (stride - 1);
}

// A random number below the stride: the hash of the time.
static uint32_t random_below(uint32_t stride, const struct qs_stream *stream)
{
	return hash_below(stride, qs_clock_now() + (uintptr_t)stream * 0x9E3779B97F4A7C15u);
}

bool qs_item_is_skipped(void)
{
	uint32_t stride = __atomic_load_n(&qs_gate.item_stride, __ATOMIC_RELAXED);
	if (stride == 0) return false;
	struct qs_stream *stream = qs_own_stream();
	// The thread has recorded nothing yet, so it has no room for a stratum.
	if (stream == NULL) return random_below(stride, NULL) != 0;
	struct qs_item_stratum *stratum = &stream->stratum;
	// A stratum that a new stride cuts short keeps the probability of its items: the choice was made before.
	if (stratum->left == 0 || stratum->stride != stride) {
		stratum->stride = stratum->left = (uint16_t)stride;
		stratum->chosen = (uint16_t)random_below(stride, stream);
		__atomic_store_n(&stratum->count, stratum->count + 1, __ATOMIC_RELAXED);
	}
	return --stratum->left != stratum->chosen;
}

bool qs_task_is_skipped(uint64_t task)
{
	uint32_t stride = __atomic_load_n(&qs_gate.item_stride, __ATOMIC_RELAXED);
	if (stride == 0) return false;
	if (task != QS_FIRST_TASK && hash_below(stride, task) != 0) return true;
	struct qs_stream *stream = qs_own_stream();
	if (stream != NULL) __atomic_store_n(&stream->stratum.tasks, stream->stratum.tasks + 1, __ATOMIC_RELAXED);
	return false;
}

struct qs_sampling_totals qs_item_sampling_totals(void)
{
	struct qs_sampling_totals totals = {0, 0};
	for (uint32_t index = 1; index <= qs_streams_count(); index++) {
		const struct qs_item_stratum *stratum = &qs_stream_at(index)->stratum;
		totals.strata += __atomic_load_n(&stratum->count, __ATOMIC_RELAXED);
		totals.task_steps += __atomic_load_n(&stratum->tasks, __ATOMIC_RELAXED);
	}
	return totals;
}
