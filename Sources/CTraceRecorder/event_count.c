#include "event_count.h"

#include <string.h>

#include "event_writing.h"

// An event's fields: runs of bytes of fixed size, and what differs in size.
enum {
	END = 0, // also: no such event
	NO_FIELDS = 253,
	ADDRESSES = 254,
	STRING = 255,
	MOST_FIELDS = 8,
};

static const unsigned char shapes[256][MOST_FIELDS] = {
#include "event_shapes.generated.h"
};

// The end of the event at `cursor`, NULL when it is none, or not whole.
static const unsigned char *skip(const unsigned char *cursor, const unsigned char *end)
{
	uint32_t id = *cursor;
	size_t head = QS_COMPACT_HEADER;
	if (id == QS_EXTENDED_ID) {
		head = QS_EXTENDED_HEADER;
		if ((size_t)(end - cursor) < head) return NULL;
		memcpy(&id, cursor + 1, sizeof id);
		if (id >= sizeof shapes / sizeof shapes[0]) return NULL;
	}
	const unsigned char *shape = shapes[id];
	if (*shape == END || (size_t)(end - cursor) < head) return NULL;
	cursor += head;
	if (*shape == NO_FIELDS) return cursor;
	for (int field = 0; field < MOST_FIELDS && shape[field] != END; field++) {
		size_t bytes = shape[field];
		if (bytes == STRING) {
			const unsigned char *nul = memchr(cursor, 0, (size_t)(end - cursor));
			if (nul == NULL) return NULL;
			bytes = (size_t)(nul - cursor) + 1;
		} else if (bytes == ADDRESSES) {
			uint16_t count;
			if (end - cursor < 2) return NULL;
			memcpy(&count, cursor, sizeof count);
			bytes = 2 + 6 * (size_t)count;
		}
		if ((size_t)(end - cursor) < bytes) return NULL;
		cursor += bytes;
	}
	return cursor;
}

uint32_t qs_events_count(const unsigned char *events, size_t bytes)
{
	const unsigned char *end = events + bytes;
	uint32_t count = 0;
	for (const unsigned char *cursor = events; cursor != NULL && cursor < end; cursor = skip(cursor, end)) count += 1;
	return count;
}
