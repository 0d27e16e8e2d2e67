// Reads the events of a packet in a file of the trace, one after the other. The opposite of event_writing.h.
#ifndef QS_EVENT_READING_H
#define QS_EVENT_READING_H

#include <stdbool.h>
#include <stdint.h>

struct qs_packet;

struct qs_read_event {
	uint32_t id;
	uint64_t time;               // before the first event: begin of the packet
	const unsigned char *fields; // the payload
	const unsigned char *end;    // position of the next event
};

// The position before the first event of a packet.
struct qs_read_event qs_event_before_first(const struct qs_packet *packet);

// Moves on to the next event. Returns false when there is none before the limit that is complete and of a known class.
bool qs_event_read_next(struct qs_read_event *event, const unsigned char *limit);

#endif
