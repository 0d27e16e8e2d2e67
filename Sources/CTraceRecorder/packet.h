// The layout of a CTF packet, as the metadata declares it.
#ifndef QS_PACKET_H
#define QS_PACKET_H

#include <stddef.h>
#include <stdint.h>

enum { QS_PACKET_MAGIC = 0xC1FC1FC1 };

// Packet header and packet context, byte for byte: naturally aligned, so that no packing is needed. In the arena the
// members that say so are not in use: a chunk's events may become several packets of the file.
struct qs_packet {
	uint32_t magic;
	uint8_t uuid[16];
	uint32_t stream_id;
	uint64_t stream_instance_id;

	uint64_t timestamp_begin;
	uint64_t timestamp_end;    // atomic: time of the last event, kept with every event
	uint64_t content_size;     // atomic: in bits, kept with every event: what counts as written. In the arena the high
	                           // half is how many events that is
	uint64_t packet_size;      // in bits; not in the arena
	uint64_t packet_seq_num;   // not in the arena
	uint64_t events_discarded; // of the stream, up to the end of this packet; not in the arena
	uint32_t tid;              // of the first owner
	uint32_t event_count;      // 0: not counted; in the arena, atomic: how many owners came after the first
	unsigned char events[];
};

// Another thread owns the stream from this place in a chunk on. These lie at the chunk's end, the first one last.
struct qs_owner {
	uint16_t offset; // of its first event, from the packet's begin
	uint16_t events; // before it
	uint32_t tid;
	uint64_t time;   // not later than its first event
};

// The owner of this number, from 0, of those that came after the first.
static inline struct qs_owner *qs_packet_owner(struct qs_packet *packet, uint32_t bytes, uint32_t number)
{
	return (struct qs_owner *)((unsigned char *)packet + bytes) - 1 - number;
}

// A packet's content_size in the arena.
static inline uint64_t qs_content(size_t bytes, uint32_t events)
{
	return (uint64_t)events << 32 | bytes * 8;
}

static inline uint32_t qs_content_bytes(uint64_t content)
{
	return (uint32_t)content / 8;
}

static inline uint32_t qs_content_events(uint64_t content)
{
	return (uint32_t)(content >> 32);
}

enum { QS_PACKET_HEAD = offsetof(struct qs_packet, events) };
_Static_assert(QS_PACKET_HEAD == 88, "as the metadata declares it");

#endif
