#include "event_reading.h"

#include <string.h>

#include "event_writing.h"
#include "packet.h"

enum {
	END = 0,
	NO_FIELDS = 253,
	ADDRESSES = 254,
	STRING = 255,
	MOST_FIELDS = 8,
};

// The payload of each event class: sizes of runs of fields of fixed size, and fields of variable size.
static const unsigned char shapes[256][MOST_FIELDS] = {
#include "event_shapes.generated.h"
};

// Returns the end of the payload, NULL when it is not complete or the class is unknown.
static const unsigned char *skip_fields(const unsigned char *cursor, const unsigned char *limit, uint32_t id)
{
	if (id >= 256 || shapes[id][0] == END) return NULL;
	if (shapes[id][0] == NO_FIELDS) return cursor;
	for (int field = 0; field < MOST_FIELDS && shapes[id][field] != END; field++) {
		size_t room = (size_t)(limit - cursor), bytes = shapes[id][field];
		if (bytes == STRING) {
			bytes = strnlen((const char *)cursor, room) + 1;
		} else if (bytes == ADDRESSES) {
			bytes = 2;
			if (room >= bytes) bytes += 6 * (size_t)(cursor[0] | cursor[1] << 8);
		}
		if (room < bytes) return NULL;
		cursor += bytes;
	}
	return cursor;
}

struct qs_read_event qs_event_before_first(const struct qs_packet *packet)
{
	return (struct qs_read_event){.time = packet->timestamp_begin, .end = packet->events};
}

bool qs_event_read_next(struct qs_read_event *event, const unsigned char *limit)
{
	const unsigned char *start = event->end;
	bool is_extended = start < limit && *start == QS_EXTENDED_ID;
	size_t header = is_extended ? QS_EXTENDED_HEADER : QS_COMPACT_HEADER;
	if (start >= limit || (size_t)(limit - start) < header) return false;
	uint32_t id = *start, low;
	uint64_t time;
	if (is_extended) {
		memcpy(&id, start + 1, sizeof id);
		memcpy(&time, start + 1 + sizeof id, sizeof time);
	} else {
		// The next time with these low bits.
		memcpy(&low, start + 1, sizeof low);
		time = event->time + (uint32_t)(low - (uint32_t)event->time);
	}
	const unsigned char *end = skip_fields(start + header, limit, id);
	if (end == NULL) return false;
	*event = (struct qs_read_event){.id = id, .time = time, .fields = start + header, .end = end};
	return true;
}
