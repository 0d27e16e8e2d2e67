// Hot path: the code around the fields in every generated writer.
#ifndef QS_EVENT_WRITING_H
#define QS_EVENT_WRITING_H

#include <stdatomic.h>
#include <string.h>

#include "../Gate/gate_comparison.h"
#include "CTraceRecorder.h"
#include "clock.h"
#include "stream.h"

enum {
	QS_SCHEMA_MAJOR = 1,
	QS_SCHEMA_MINOR = 9,

	QS_EXTENDED_ID = 255,
	QS_COMPACT_HEADER = 1 + 4,
	QS_EXTENDED_HEADER = 1 + 4 + 8,

	// A string longer than this is cut: an event must fit in a packet with room to spare.
	QS_MAX_STRING = 16 * 1024,
	QS_MAX_FRAMES = 128,
};

#define qs_likely(x) __builtin_expect(!!(x), 1)
#define qs_unlikely(x) __builtin_expect(!!(x), 0)

// An event that is being written. Its address never leaves the inline functions, so the compiler keeps it in registers.
struct qs_writing {
	struct qs_stream *stream;
	unsigned char *start;
	uint64_t time;
};

// Starts an event: reserves the room, takes the time, writes the header, and returns where the payload goes. NULL:
// write the event by the slow path.
static inline unsigned char *qs_event_begin(struct qs_writing *writing, uint8_t id, size_t payload)
{
	struct qs_stream *stream = qs_thread_stream;
	// Only this thread changes it.
	if (qs_unlikely(stream->writing != 0)) return NULL;
	__atomic_store_n(&stream->writing, 1, __ATOMIC_RELAXED);
	atomic_signal_fence(memory_order_seq_cst); // pairs with the membarrier in qs_session_stop
	// A stream without a packet has the epoch of no session.
	uint32_t epoch = __atomic_load_n(&stream->epoch, __ATOMIC_RELAXED);
	if (qs_likely(qs_gate_has(epoch))) {
		uint64_t time = qs_clock_now();
		unsigned char *start = stream->cursor;
		// The sum is the new cursor, so the check costs one comparison.
		bool has_room = start + QS_COMPACT_HEADER + payload <= stream->limit;
		if (qs_likely((time - stream->last_time) >> 32 == 0) && qs_likely(has_room)) {
			*writing = (struct qs_writing){.stream = stream, .start = start, .time = time};
			uint32_t low = (uint32_t)time;
			start[0] = id;
			memcpy(start + 1, &low, sizeof low);
			return start + QS_COMPACT_HEADER;
		}
	}
	__atomic_store_n(&stream->writing, 0, __ATOMIC_RELEASE);
	return NULL;
}

// Keeps a constant apart from others: compilers compute it from the constant of another event otherwise, which takes
// more instructions and a register.
static inline uint64_t qs_own_constant(uint64_t value)
{
	__asm__("" : "+r"(value));
	return value;
}

// Counts the bytes up to the cursor as a complete event.
static inline void qs_event_commit(const struct qs_writing *writing, unsigned char *cursor)
{
	struct qs_stream *stream = writing->stream;
	struct qs_packet *packet = stream->packet;
	stream->cursor = cursor;
	stream->last_time = writing->time;
	__atomic_store_n(&packet->timestamp_end, writing->time, __ATOMIC_RELEASE);
	uint64_t added = qs_own_constant(qs_content((size_t)(cursor - writing->start), 1));
	// Only the owner writes it: one instruction, without a lock.
	uint64_t content = __atomic_load_n(&packet->content_size, __ATOMIC_RELAXED);
	__atomic_store_n(&packet->content_size, content + added, __ATOMIC_RELEASE);
}

// Ends an event. From here on the event is in the trace, even if the process is killed.
static inline void qs_event_end(const struct qs_writing *writing, unsigned char *cursor)
{
	qs_event_commit(writing, cursor);
	atomic_signal_fence(memory_order_seq_cst);
	__atomic_store_n(&writing->stream->writing, 0, __ATOMIC_RELEASE);
}

// Slow path: the thread has no stream, or there is a new session, no room, a long time since the last event, or LTTng.
// Returns where the payload goes, or NULL when the event is not to be written.
unsigned char *qs_event_begin_slow(struct qs_writing *writing, uint8_t id, size_t payload);
void qs_event_end_slow(const struct qs_writing *writing, unsigned char *cursor);

// The same for the definitions stream. Takes the definitions lock, which qs_definition_end returns.
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

// Writes eight bytes and counts six, so that one store is enough. The next store overwrites the two extra bytes, or
// they are in the slack. The low 48 bits come first, because the recorder supports little-endian machines only.
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

// Length to write: up to the first NUL, which would end the string in the trace, and at most QS_MAX_STRING, cut between
// characters.
size_t qs_clamp_string(const char *string, size_t length);

#endif
