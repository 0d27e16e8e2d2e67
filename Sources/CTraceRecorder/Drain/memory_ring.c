#include "memory_ring.h"

#include <string.h>

#include "../Events/stream.h"
#include "stream_copy.h"

enum { MOST_HEADS = 64 };

// The first chunk of a stream, which is full.
struct head {
	struct qs_stream *stream;
	uint64_t end_time;
};

static struct {
	bool is_wanted;
	uint64_t time;         // of the newest event that was overwritten
	struct head heads[MOST_HEADS]; // the oldest ones, the oldest at the end
	uint32_t count;
	uint64_t last_time;    // no other head is older
} ring;

void qs_memory_ring_start(bool is_wanted)
{
	memset(&ring, 0, sizeof ring);
	ring.is_wanted = is_wanted;
}

bool qs_memory_ring_is_on(void)
{
	return ring.is_wanted && qs_arena_outlives_process();
}

uint64_t qs_memory_ring_time(void)
{
	return ring.time;
}

// MARK: The oldest chunks

// Adds the stream's first chunk, unless the owner may still write into it, or it is newer than all of a full list.
static void add_head(struct qs_stream *stream)
{
	if (!qs_stream_copy_has_chunk(stream)) return;
	uint32_t chunk = stream->copy.chunk;
	bool is_full = __atomic_load_n(&qs_chunk_entry(chunk)->next, __ATOMIC_ACQUIRE) != 0 || stream->copy.is_closed;
	uint64_t end_time = ((const struct qs_packet *)qs_chunk_memory(chunk))->timestamp_end;
	if (!is_full || end_time >= ring.last_time) return;
	if (ring.count == MOST_HEADS) {
		uint64_t newest = ring.heads[0].end_time;
		ring.last_time = end_time > newest ? end_time : newest;
		if (end_time >= newest) return;
		ring.count -= 1;
		memmove(ring.heads, ring.heads + 1, ring.count * sizeof *ring.heads);
	}
	uint32_t place = ring.count++;
	for (; place > 0 && ring.heads[place - 1].end_time < end_time; place--) ring.heads[place] = ring.heads[place - 1];
	ring.heads[place] = (struct head){stream, end_time};
}

static void find_oldest(void)
{
	ring.count = 0;
	ring.last_time = UINT64_MAX;
	for (uint32_t index = 1; index <= qs_streams_count(); index++) add_head(qs_stream_at(index));
}

// Frees the oldest chunk of the list. The number of the stream's next packet shows that events are missing before it.
static void overwrite_oldest(void)
{
	struct head oldest = ring.heads[--ring.count];
	struct qs_copy *copy = &oldest.stream->copy;
	uint64_t content = ((const struct qs_packet *)qs_chunk_memory(copy->chunk))->content_size;
	bool is_copied = copy->done.chunk_bytes >= qs_content_bytes(content);
	if (!is_copied && !copy->has_gap) {
		copy->done.packets += 1;
		copy->has_gap = true;
	}
	ring.time = oldest.end_time;
	qs_stream_copy_free_chunk(oldest.stream);
	add_head(oldest.stream);
}

void qs_memory_ring_free(uint32_t chunks)
{
	for (;;) {
		find_oldest();
		if (ring.count == 0) return;
		for (; ring.count > 0; overwrite_oldest()) {
			if (qs_arena_free_bytes() >= (uint64_t)chunks * QS_LARGE_CHUNK) return;
		}
	}
}
