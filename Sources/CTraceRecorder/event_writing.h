// The hot path: what every generated writer does around its fields.
#ifndef QS_EVENT_WRITING_H
#define QS_EVENT_WRITING_H

#include <stdatomic.h>
#include <string.h>

#include "clock.h"
#include "include/CTraceRecorder.h"
#include "stream.h"

enum {
	QS_SCHEMA_MAJOR = 1,
	QS_SCHEMA_MINOR = 3,

	QS_EXTENDED_ID = 255,
	QS_COMPACT_HEADER = 1 + 4,
	QS_EXTENDED_HEADER = 1 + 4 + 8,
	// A 48-bit store writes eight bytes.
	QS_STORE_SLACK = 2,

	// A string longer than this is cut: an event must fit in a packet with room to spare.
	QS_MAX_STRING = 16 * 1024,
	QS_MAX_FRAMES = 128,
};

#define qs_likely(x) __builtin_expect(!!(x), 1)
#define qs_unlikely(x) __builtin_expect(!!(x), 0)

// One event while it is written. Its address never leaves the inline functions, so that it lives in registers.
struct qs_writing {
	struct qs_stream *stream;
	uint64_t time;
};

// initial-exec: one instruction instead of a call. The recorder is part of the executable or preloaded, never opened late.
extern __thread struct qs_stream *qs_thread_stream __attribute__((tls_model("initial-exec")));

// The unlikely cases: no stream, another session, no room, a long pause. Returns where the payload goes, or NULL. The event is then one of this
// thread's stream, at its `event_time`.
unsigned char *qs_event_begin_slow(uint8_t id, size_t payload);

static inline unsigned char *qs_event_begin_elsewhere(struct qs_writing *writing, uint8_t id, size_t payload)
{
	unsigned char *cursor = qs_event_begin_slow(id, payload);
	if (cursor == NULL) return NULL;
	writing->stream = qs_thread_stream;
	writing->time = writing->stream->event_time;
	return cursor;
}

// Ends an event of a stream without a packet: one for LTTng.
void qs_event_end_elsewhere(struct qs_stream *stream, unsigned char *cursor);

// Starts an event: finds the room, takes the time, writes the header. NULL: do not write.
static inline unsigned char *qs_event_begin(struct qs_writing *writing, uint8_t id, size_t payload)
{
	struct qs_stream *stream = qs_thread_stream;
	writing->stream = stream;
	if (qs_unlikely(stream == NULL || __atomic_load_n(&stream->writing, __ATOMIC_RELAXED))) return qs_event_begin_elsewhere(writing, id, payload);
	__atomic_store_n(&stream->writing, 1, __ATOMIC_RELAXED);
	atomic_signal_fence(memory_order_seq_cst); // pairs with the membarrier in qs_session_stop
	if (qs_unlikely(__atomic_load_n(&qs_session_epoch, __ATOMIC_RELAXED) != stream->epoch)) {
		__atomic_store_n(&stream->writing, 0, __ATOMIC_RELEASE);
		return qs_event_begin_elsewhere(writing, id, payload);
	}
	uint64_t time = qs_clock_now();
	unsigned char *cursor = stream->cursor;
	if (qs_unlikely((time - stream->last_time) >> 32 != 0
		|| (size_t)(stream->limit - cursor) < payload + QS_COMPACT_HEADER + QS_STORE_SLACK)) {
		__atomic_store_n(&stream->writing, 0, __ATOMIC_RELEASE);
		return qs_event_begin_elsewhere(writing, id, payload);
	}
	writing->time = time;
	cursor[0] = id;
	uint32_t low = (uint32_t)time;
	memcpy(cursor + 1, &low, sizeof low);
	return cursor + QS_COMPACT_HEADER;
}

// Counts what was written up to the cursor as a whole event.
static inline void qs_event_commit(struct qs_stream *stream, unsigned char *cursor, uint64_t time)
{
	struct qs_packet *packet = stream->packet;
	stream->cursor = cursor;
	stream->last_time = time;
	__atomic_store_n(&packet->timestamp_end, time, __ATOMIC_RELEASE);
	uint64_t content = qs_content((size_t)(cursor - (unsigned char *)packet), ++stream->events);
	__atomic_store_n(&packet->content_size, content, __ATOMIC_RELEASE);
}

// Ends an event: from here on it is in the trace, whatever happens to the process.
static inline void qs_event_end(struct qs_writing *writing, unsigned char *cursor)
{
	struct qs_stream *stream = writing->stream;
	if (qs_unlikely(stream->packet == NULL)) {
		qs_event_end_elsewhere(stream, cursor);
		return;
	}
	qs_event_commit(stream, cursor, writing->time);
	atomic_signal_fence(memory_order_seq_cst);
	__atomic_store_n(&stream->writing, 0, __ATOMIC_RELEASE);
}

// The same for the definitions stream, under its lock, which qs_definition_end gives back.
unsigned char *qs_definition_begin(uint8_t id, size_t payload);
void qs_definition_end(unsigned char *cursor);

static inline unsigned char *qs_store_u8(unsigned char *cursor, uint8_t value)
{
	*cursor = value;
	return cursor + 1;
}

static inline unsigned char *qs_store_u16(unsigned char *cursor, uint16_t value)
{
	memcpy(cursor, &value, sizeof value);
	return cursor + sizeof value;
}

static inline unsigned char *qs_store_u32(unsigned char *cursor, uint32_t value)
{
	memcpy(cursor, &value, sizeof value);
	return cursor + sizeof value;
}

static inline unsigned char *qs_store_u64(unsigned char *cursor, uint64_t value)
{
	memcpy(cursor, &value, sizeof value);
	return cursor + sizeof value;
}

// Writes eight bytes and counts six: one store. The two extra bytes are overwritten by what follows, or lie in the slack. On a little-endian machine
// the low 48 bits come first; the recorder runs on no other.
static inline unsigned char *qs_store_u48(unsigned char *cursor, uint64_t value)
{
	_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the recorder writes little-endian traces");
	memcpy(cursor, &value, sizeof value);
	return cursor + 6;
}

static inline unsigned char *qs_store_string(unsigned char *cursor, const char *string, size_t length)
{
	if (length != 0) memcpy(cursor, string, length);
	cursor[length] = 0;
	return cursor + length + 1;
}

static inline unsigned char *qs_store_addresses(unsigned char *cursor, const uint64_t *addresses, uint16_t count)
{
	cursor = qs_store_u16(cursor, count);
	for (uint16_t index = 0; index < count; index++) cursor = qs_store_u48(cursor, addresses[index]);
	return cursor;
}

// The length to write: up to the first NUL, which would end the string in the trace, and at most QS_MAX_STRING, cut between characters.
size_t qs_clamp_string(const char *string, size_t length);

#endif
