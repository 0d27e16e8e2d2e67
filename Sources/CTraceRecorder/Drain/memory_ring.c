#include "memory_ring.h"

#include <string.h>

#include "../Events/identity.h"
#include "../Events/oldest_chunks.h"
#include "../Events/stream.h"
#include "stream_copy.h"
#include "trace_files.h"

enum { MOST_HEADS = 64 };

// The oldest chunk of a stream that is not in the list yet.
struct head {
	struct qs_stream *stream;
	uint32_t chunk;
	uint64_t time; // of its last event
};

static struct {
	struct head heads[MOST_HEADS]; // full chunks, the oldest at the end
	uint32_t count;
	uint64_t last_time;            // no other head is older
	uint32_t chunks;               // of the list
	struct qs_stream *held;        // its first chunk is not in the list; NULL: none
	bool is_open;                  // threads can take the chunks of the list
	struct qs_stream file;         // for the file `overwritten`
	uint64_t written_time;         // in the file; UINT64_MAX: there is no file
	uint64_t written_number;       // of the packet in the file
} ring;

void qs_memory_ring_start(bool is_wanted)
{
	memset(&ring, 0, sizeof ring);
	qs_arena.keeps_newest = is_wanted;
	ring.file.kind = QS_STREAM_OVERWRITTEN;
	ring.written_time = UINT64_MAX;
}

// MARK: The time

uint64_t qs_memory_ring_time(void)
{
	return __atomic_load_n(&qs_arena_head()->overwritten, __ATOMIC_ACQUIRE);
}

// Number of the packet: see memory_ring.h.
static uint64_t number_at(uint64_t time)
{
	if (time == 0) return 0;
	return time <= __atomic_load_n(&qs_arena_head()->window_begin, __ATOMIC_RELAXED)
		? QS_OVERWRITTEN_BEFORE_WINDOW : QS_OVERWRITTEN_PACKET;
}

void qs_memory_ring_write_time(void)
{
	if (!qs_arena_is_ring()) return;
	uint64_t time = qs_memory_ring_time(), number = number_at(time);
	if (time == ring.written_time && number == ring.written_number) return;
	struct qs_packet packet = {
		.magic = QS_PACKET_MAGIC,
		.stream_instance_id = QS_OVERWRITTEN_STREAM,
		.timestamp_begin = time != 0 ? time : qs_identity.started.ticks,
		.content_size = QS_PACKET_HEAD * 8,
		.packet_size = QS_PACKET_HEAD * 8,
		.packet_seq_num = number,
	};
	packet.timestamp_end = packet.timestamp_begin;
	memcpy(packet.uuid, qs_identity.uuid, sizeof packet.uuid);
	struct iovec head = {&packet, QS_PACKET_HEAD};
	// Where the write fails, the writes of the events fail too, and are tried again.
	if (qs_trace_file_write(&ring.file, &head, 1, 0) != 0) return;
	ring.written_time = time;
	ring.written_number = number;
}

void qs_memory_ring_finish(void)
{
	qs_trace_file_finish(&ring.file);
}

// MARK: The list of the oldest chunks

// Whether the owner of the stream writes no more into the chunk.
static bool is_full(const struct qs_stream *stream, uint32_t chunk)
{
	return __atomic_load_n(&qs_chunk_entry(chunk)->next, __ATOMIC_ACQUIRE) != 0 || stream->copy.is_closed;
}

// Adds a chunk of the stream to the heads, unless it is not full, or newer than all of a full list.
static void add_head(struct qs_stream *stream, uint32_t chunk)
{
	if (!is_full(stream, chunk)) return;
	uint64_t time = ((const struct qs_packet *)qs_chunk_memory(chunk))->timestamp_end;
	if (time >= ring.last_time) return;
	if (ring.count == MOST_HEADS) {
		uint64_t newest = ring.heads[0].time;
		ring.last_time = time > newest ? time : newest;
		if (time >= newest) return;
		ring.count -= 1;
		memmove(ring.heads, ring.heads + 1, ring.count * sizeof *ring.heads);
	}
	uint32_t place = ring.count++;
	for (; place > 0 && ring.heads[place - 1].time < time; place--) ring.heads[place] = ring.heads[place - 1];
	ring.heads[place] = (struct head){stream, chunk, time};
}

static bool is_copied(const struct qs_stream *stream, uint32_t chunk)
{
	uint64_t content = ((const struct qs_packet *)qs_chunk_memory(chunk))->content_size;
	return chunk == stream->copy.chunk && stream->copy.done.chunk_bytes >= qs_content_bytes(content);
}

