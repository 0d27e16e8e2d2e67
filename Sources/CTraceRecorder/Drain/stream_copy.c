#define _GNU_SOURCE
#include "stream_copy.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "../Events/lost_events.h"
#include "../Events/stream.h"
#include "../System/system_clock.h"
#include "overwriting.h"
#include "trace_files.h"
#include "trace_size.h"

enum {
	// Attempts to read a packet consistently before it is left for the next run: its owner may write an event between
	// two loads.
	READINGS = 100,
	// Attempts in one run to remove packets before a gap while a reader has the trace open: 100 ms.
	ATTEMPTS = 20,
};

// Pause after a write that failed for lack of room.
static const int64_t RETRY_NS = 100 * 1000 * 1000;

static struct {
	uint64_t bytes;   // of events that were copied in this run
	int64_t retry_ns; // time of the next attempt after a failed write; 0: none failed
	int attempts;     // left to remove packets before a gap
	bool is_last;     // a write that fails now is not tried again
	bool is_refused;  // the rest stays in the arena
} run;

void qs_stream_copy_start(void)
{
	memset(&run, 0, sizeof run);
}

bool qs_stream_copy_begin_run(int64_t now_ns)
{
	run.bytes = 0;
	run.attempts = ATTEMPTS;
	if (run.retry_ns != 0 && now_ns < run.retry_ns) return false;
	run.retry_ns = 0;
	return true;
}

void qs_stream_copy_begin_last_run(void)
{
	run.is_last = true;
	run.retry_ns = 0;
}

bool qs_stream_copy_is_paused(void)
{
	return run.retry_ns != 0;
}

bool qs_stream_copy_is_refused(void)
{
	return run.is_refused;
}

uint64_t qs_stream_copy_bytes(void)
{
	return run.bytes;
}

// MARK: Writing

// Writes the progress into the invalid entry, then makes that entry the valid one.
void qs_stream_copy_commit(struct qs_stream *stream)
{
	struct qs_stream_record *record = qs_arena_record(stream->index);
	uint32_t committed = record->committed + 1;
	record->copied[committed & 1] = stream->copy.done;
	__atomic_store_n(&record->committed, committed, __ATOMIC_RELEASE);
}

void qs_stream_copy_discard(struct qs_stream *stream, uint32_t count)
{
	// Same order as in qs_stream_discard.
	__atomic_fetch_add(&qs_arena_record(stream->index)->discarded, count, __ATOMIC_RELAXED);
	__atomic_fetch_add(&stream->discarded, count, __ATOMIC_RELEASE);
}

// Writes these events as a packet. Returns 0, or errno.
static int write_packet(struct qs_stream *stream, const struct qs_packet *source, const unsigned char *events,
	size_t bytes, uint32_t count, uint64_t end_time)
{
	struct qs_copy *copy = &stream->copy;
	if (copy->has_gap) qs_trace_size_remove_events(qs_overwrite_before_gap(stream, &run.attempts));
	struct qs_packet packet;
	memcpy(&packet, source, QS_PACKET_HEAD);
	uint64_t size = QS_PACKET_HEAD + bytes;
	packet.timestamp_begin = copy->begin;
	packet.timestamp_end = end_time;
	packet.content_size = size * 8;
	packet.packet_size = size * 8;
	packet.packet_seq_num = copy->done.packets;
	packet.events_discarded = __atomic_load_n(&stream->discarded, __ATOMIC_ACQUIRE);
	packet.tid = copy->tid;
	packet.event_count = count;
	struct iovec parts[] = {{&packet, QS_PACKET_HEAD}, {(void *)events, bytes}};
	bool is_definition = stream == &qs_definitions_stream;
	int error = qs_trace_size_admit(size, is_definition);
	if (error == 0) error = qs_trace_file_write(stream, parts, 2, copy->done.file_end);
	if (error != 0) return error;
	qs_trace_size_add(size, is_definition);
	copy->stated = packet.events_discarded;
	copy->has_gap = false;
	copy->done.file_end += size;
	copy->done.packets += 1;
	copy->done.last_packet = (uint32_t)size;
	return 0;
}

void qs_stream_copy_note_gap(struct qs_stream *stream)
{
	if (stream->copy.has_gap) return;
	stream->copy.done.packets += 1;
	stream->copy.has_gap = true;
}

static bool is_before_window(const struct qs_stream *stream, uint64_t end_time)
{
	return stream != &qs_definitions_stream
		&& end_time < __atomic_load_n(&qs_arena_head()->window_begin, __ATOMIC_RELAXED);
}

// Leaves out events from before the window, in a chunk with later events. Returns 0.
static int skip_events(struct qs_stream *stream, uint64_t end_time)
{
	qs_arena_note_overwritten(end_time);
	qs_stream_copy_note_gap(stream);
	return 0;
}

static bool has_file_size_limit(void)
{
	struct rlimit size;
	return getrlimit(RLIMIT_FSIZE, &size) == 0 && size.rlim_cur != RLIM_INFINITY;
}

