// The layout of a CTF packet, as the metadata declares it.
#ifndef QS_PACKET_H
#define QS_PACKET_H

#include <stddef.h>
#include <stdint.h>

enum { QS_PACKET_MAGIC = 0xC1FC1FC1 };

// Packet header and packet context, byte for byte. All members are naturally aligned, so no packing is needed. Members
// marked "not in the arena" are unused there: a chunk's events may become several packets of the file.
struct qs_packet {
	uint32_t magic;
	uint8_t uuid[16];
	uint32_t stream_id;
	uint64_t stream_instance_id;

	uint64_t timestamp_begin;
	uint64_t timestamp_end;    // atomic: time of the last event, updated with every event
	uint64_t content_size;     // atomic: in bits, updated with every event; events beyond it do not count. In the
	                           // arena the high half is the number of events
	uint64_t packet_size;      // in bits; not in the arena
	uint64_t packet_seq_num;   // not in the arena
	uint64_t events_discarded; // of the stream, up to the end of this packet; not in the arena
	uint32_t tid;              // first owner
	uint32_t event_count;      // 0: not counted; in the arena, atomic: number of owners after the first
	unsigned char events[];
};

// From this position in the chunk on, another thread owns the stream. The records are at the chunk's end, in reverse
// order.
struct qs_owner {
	uint16_t offset; // of its first event, from the packet's start
	uint16_t events; // events before it
	uint32_t tid;
	uint64_t time;   // not later than its first event
};

// Owner record with this number; 0 is the first owner record, which follows the packet's first owner.
static inline struct qs_owner *qs_packet_owner(struct qs_packet *packet, uint32_t bytes, uint32_t number)
{
	return (struct qs_owner *)((unsigned char *)packet + bytes) - 1 - number;
}

// Value of a packet's content_size in the arena.
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
