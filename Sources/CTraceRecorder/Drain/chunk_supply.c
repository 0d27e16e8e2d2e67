#define _GNU_SOURCE
#include "chunk_supply.h"

#include "../Events/stream.h"
#include "../System/system_clock.h"
#include "memory_ring.h"
#include "quiet_threads.h"
#include "stream_copy.h"
#include "window.h"

enum {
	LEAST_FREE = 4, // large chunks
	MOST_PARTS = 4, // at most this part of the arena is kept free
	// This part of a full ring is kept free, so that the recorder thread has few and long runs. Further chunks are
	// taken by the threads themselves (memory_ring.h).
	RING_PARTS = 8,
};

static uint32_t target; // number of free large chunks

void qs_chunk_supply_start(void)
{
	target = LEAST_FREE;
	qs_arena_take_shortage();
	qs_arena_set_low(LEAST_FREE / 2);
}

static bool has_less_than(uint32_t chunks)
{
	// A ring that was divided into small chunks by many threads may have no large one.
	if (qs_arena_is_ring()) return qs_arena_free_bytes() < (uint64_t)chunks * QS_LARGE_CHUNK;
	return __atomic_load_n(&qs_arena.free_large, __ATOMIC_RELAXED) < chunks;
}

static bool is_short(void)
{
	return has_less_than(target);
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
			if (stream->packet != NULL) qs_streams_count_closed(stream->packet);
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

// Overwrites the oldest chunks. A quiet thread's chunk is one of them when its last event is older than the ring.
static void overwrite_oldest(uint32_t chunks)
{
	if (target < chunks / RING_PARTS) target = chunks / RING_PARTS;
	qs_memory_ring_free(target); // first, because the threads need them now
	struct qs_quiet_scan scan = {.streams = 0};
	while (qs_quiet_threads_close(&scan, qs_memory_ring_time())) {}
	if (!is_short()) return;
	// Only partly filled chunks are left.
	scan.streams = 0;
	while (qs_quiet_threads_close(&scan, UINT64_MAX)) {}
	qs_memory_ring_free(target);
}

static void note_quiet_threads(void)
{
	int64_t now_ns = qs_clock_system(CLOCK_MONOTONIC);
	for (uint32_t index = 1; index <= qs_streams_count(); index++) qs_quiet_threads_note(qs_stream_at(index), now_ns);
}

static void refill_ring(uint32_t chunks)
{
	qs_memory_ring_close();
	qs_window_apply();
	if (is_short()) overwrite_oldest(chunks);
	note_quiet_threads();
	qs_memory_ring_open();
}

void qs_chunk_supply_refill(void)
{
	__atomic_store_n(&qs_arena.is_exhausted, false, __ATOMIC_RELAXED);
	bool ran_low = qs_arena_take_shortage();
	uint32_t chunks = (uint32_t)(qs_arena.bytes / QS_LARGE_CHUNK);
	// A full ring always runs low.
	if (ran_low && target < chunks / MOST_PARTS && !qs_arena_is_ring()) target *= 2;
	while (is_short() && qs_arena_grow()) {}
	qs_arena_has_record(qs_streams_count() + QS_SEGMENT_STREAMS / 2);
	if (qs_arena_is_ring()) {
		refill_ring(chunks);
	} else {
		if (is_short()) reclaim_from_ended_threads();
		reclaim_from_quiet_threads();
	}
	// While the arena cannot grow, a higher mark would only cause useless wake-ups.
	qs_arena_set_low(is_short() ? 1 : target / 2);
}
