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

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packet.h"

// Neither a session's nor 0, which stands for no session.
#define QS_NO_EPOCH UINT32_MAX

struct qs_stream {
	// Hot: touched by every event.
	unsigned char *cursor;    // where the next event goes
	unsigned char *limit;     // end of the packet, or of the part after which the next one is asked for
	struct qs_packet *packet; // the current packet; NULL when there is none (events are discarded), or for LTTng
	uint64_t last_time;       // of the last event; extended time stamps are relative to it
	uint32_t epoch;           // the session it belongs to
	uint32_t writing;         // atomic: 1 while the owner is in its packet

	// Cold.
	uint32_t tid;
	uint32_t number;          // 0 is the definitions stream
	uint64_t sequence;        // of the next packet
	uint64_t discarded;
	uint64_t next_offset;     // file offset of the next packet
	uint64_t retry_time;      // when no packet could be had: not before this time again
	int64_t packet_since_ns;  // when the current packet was taken, by the system's clock: ticks are of any length
	uint32_t packet_bytes;    // size of the current packet
	uint32_t next_bytes;      // atomic: the size that the next one should have
	uintptr_t prepared;       // a packet, as qs_prepared_word puts it; 0 for none
	uintptr_t retired;        // a packet, as qs_retired_word puts it; 0 for none
	uint32_t wants_packet;    // the owner asks the supply thread
	char name[16];            // of the thread, as last written to the trace
	bool in_use;
	uint8_t endings;          // how often the thread's end was announced
	bool is_of_kernel;         // written by the processor track
	uint64_t kernel_time;     // of its next event
	uint8_t staged_id;        // of the event that is in the stage
	unsigned char *stage;     // for LTTng: where an event is put together; NULL for a stream with packets
	struct qs_stream *next;   // in the session's list
	char path[PATH_MAX];      // of its file; here because a thread may have little stack
};

// The stream of this thread, made or taken over when there is none; NULL when that fails. Context: not while this thread
// attaches already.
struct qs_stream *qs_stream_attach(void);

// A stream for what the kernel recorded: no thread takes it over. The generated writers write into it with the time in `kernel_time`,
// for it has the epoch of no session and so always goes the slow way. The session's lock is held.
struct qs_stream *qs_stream_make_for_kernel(void);

// Room for the largest event: as much memory as is used of it.
enum { QS_STAGE_BYTES = 128 * 1024 };

// Gives the stream a stage instead of packets. False when there is no memory.
bool qs_stream_set_stage(struct qs_stream *stream);

// Takes the next packet, which has room for any event. Returns false, and the stream has no packet, when none can be had.
bool qs_stream_next_packet(struct qs_stream *stream, uint64_t time);

// Lets a thread's first packet be filled to its end, and asks for the one after it. Does nothing when that was done.
void qs_stream_ask_ahead(struct qs_stream *stream);

// Opens the stream's first packet, or its stage, for this thread. The session's lock is held.
bool qs_stream_open(struct qs_stream *stream, uint32_t tid, uint64_t time);

// Ends the current packet where it stands, so that the stream can pass to another thread. The session's lock is held.
void qs_stream_close_packet(struct qs_stream *stream);

// At the process's end: makes what lies mapped behind the last event part of the trace, so that the file needs no shortening. False when it does need it. The session
// has stopped, and its lock is held.
bool qs_stream_leave_tail(struct qs_stream *stream);

// Part of a packet's offset, which fits in the low bits of its address: packets begin on page boundaries in memory and in the file. It comes round
// after 16 MiB, far beyond the one packet that a stream's owner can be ahead of the supply thread.
static inline uintptr_t qs_prepared_tag(uint64_t offset)
{
	return (uintptr_t)(offset / QS_PAGE_SIZE) & (QS_PAGE_SIZE - 1);
}

// A packet, its size and its place in the file in one word: the size above the 48 bits of the address.
static inline uintptr_t qs_prepared_word(const struct qs_packet *packet, uint32_t bytes, uint64_t offset)
{
	return (uintptr_t)(bytes / QS_PAGE_SIZE) << 48 | (uintptr_t)packet | qs_prepared_tag(offset);
}

static inline uintptr_t qs_retired_word(const struct qs_packet *packet, uint32_t bytes)
{
	return qs_prepared_word(packet, bytes, 0);
}

static inline struct qs_packet *qs_word_packet(uintptr_t word)
{
	return (struct qs_packet *)(word & 0xFFFFFFFFF000);
}

static inline uint32_t qs_word_bytes(uintptr_t word)
{
	return (uint32_t)(word >> 48) * QS_PAGE_SIZE;
}

// Takes the prepared packet when it is the one at this offset, and says its size. Another one is unmapped.
struct qs_packet *qs_stream_take_prepared(struct qs_stream *stream, uint64_t offset, uint32_t *bytes);

// Unmaps the packet of a word; does nothing for 0.
void qs_word_unmap(uintptr_t word);

// Counts an event that cannot be kept.
void qs_stream_discard(struct qs_stream *stream);

#endif
