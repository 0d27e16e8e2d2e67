#include "event_writing.h"

#include <unistd.h>

#include "../Gate/thread_guard.h"
#include "identity.h"
#include "lost_events.h"
#include "stream.h"

enum {
	JOIN_ATTEMPTS = 4,
	// Events of a thread that are discarded during one event of the same thread.
	MOST_REFUSED = 8,
};

// Writes the header of an event at this time. The caller has checked the room.
static unsigned char *write_header(struct qs_stream *stream, uint8_t id, uint64_t time)
{
	unsigned char *cursor = stream->cursor;
	if ((time - stream->last_time) >> 32 == 0) {
		cursor = qs_store_u8(cursor, id);
		return qs_store_u32(cursor, (uint32_t)time);
	}
	cursor = qs_store_u8(cursor, QS_EXTENDED_ID);
	cursor = qs_store_u32(cursor, id);
	return qs_store_u64(cursor, time);
}

// Reserves the room and writes the header. `writing` is set, or the definitions lock is held.
static unsigned char *begin_in_stream(struct qs_stream *stream, uint8_t id, size_t payload, uint64_t time)
{
	// The counter of this processor can be a little behind the counter of the thread's previous processor. A stream's
	// time never decreases.
	if ((int64_t)(time - stream->last_time) < 0) time = stream->last_time;
	size_t need = payload + QS_EXTENDED_HEADER;
	// A definitions stream begins without a chunk.
	bool has_room = (uintptr_t)stream->cursor + need <= (uintptr_t)stream->limit;
	if (!has_room && !qs_stream_next_packet(stream, need, time)) {
		qs_stream_lose(stream, time);
		return NULL;
	}
	stream->event_time = time;
	return write_header(stream, id, time);
}

// Starts an event for LTTng. The process id and the thread id precede the payload; definitions have thread id 0.
// `writing` is set, or the definitions lock is held.
static unsigned char *begin_on_stage(struct qs_stream *stream, uint8_t id, size_t payload, uint32_t tid)
{
	if (payload + QS_EXTENDED_HEADER + QS_STORE_SLACK > QS_STAGE_BYTES) {
		qs_stream_discard(stream);
		return NULL;
	}
	stream->staged_id = id;
	unsigned char *cursor = qs_store_u32(stream->stage, qs_identity.pid);
	return qs_store_u32(cursor, tid);
}

// Ends an event of a stream with packets or with a stage.
static void end_in_stream(struct qs_stream *stream, unsigned char *cursor)
{
	if (stream->packet == NULL) {
		qs_identity.lttng->emit(stream->staged_id, stream->stage, (size_t)(cursor - stream->stage));
	} else {
		qs_event_commit(&(struct qs_writing){stream, stream->cursor, stream->event_time}, cursor);
	}
	atomic_signal_fence(memory_order_seq_cst);
	__atomic_store_n(&stream->writing, 0, __ATOMIC_RELEASE);
}

void qs_event_end_slow(const struct qs_writing *writing, unsigned char *cursor)
{
	end_in_stream(writing->stream, cursor);
}

// Whether the stream, which may be NULL, belongs to the recording session.
static bool is_in_session(const struct qs_stream *stream, const struct qs_lttng_port *lttng)
{
	uint32_t epoch = __atomic_load_n(&qs_gate.epoch, __ATOMIC_RELAXED);
	if (stream == NULL || epoch == 0) return false;
	return lttng != NULL ? stream->stage != NULL : __atomic_load_n(&stream->epoch, __ATOMIC_RELAXED) == epoch;
}

// Whether the event that the stream's owner is writing was probably left by siglongjmp: the owner has tried to record
// several events since, and the one in progress has not ended.
static bool is_left(struct qs_stream *stream)
{
	if (stream->packet == NULL) return false; // for LTTng, the cursor is the same for every event
	if (stream->refused_at != stream->cursor) stream->refused = 0;
	stream->refused_at = stream->cursor;
	return ++stream->refused == MOST_REFUSED;
}

