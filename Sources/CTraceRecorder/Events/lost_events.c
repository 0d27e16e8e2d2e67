#include "lost_events.h"

#include "CTraceRecorder.h"
#include "arena.h"
#include "identity.h"
#include "stream.h"

static uint64_t lost; // atomic

void qs_lost_events_add(uint64_t count)
{
	__atomic_fetch_add(&lost, count, __ATOMIC_RELAXED);
	// Also in the arena, where recovery reads it after the process has ended.
	bool has_arena = qs_identity.lttng == NULL && qs_arena.memory != NULL;
	if (has_arena) __atomic_fetch_add(&qs_arena_head()->lost, count, __ATOMIC_RELAXED);
}

uint64_t qs_lost_events_take(void)
{
	uint64_t count = __atomic_exchange_n(&lost, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&qs_arena_head()->lost, 0, __ATOMIC_RELAXED);
	return count;
}

void qs_lost_events_reset(void)
{
	__atomic_store_n(&lost, 0, __ATOMIC_RELAXED);
}

uint64_t qs_lost_definitions(void)
{
	return __atomic_load_n(&lost, __ATOMIC_RELAXED)
		+ __atomic_load_n(&qs_definitions_stream.discarded, __ATOMIC_RELAXED);
}

uint64_t qs_session_discarded(void)
{
	uint64_t total = qs_lost_definitions();
	for (uint32_t index = 1; index <= qs_streams_count(); index++) {
		total += __atomic_load_n(&qs_stream_at(index)->discarded, __ATOMIC_RELAXED);
	}
	return total;
}
