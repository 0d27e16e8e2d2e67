// The layout of a CTF packet, as the metadata declares it.
#ifndef QS_PACKET_H
#define QS_PACKET_H

#include <stddef.h>
#include <stdint.h>

enum {
	QS_PACKET_MAGIC = 0xC1FC1FC1,
	// The smallest packet but for a thread's first: large enough that taking the next one costs little per event, small enough for hundreds of threads.
	QS_PACKET_SIZE = 64 * 1024,
	// A thread's first packet, which it maps itself: most threads of a program record little, and each page costs microseconds. It asks for another once
	// it is past the first page.
	QS_FIRST_PACKET_SIZE = 16 * 1024,
	// A stream that fills its packets quickly gets larger ones, by doubling: waking the supply thread and mapping cost tens of microseconds each time.
	QS_PACKET_DOUBLINGS = 4,
	// Quickly: within this time.
	QS_QUICK_NS = 500 * 1000 * 1000,
	// Packets begin on page boundaries, so that each can be mapped by itself.
	QS_PAGE_SIZE = 4096,
	// What may stay unused at the end of a file when the process ends: two of the smallest packets. Making files shorter takes a process milliseconds each where
	// others write to the same file system, as many as it had threads.
	QS_LEFT_AT_EXIT = 2 * QS_PACKET_SIZE,
	// Where no packet could be had, the next try comes this many ticks later: about a tenth of a second.
	QS_RETRY_TICKS = 1 << 28,
};

// Packet header and packet context, byte for byte: naturally aligned, so that no packing is needed.
struct qs_packet {
	uint32_t magic; // written last: a packet without it has never been used
	uint8_t uuid[16];
	uint32_t stream_id;
	uint64_t stream_instance_id;

	uint64_t timestamp_begin;
	uint64_t timestamp_end; // time of the last event, kept with every event
	uint64_t content_size;  // in bits, kept with every event: what counts as written
	uint64_t packet_size;   // in bits
	uint64_t packet_seq_num;
	uint64_t events_discarded; // of the stream, up to the end of this packet
	uint32_t tid;
	unsigned char events[];
};

// The bytes before the first event; the compiler pads the struct itself.
enum { QS_PACKET_HEAD = offsetof(struct qs_packet, events) };
_Static_assert(QS_PACKET_HEAD == 84, "as the metadata declares it");

#endif