// Whether the write may succeed later, in this process or in the reader that recovers the arena.
static bool is_passing(int error)
{
	bool is_limit = error == EDQUOT && qs_trace_size_has_limit();
	return !run.is_last && !is_limit && (error != EFBIG || has_file_size_limit());
}

// Whether this process is not allowed to write, although another one may be (such as the command that reads the trace):
// because of a system call filter, a changed user, no free descriptors, or RLIMIT_FSIZE. A deleted directory is not
// included, because then no reader can find the arena.
static bool is_refusal(int error)
{
	return error == EPERM || error == EACCES || error == ENOSYS || error == EMFILE || error == ENFILE || error == EROFS
		|| (error == EFBIG && has_file_size_limit());
}

// Copies the events of `content` from the packet `source`. Returns false when the copy has to be repeated later.
static bool copy_events(struct qs_stream *stream, const struct qs_packet *source, uint64_t content, uint64_t end_time)
{
	struct qs_copy *copy = &stream->copy;
	const unsigned char *bytes = (const unsigned char *)source;
	uint32_t chunk_bytes = qs_chunk_entry(copy->chunk)->bytes;
	uint32_t end = qs_content_bytes(content);
	uint32_t owners = __atomic_load_n(&source->event_count, __ATOMIC_ACQUIRE);
	if (owners > chunk_bytes / sizeof(struct qs_owner)) owners = 0;
	while (copy->done.chunk_bytes < end) {
		// The events up to here have one owner.
		uint32_t to = end, events = qs_content_events(content), next_tid = copy->tid;
		uint64_t time = end_time;
		bool is_reached = false;
		if (copy->owner < owners) {
			const struct qs_owner *next = qs_packet_owner((struct qs_packet *)source, chunk_bytes, copy->owner);
			is_reached = next->offset <= end; // otherwise it owns no event yet
			if (is_reached) {
				to = next->offset;
				events = next->events;
				next_tid = next->tid;
				time = next->time;
			}
		}
		uint32_t from = copy->done.chunk_bytes;
		uint32_t length = to > from ? to - from : 0;
		uint32_t count = events - copy->events;
		if (length != 0) {
			int error = is_before_window(stream, time) ? skip_events(stream, time)
				: write_packet(stream, source, bytes + from, length, count, time);
			if (error != 0 && is_passing(error)) {
				run.retry_ns = qs_clock_system(CLOCK_MONOTONIC) + RETRY_NS;
				return false;
			}
			if (error != 0 && qs_arena_outlives_process() && is_refusal(error)) {
				run.is_refused = true;
				return false;
			}
			if (error != 0) qs_stream_copy_discard(stream, count);
		}
		run.bytes += length;
		copy->owner += is_reached;
		copy->tid = next_tid;
		copy->begin = time;
		copy->events = events;
		copy->done.chunk_bytes = from + length;
		qs_stream_copy_commit(stream);
	}
	return true;
}

// MARK: Chunks

static void begin_chunk(struct qs_stream *stream, uint32_t chunk)
{
	struct qs_copy *copy = &stream->copy;
	const struct qs_packet *packet = (const struct qs_packet *)qs_chunk_memory(chunk);
	copy->chunk = chunk;
	copy->owner = 0;
	copy->tid = packet->tid;
	copy->events = 0;
	copy->begin = packet->timestamp_begin;
	copy->done.order = qs_chunk_entry(chunk)->order;
	copy->done.chunk_bytes = QS_PACKET_HEAD;
}

// Reads a chunk's content_size, and the time of its last event or of a later one. Returns 0 when the owner writes too
// fast for a consistent reading.
static uint64_t read_content(const struct qs_packet *packet, uint64_t *end_time)
{
	uint64_t content = __atomic_load_n(&packet->content_size, __ATOMIC_ACQUIRE);
	for (int reading = 0; reading < READINGS; reading++) {
		*end_time = __atomic_load_n(&packet->timestamp_end, __ATOMIC_ACQUIRE);
		uint64_t again = __atomic_load_n(&packet->content_size, __ATOMIC_ACQUIRE);
		if (again == content) return content;
		content = again;
	}
	return 0;
}

static bool copy_chunk(struct qs_stream *stream)
{
	const struct qs_packet *packet = (const struct qs_packet *)qs_chunk_memory(stream->copy.chunk);
	uint64_t end_time;
	uint64_t content = read_content(packet, &end_time);
	// A size beyond the chunk can come from a stray pointer of the program. Ignore it.
	if (qs_content_bytes(content) > qs_chunk_entry(stream->copy.chunk)->bytes) content = 0;
	return copy_events(stream, packet, content, end_time);
}

void qs_stream_copy_skip(struct qs_stream *stream, uint32_t order, uint32_t next)
{
	struct qs_copy *copy = &stream->copy;
	if (next != 0) {
		begin_chunk(stream, next);
	} else {
		// The stream's next chunk passes through `first`.
		copy->chunk = 0;
		copy->is_closed = false;
		copy->done.order = order + 1;
		copy->done.chunk_bytes = QS_PACKET_HEAD;
	}
	qs_stream_copy_commit(stream);
}

