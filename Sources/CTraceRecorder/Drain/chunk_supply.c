#define _GNU_SOURCE
#include "chunk_supply.h"

#include "../Events/stream.h"
#include "quiet_threads.h"
#include "stream_copy.h"

enum { LEAST_FREE = 4 }; // large chunks

static uint32_t target; // number of free large chunks

void qs_chunk_supply_start(void)
{
	target = LEAST_FREE;
	qs_arena_take_shortage();
	qs_arena_set_low(LEAST_FREE / 2);
}

static bool is_short(void)
{
	return __atomic_load_n(&qs_arena.free_large, __ATOMIC_RELAXED) < target;
}

// Copies and frees the chunks of streams that no thread owns. Takes one stream at a time, so that threads that start
// during this time find the others.
static void reclaim_from_ended_threads(void)
{
	struct qs_stream *stream;
	while ((stream = qs_stream_take_free()) != NULL) {
		qs_stream_copy(stream, true);
		struct qs_copy *copy = &stream->copy;
		bool is_copied = copy->chunk != 0 && copy->chunk == stream->chunk
			&& copy->done.chunk_bytes
			== qs_content_bytes(((struct qs_packet *)qs_chunk_memory(copy->chunk))->content_size);
		if (is_copied) {
			qs_stream_copy_free_chunk(stream);
			stream->chunk = 0;
			stream->packet = NULL;
		}
		qs_stream_give_back_drained(stream);
	}
}

static void reclaim_from_quiet_threads(void)
{
	struct qs_quiet_scan scan = {.streams = 0};
	while (is_short() && qs_quiet_threads_close(&scan, UINT64_MAX)) {
		for (uint32_t index = 0; index < scan.count; index++) qs_stream_copy(scan.closed[index], true);
	}
}

void qs_chunk_supply_refill(void)
{
	__atomic_store_n(&qs_arena.is_exhausted, false, __ATOMIC_RELAXED);
	bool ran_low = qs_arena_take_shortage();
	uint32_t most = (uint32_t)(qs_arena.bytes / QS_LARGE_CHUNK / 4);
	if (ran_low && target < most) target *= 2;
	while (is_short() && qs_arena_grow()) {}
	qs_arena_has_record(qs_streams_count() + QS_SEGMENT_STREAMS / 2);
	if (is_short()) reclaim_from_ended_threads();
	reclaim_from_quiet_threads();
	// While the arena cannot grow, a higher mark would only cause useless wake-ups.
	qs_arena_set_low(is_short() ? 1 : target / 2);
}