static void add_first(struct qs_stream *stream)
{
	if (!qs_stream_copy_has_chunk(stream)) return;
	uint32_t chunk = stream->copy.chunk;
	if (stream == ring.held) chunk = __atomic_load_n(&qs_chunk_entry(chunk)->next, __ATOMIC_ACQUIRE);
	if (chunk != 0) add_head(stream, chunk);
}

// Makes the list of the oldest chunks of all streams, without the first chunk of `held`, which may be NULL.
static void make_list(struct qs_stream *held)
{
	ring.held = held;
	ring.count = 0;
	ring.last_time = UINT64_MAX;
	for (uint32_t index = 1; index <= qs_streams_count(); index++) add_first(qs_stream_at(index));
	while (ring.count > 0 && ring.chunks < QS_MOST_OLDEST_CHUNKS) {
		struct head oldest = ring.heads[--ring.count];
		const struct qs_chunk *entry = qs_chunk_entry(oldest.chunk);
		struct qs_old_chunk *chunk = &qs_oldest_chunks()[ring.chunks++];
		chunk->stream = oldest.stream->index;
		chunk->order = entry->order;
		chunk->next = __atomic_load_n(&entry->next, __ATOMIC_ACQUIRE);
		__atomic_store_n(&chunk->chunk, oldest.chunk, __ATOMIC_RELAXED);
		__atomic_store_n(&chunk->time, oldest.time, __ATOMIC_RELAXED);
		__atomic_store_n(&chunk->is_copied, is_copied(oldest.stream, oldest.chunk), __ATOMIC_RELAXED);
		oldest.stream->copy.is_listed = true;
		if (chunk->next != 0) add_head(oldest.stream, chunk->next);
	}
}

static void note_gap(struct qs_stream *stream, const struct qs_old_chunk *chunk)
{
	if (!chunk->is_copied) qs_stream_copy_note_gap(stream);
}

static void forget_list(void)
{
	const struct qs_old_chunk *chunks = qs_oldest_chunks();
	for (uint32_t index = 0; index < ring.chunks; index++) qs_stream_at(chunks[index].stream)->copy.is_listed = false;
	ring.chunks = 0;
}

void qs_memory_ring_close(void)
{
	uint32_t taken = qs_oldest_chunks_close();
	ring.is_open = false;
	const struct qs_old_chunk *chunks = qs_oldest_chunks();
	// First without an access to the chunks, because all but the last one of a stream may be in another stream by now.
	for (uint32_t index = 0; index < taken; index++) {
		struct qs_stream *stream = qs_stream_at(chunks[index].stream);
		note_gap(stream, &chunks[index]);
		if (stream == ring.held) qs_chunk_entry(stream->copy.chunk)->next = chunks[index].next;
		else stream->copy.chunk = chunks[index].next;
		// The thread that has taken it may not have noted the time yet.
		if (!chunks[index].is_copied) qs_arena_note_overwritten(chunks[index].time);
	}
	for (uint32_t index = 0; index < taken; index++) {
		struct qs_stream *stream = qs_stream_at(chunks[index].stream);
		uint32_t next = chunks[index].next;
		if (stream->copy.chunk == next) qs_stream_copy_skip(stream, chunks[index].order, next);
	}
	forget_list();
}

static void open_list(struct qs_stream *held)
{
	make_list(held);
	qs_oldest_chunks_open(ring.chunks);
	ring.is_open = true;
}

void qs_memory_ring_open(void)
{
	open_list(NULL);
}

void qs_memory_ring_hold(struct qs_stream *stream)
{
	if (ring.is_open && !stream->copy.is_listed) return;
	qs_memory_ring_close();
	open_list(stream);
}

// MARK: Free chunks

static void overwrite(const struct qs_old_chunk *chunk)
{
	struct qs_stream *stream = qs_stream_at(chunk->stream);
	note_gap(stream, chunk);
	if (!chunk->is_copied) qs_arena_note_overwritten(chunk->time);
	qs_stream_copy_free_chunk(stream);
}

void qs_memory_ring_free_before(uint64_t time)
{
	bool is_done = false;
	while (!is_done) {
		make_list(NULL);
		uint32_t index = 0;
		for (; index < ring.chunks && qs_oldest_chunks()[index].time < time; index++) {
			overwrite(&qs_oldest_chunks()[index]);
		}
		is_done = ring.chunks == 0 || index < ring.chunks;
		forget_list();
	}
}

void qs_memory_ring_free(uint32_t chunks)
{
	bool is_enough = false;
	bool has_any;
	do {
		make_list(NULL);
		has_any = ring.chunks > 0;
		for (uint32_t index = 0; index < ring.chunks && !is_enough; index++) {
			overwrite(&qs_oldest_chunks()[index]);
			is_enough = qs_arena_free_bytes() >= (uint64_t)chunks * QS_LARGE_CHUNK;
		}
		forget_list();
	} while (has_any && !is_enough);
}
