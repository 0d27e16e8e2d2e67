// A data stream: one file of packets, written by one thread at a time.
//
// Ordering, for the whole recorder:
//
// - Only the owner thread writes into the current packet. An event's bytes come first, then `timestamp_end`, then
//   `content_size`, in program order (release stores, so the compiler keeps it). Whoever reads the file after the thread
//   was stopped at any instruction, SIGKILL included, sees a prefix of these stores: an event counts when it is whole.
// - `writing` is set before the session's epoch is read and cleared after the last store. qs_session_stop clears the epoch, makes every
//   running thread pass a barrier (membarrier), and then waits until `writing` is clear: after that no thread touches
//   the stream's packets. A signal handler that interrupts a writer of its own thread finds `writing` set and gives up.
// - `prepared` passes a mapped packet from the supply thread to the owner: stored with release, taken by exchange with acquire. It carries
//   the packet's place in the file, by which the owner knows whether it is the one it expects: it may have mapped that one itself meanwhile.
// - `retired` passes full packets the other way, for unmapping.
// - Everything else is changed under the session's lock.
#ifndef QS_STREAM_H
#define QS_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packet.h"

struct qs_stream {
	// Hot: touched by every event.
	unsigned char *cursor;    // where the next event goes
	unsigned char *limit;     // end of the packet
	struct qs_packet *packet; // the current packet, NULL when there is none: events are discarded
	uint64_t last_time;       // of the last event; extended time stamps are relative to it
	uint32_t epoch;           // the session it belongs to
	volatile uint32_t writing;

	// Cold.
	uint32_t tid;
	uint32_t number;          // 0 is the definitions stream
	uint64_t sequence;        // of the next packet
	uint64_t discarded;
	uint64_t next_offset;     // file offset of the next packet
	uint64_t retry_time;      // when no packet could be had: not before this time again
	uintptr_t prepared;       // a packet, with qs_prepared_tag of its offset in the low bits; 0 for none
	struct qs_packet *retired;
	uint32_t wants_packet;    // the owner asks the supply thread
	char name[16];            // of the thread, as last written to the trace
	bool in_use;
	struct qs_stream *next;   // in the session's list
};

// The stream of this thread, made or taken over when there is none; NULL when that fails. Context: not while this thread
// attaches already.
struct qs_stream *qs_stream_attach(void);

// Takes the next packet. Returns false, and the stream has no packet, when none can be had.
bool qs_stream_next_packet(struct qs_stream *stream, uint64_t time);

// Opens the stream's first packet for this thread. The session's lock is held.
bool qs_stream_open(struct qs_stream *stream, uint32_t tid, uint64_t time);

// Ends the current packet where it stands, so that the stream can pass to another thread. The session's lock is held.
void qs_stream_close_packet(struct qs_stream *stream);

// Part of a packet's offset, which fits in the low bits of its address: packets begin on page boundaries in memory and in the file. It comes round
// after 16 MiB, far beyond the one packet that a stream's owner can be ahead of the supply thread.
static inline uintptr_t qs_prepared_tag(uint64_t offset)
{
	return (uintptr_t)(offset / QS_PAGE_SIZE) & (QS_PAGE_SIZE - 1);
}

// Takes the prepared packet when it is the one at this offset. Another one is unmapped.
struct qs_packet *qs_stream_take_prepared(struct qs_stream *stream, uint64_t offset);

// Counts an event that cannot be kept.
void qs_stream_discard(struct qs_stream *stream);

#endif
