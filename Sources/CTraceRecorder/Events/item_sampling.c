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

// A random number below the stride: the hash of the time (SplitMix64's).
static uint32_t random_below(uint32_t stride, const struct qs_stream *stream)
{
	uint64_t value = qs_clock_now() + (uintptr_t)stream * 0x9E3779B97F4A7C15u;
	value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
	value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
	return (uint32_t)(value >> 33) & (stride - 1);
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

uint64_t qs_item_sampling_strata(void)
{
	uint64_t strata = 0;
	for (uint32_t index = 1; index <= qs_streams_count(); index++) {
		strata += __atomic_load_n(&qs_stream_at(index)->stratum.count, __ATOMIC_RELAXED);
	}
	return strata;
}
