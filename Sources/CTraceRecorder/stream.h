// A data stream: packets that one thread writes at a time, into chunks of the arena. The recorder's thread copies
// them into the stream's file.
//
// Ordering, for the whole recorder:
//
// - Only the owner thread writes into the current packet. An event's bytes come first, then `timestamp_end`, then
//   `content_size`, in program order (release
//   stores, so the compiler keeps it). Whoever reads the memory after the thread was stopped at any instruction, SIGKILL included, sees a prefix of
//   these stores: an event counts when it is whole. The recorder's thread reads `content_size` with acquire while the owner goes on.
// - A chunk belongs to a stream once its entry says so, after the packet's head was written. The owner links it
//   behind the stream's last chunk (release), and writes no more
//   into that one; the recorder's thread (acquire) then copies the rest of it and gives it back. A stream's only chunk passes through `first`.
// - `writing` is set before the session's epoch is read and cleared after the last store. qs_session_stop clears the
//   epoch, makes every
//   running thread pass a barrier (membarrier), and then waits until `writing` is clear: after that no thread touches the stream's
//   packets. A signal handler that interrupts a writer of its own thread finds `writing` set and gives up.
// - A stream has an owner, a thread, or is in the list of free streams. Whoever takes it from the list (acquire) sees
//   what its last owner left (release).
#ifndef QS_STREAM_H
#define QS_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "packet.h"

enum {
	// Neither a session's nor 0, which stands for no session.
	QS_NO_EPOCH = UINT32_MAX,
	QS_MAX_STREAMS = 1 << 14,
	// Streams to come whose files are made ahead where the process may still change its user, after which it could
	// make none in a directory that is root's.
	QS_SPARE_STREAMS = 32,
};

enum qs_stream_kind {
	QS_STREAM_UNUSED = 0,
	QS_STREAM_THREAD = 1,
	QS_STREAM_KERNEL = 2,      // written by the processor track
	QS_STREAM_DEFINITIONS = 3, // under the definitions lock
	QS_STREAM_DEFINITIONS_OF_LIBRARY = 4, // of a second recorder in the process
};

struct qs_stream {
	// Hot: touched by every event.
	unsigned char *cursor;    // where the next event goes
	unsigned char *limit;     // end of the chunk, or of the part without owners
	struct qs_packet *packet; // the current packet; NULL when there is none (events are discarded), or for LTTng
	uint64_t last_time;       // of the last event; extended time stamps are relative to it
	uint32_t epoch;           // the session it belongs to
	uint32_t writing;         // atomic: 1 while the owner is in its packet

	// The owner's.
	uint64_t event_time;      // of the event that is written the slow way
	uint32_t index;           // of its record in the arena; 0 is the definitions stream
	uint32_t chunk;           // the current one, as arena.h numbers them
	uint32_t order;           // of the current chunk; 0 before the first
	uint32_t tid;             // atomic
	uint64_t name[2];         // atomic: of the thread, as last written to the trace
	uint64_t discarded;       // atomic
	bool in_use;              // atomic: a thread that lives owns it
	uint8_t endings;          // how often the thread's end was announced
	uint8_t kind;             // enum qs_stream_kind
	uint8_t staged_id;        // of the event that is in the stage
	uint32_t next_free;       // atomic: in the list of free streams
	uint32_t first;           // atomic: a chunk without one before it, for the recorder's thread
	uint64_t kernel_time;     // of the next event of a stream of the kernel
	unsigned char *stage;     // for LTTng: where an event is put together; NULL for a stream with packets

	// The recorder's thread's.
	_Alignas(64) struct qs_copy {
		uint32_t chunk;       // that is being copied; 0: none
		uint32_t owner;       // number of the next one of that chunk
		uint32_t tid;         // of the events that come next
		uint32_t events;      // of that chunk that are in the file, or discarded
		uint64_t begin;       // not later than the next event
		uint64_t told;        // discarded events, as the file's last packet has it
		struct qs_copied done;
		int file;             // descriptor + 1, 0: not open
		struct qs_oldest {
			uint64_t offset;   // of the oldest packet that is kept
			uint32_t bytes;    // its size, 0: not known yet
			uint32_t packets;  // that went
			uint64_t end_time; // of it
			uint64_t gone;     // offset of the last packet that went
			uint64_t hole_end; // in the file
		} oldest;              // for a flight recorder, see overwriting.h
	} copy;
};

// The stream of this index, from 1 to qs_streams_count().
struct qs_stream *qs_stream_at(uint32_t index);
uint32_t qs_streams_count(void);

// Makes the table of streams and the key by which a thread's end is noticed. False when there is no memory. Context:
// a constructor, or a session's start.
bool qs_streams_prepare(void);

// Makes all streams those of a new session, without chunks. Context: a session's start, under its lock.
void qs_streams_reset(void);

// In a forked child: nobody owns a stream.
void qs_streams_forget(void);

// Has this thread own a stream of the session that records, and records thread_start. NULL when that fails. Context:
// not while this thread attaches already.
struct qs_stream *qs_stream_attach(void);

// A stream for what the kernel recorded, NULL when there is none. The generated writers write into it with the time
// in `kernel_time`, for it has the epoch of no session and so always goes the slow way. qs_stream_give_back ends its
// use.
struct qs_stream *qs_stream_make_for_kernel(void);

// Takes a stream without an owner, NULL when there is none, and gives one back.
struct qs_stream *qs_stream_take_free(void);
void qs_stream_give_back(struct qs_stream *stream);

// Room for the largest event: as much memory as is used of it.
enum { QS_STAGE_BYTES = 128 * 1024 };

// Gives the stream a stage instead of packets. False when there is no memory.
bool qs_stream_set_stage(struct qs_stream *stream);

// Makes the stream, which this thread owns, one of the session that records: with a stage, or with a packet. False
// when there is no memory.
bool qs_stream_open(struct qs_stream *stream, enum qs_stream_kind kind, uint32_t tid, uint64_t time);

// Takes a chunk with room for an event of `need` bytes. Returns false, and the stream is as it was, when none can be
// had.
bool qs_stream_next_packet(struct qs_stream *stream, size_t need, uint64_t time);

// Counts an event that cannot be kept.
void qs_stream_discard(struct qs_stream *stream);

#endif