unsigned char *qs_event_begin_slow(struct qs_writing *writing, uint8_t id, size_t payload)
{
	struct qs_stream *stream = qs_own_stream();
	// Also after the session has stopped, for records from before the stop.
	if (stream != NULL && stream->kind == QS_STREAM_KERNEL && !stream->writing) {
		writing->stream = stream;
		__atomic_store_n(&stream->writing, 1, __ATOMIC_RELAXED);
		unsigned char *cursor = begin_in_stream(stream, id, payload, stream->kernel_time);
		if (cursor == NULL) __atomic_store_n(&stream->writing, 0, __ATOMIC_RELEASE);
		return cursor;
	}
	if (!qs_is_recording()) return NULL;
	const struct qs_lttng_port *lttng = __atomic_load_n(&qs_identity.lttng, __ATOMIC_RELAXED);
	if (lttng != NULL && !lttng->is_enabled(id)) return NULL;
	// This is a signal handler that interrupted a writer, or the thread has left a writer by siglongjmp.
	if (stream != NULL && __atomic_load_n(&stream->writing, __ATOMIC_RELAXED)) {
		qs_stream_discard(stream);
		if (!qs_thread_inside && is_left(stream)) qs_stream_leave(stream);
		return NULL;
	}
	if (qs_thread_inside) {
		qs_lost_events_add(1);
		return NULL;
	}
	// The recorder thread may close the chunk of a thread that was quiet until now, so that it has to join again.
	bool is_lost = true;
	for (int attempt = 0; attempt < JOIN_ATTEMPTS && qs_is_recording(); attempt++) {
		if (!is_in_session(stream, lttng)) stream = qs_stream_attach(&is_lost);
		if (stream == NULL) break;
		writing->stream = stream;
		__atomic_store_n(&stream->writing, 1, __ATOMIC_RELAXED);
		atomic_signal_fence(memory_order_seq_cst);
		if (is_in_session(stream, lttng)) {
			unsigned char *cursor = lttng != NULL ? begin_on_stage(stream, id, payload, stream->tid)
				: begin_in_stream(stream, id, payload, qs_clock_now());
			if (cursor == NULL) __atomic_store_n(&stream->writing, 0, __ATOMIC_RELEASE);
			return cursor;
		}
		__atomic_store_n(&stream->writing, 0, __ATOMIC_RELEASE);
	}
	// Not counted when the session stopped during the call.
	if (is_lost && qs_is_recording()) qs_lost_events_add(1);
	return NULL;
}

unsigned char *qs_definition_begin(uint8_t id, size_t payload)
{
	if (!qs_is_recording()) return NULL;
	const struct qs_lttng_port *lttng = __atomic_load_n(&qs_identity.lttng, __ATOMIC_RELAXED);
	if (lttng != NULL && !lttng->is_enabled(id)) return NULL;
	if (qs_thread_inside) {
		qs_lost_events_add(1);
		return NULL;
	}
	qs_thread_inside = true;
	if (!qs_lock_take(&qs_definitions_lock)) {
		qs_thread_inside = false;
		qs_lost_events_add(1);
		return NULL;
	}
	unsigned char *cursor = NULL;
	if (!qs_is_recording()) {
		// the session stopped
	} else if (lttng != NULL) {
		cursor = begin_on_stage(&qs_definitions_stream, id, payload, 0);
	} else {
		cursor = begin_in_stream(&qs_definitions_stream, id, payload, qs_clock_now());
	}
	if (cursor == NULL) {
		qs_lock_give_back(&qs_definitions_lock);
		qs_thread_inside = false;
	}
	return cursor;
}

void qs_definition_end(unsigned char *cursor)
{
	end_in_stream(&qs_definitions_stream, cursor);
	qs_lock_give_back(&qs_definitions_lock);
	qs_thread_inside = false;
}

size_t qs_clamp_string(const char *string, size_t length)
{
	if (length == 0) return 0;
	const char *end = memchr(string, 0, length);
	if (end != NULL) length = (size_t)(end - string);
	if (length <= QS_MAX_STRING) return length;
	length = QS_MAX_STRING;
	// Back to the start of the character that would be cut.
	while (length > 0 && ((unsigned char)string[length] & 0xC0) == 0x80) length--;
	return length;
}