void qs_stream_copy_free_chunk(struct qs_stream *stream)
{
	struct qs_copy *copy = &stream->copy;
	uint32_t chunk = copy->chunk;
	qs_stream_copy_skip(stream, copy->done.order, __atomic_load_n(&qs_chunk_entry(chunk)->next, __ATOMIC_ACQUIRE));
	qs_chunk_give(chunk);
}

bool qs_stream_copy_has_chunk(struct qs_stream *stream)
{
	if (stream->copy.chunk != 0) return true;
	// Pairs with the store in use_chunk.
	uint32_t first = __atomic_exchange_n(&stream->first, 0, __ATOMIC_ACQUIRE);
	if (first != 0) begin_chunk(stream, first);
	return first != 0;
}

uint32_t qs_stream_copy_last_chunk(struct qs_stream *stream)
{
	if (!qs_stream_copy_has_chunk(stream)) return 0;
	uint32_t last = stream->copy.chunk;
	for (;;) {
		uint32_t next = __atomic_load_n(&qs_chunk_entry(last)->next, __ATOMIC_ACQUIRE);
		if (next == 0 && stream->copy.is_closed) {
			// Pairs with the store in use_chunk. The owner has no reference to the closed chunk.
			next = __atomic_exchange_n(&stream->first, 0, __ATOMIC_ACQUIRE);
			if (next == 0) return last;
			qs_chunk_entry(last)->next = next;
			stream->copy.is_closed = false;
		}
		if (next == 0) return last;
		last = next;
	}
}

bool qs_stream_copy_first(struct qs_stream *stream, bool with_partial)
{
	if (!qs_stream_copy_has_chunk(stream)) return false;
	const struct qs_copy *copy = &stream->copy;
	// Before the content is read: a chunk that has a successor is complete.
	bool has_next = __atomic_load_n(&qs_chunk_entry(copy->chunk)->next, __ATOMIC_ACQUIRE) != 0;
	bool is_complete = has_next || copy->is_closed;
	if (!is_complete && !with_partial) return false;
	return copy_chunk(stream) && is_complete;
}

void qs_stream_copy(struct qs_stream *stream, bool with_partial)
{
	while (qs_stream_copy_first(stream, with_partial)) qs_stream_copy_free_chunk(stream);
}

// MARK: Discarded events

// Writes the number of discarded definitions when there was no room for any packet. The file has reserved room for it.
static int write_empty_packet(struct qs_stream *stream, uint64_t discarded)
{
	if (stream->chunk == 0) return 0;
	const struct qs_packet *source = (const struct qs_packet *)qs_chunk_memory(stream->chunk);
	struct qs_packet packet;
	memcpy(&packet, source, QS_PACKET_HEAD);
	packet.content_size = QS_PACKET_HEAD * 8;
	packet.packet_size = QS_PACKET_HEAD * 8;
	packet.packet_seq_num = 0;
	packet.events_discarded = discarded;
	packet.event_count = 0;
	struct iovec head = {&packet, QS_PACKET_HEAD};
	int error = qs_trace_file_write(stream, &head, 1, 0);
	if (error == 0) stream->copy.done.file_end = QS_PACKET_HEAD;
	return error;
}

// Writes the number into the head of the file's last packet, which was written before some events were discarded.
static int write_into_last_packet(struct qs_stream *stream, uint64_t discarded)
{
	const struct qs_copied *done = &stream->copy.done;
	struct iovec number = {&discarded, sizeof discarded};
	uint64_t place = done->file_end - done->last_packet + offsetof(struct qs_packet, events_discarded);
	return qs_trace_file_write(stream, &number, 1, place);
}

// Writes the number of discarded events into the stream's file, or adds it to the number of the definitions stream.
void qs_stream_copy_write_discarded(struct qs_stream *stream)
{
	struct qs_copy *copy = &stream->copy;
	uint64_t discarded = __atomic_load_n(&stream->discarded, __ATOMIC_ACQUIRE);
	bool has_packets = copy->done.last_packet != 0;
	bool is_definitions = stream == &qs_definitions_stream;
	if (discarded == copy->stated) return;
	int error = 0;
	if (has_packets) error = write_into_last_packet(stream, discarded);
	else if (is_definitions) error = write_empty_packet(stream, discarded);
	if (error != 0 && qs_arena_outlives_process() && is_refusal(error)) {
		run.is_refused = true; // the process that completes the trace writes it
		return;
	}
	if (!is_definitions && (error != 0 || !has_packets)) {
		qs_lost_events_add(discarded - copy->stated);
		__atomic_store_n(&qs_arena_record(stream->index)->discarded, copy->stated, __ATOMIC_RELAXED);
		__atomic_store_n(&stream->discarded, copy->stated, __ATOMIC_RELAXED);
	} else if (error == 0) {
		copy->stated = discarded;
	}
}
