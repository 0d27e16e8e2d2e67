// A data stream: packets in chunks of the arena. One thread at a time writes them. The recorder thread copies them into
// the stream's file.
//
// Ordering, for the whole recorder:
//
// - Only the owner thread writes into the current packet. An event's bytes come first, then `timestamp_end`, then
//   `content_size`, in program order (release stores, so the compiler keeps it). A reader of the memory of a thread
//   that was stopped at any instruction, also by SIGKILL, sees a prefix of these stores: an event counts only when it
//   is complete. The recorder thread reads `content_size` with acquire while the owner continues to write.
// - A chunk belongs to a stream once its table entry names the stream. The entry is written after the packet's head.
//   The owner links the chunk behind the stream's last chunk (release), and writes no more into that last chunk. The
//   recorder thread (acquire) then copies the rest of the last chunk and frees it. A chunk without a predecessor passes
//   through `first`.
// - `writing` is set before the session's epoch is read and cleared after the last store. qs_session_stop clears the
//   epoch, makes every running thread pass a barrier (membarrier), and then waits until `writing` is clear. After that
//   no thread accesses the stream's packets. A signal handler that interrupts a writer of its own thread finds
//   `writing` set and discards its event. A handler that leaves the writer by siglongjmp leaves `writing` set: after
//   some discarded events, the thread takes another stream.
// - The recorder thread can close the last chunk of an owner that has recorded nothing for some time. It replaces the
//   stream's epoch by QS_NO_EPOCH, makes every running thread pass a barrier, and checks that `writing` is clear. From
//   then on the owner has to join the session before it writes. Both then replace QS_NO_EPOCH: the owner by
//   QS_EPOCH_JOINING, with which it keeps the chunk, or the recorder thread by QS_EPOCH_CLOSED, with which the owner
//   starts with a new chunk.
// - Before a long sleep, the recorder thread replaces the epochs by QS_EPOCH_WATCHED. The first event of any thread
//   then has to join the session and wakes the recorder thread; an event that passed the check of the epoch before does
//   not. So a sleep costs at most one system call, and the path of the other events has no code for it.
// - A stream is either owned by a thread or in the list of free streams. A thread that takes it from the list (acquire)
//   sees all stores of its previous owner (release).
#ifndef QS_STREAM_H
#define QS_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../System/lock.h"
#include "arena.h"
#include "packet.h"

enum {
	// Epochs of no session, with which every event takes the slow path and joins the session. 0 would be equal to
	// qs_gate.epoch while no session records.
	QS_NO_EPOCH = UINT32_MAX,
	QS_EPOCH_JOINING = UINT32_MAX - 1, // the owner is joining a session
	QS_EPOCH_CLOSED = UINT32_MAX - 2,  // the recorder thread has closed the owner's last chunk
	QS_EPOCH_WATCHED = UINT32_MAX - 3, // the owner's next event wakes the recorder thread
	QS_MAX_STREAMS = 1 << 14,
	// A 48-bit store writes eight bytes, two of them after the value: also after the last event of a chunk.
	QS_STORE_SLACK = 2,
	// Files that are created in advance for future streams while the process may still change its user. After such a
	// change it could create no file in a directory that belongs to root.
	QS_SPARE_STREAMS = 32,
};

// Consecutive items of a thread of which one is recorded (item_sampling.h).
struct qs_item_stratum {
	uint16_t stride;
	uint16_t left;   // items that have not been submitted
	uint16_t chosen; // value of `left`, after the submission, of the item that is recorded
	uint32_t count;  // atomic: strata of this session
	uint32_t tasks;  // atomic: decisions of this session to record a step of a task
};

struct qs_stream {
	// Hot: accessed by every event.
	unsigned char *cursor;    // position of the next event
	unsigned char *limit;     // where the last event may end: QS_STORE_SLACK before the chunk's end or owner records
	struct qs_packet *packet; // the current packet; NULL: none (events are discarded), or a stream for LTTng
	uint64_t last_time;       // of the last event; extended time stamps are relative to it
	uint32_t epoch;           // atomic: the session that it belongs to, or one of the epochs above
	uint32_t writing;         // atomic: 1 while the owner writes into its packet

	// Written by the owner.
	uint64_t event_time;      // of the event that is being written by the slow path
	uint32_t index;           // of its record in the arena; 0 is the definitions stream
	uint32_t chunk;           // the current chunk, numbered as in arena.h
	uint32_t order;           // order of the current chunk; 0 before the first
	uint32_t session;         // that the owner joined last
	uint32_t tid;             // atomic
	uint64_t name[2];         // atomic: name of the thread, as last written to the trace
	uint64_t discarded;       // atomic
	uint64_t events;          // atomic: number of events in the stream's earlier chunks
	bool in_use;              // atomic: a living thread owns it
	uint8_t endings;          // number of destructor rounds in which the thread's end was announced
	uint8_t name_looks;       // atomic: looks of the recorder thread for a new name of the owner (thread_names.h)
	uint8_t kind;             // enum qs_stream_kind
	uint8_t staged_id;        // id of the event in the stage
	struct qs_item_stratum stratum;
	uint8_t refused;          // events that were discarded because the owner was writing an event,
	unsigned char *refused_at; // which begins here
	uint32_t next_free;       // atomic: next stream in the free list
	uint32_t first;           // atomic: a chunk without a predecessor, for the recorder thread
	uint64_t kernel_time;     // time of the next event of a kernel stream
	unsigned char *stage;     // for LTTng: buffer in which an event is assembled; NULL for a stream with packets

	// Written by the recorder thread.
	_Alignas(64) struct qs_copy {
		uint32_t chunk;       // chunk that is being copied; 0: none
		uint32_t owner;       // number of the next owner record of that chunk
		uint32_t tid;         // owner of the next events
		uint32_t events;      // events of that chunk that are in the file, or discarded
		bool is_closed;       // the chunk without a successor is complete, and is freed when it is copied
		bool has_gap;         // chunks were overwritten in memory since the last write into the file
		bool is_listed;       // threads may take its oldest chunks (oldest_chunks.h)
		uint32_t quiet_order; // a chunk's order and content at the last scan for quiet threads,
		uint64_t quiet_content;
		int64_t quiet_ns;     // and the time since which they are unchanged
		uint64_t begin;       // not later than the next event
		uint64_t stated;      // number of discarded events in the file's last packet
		struct qs_copied done;
		int file;             // descriptor + 1, 0: not open
		struct qs_oldest {
			uint64_t offset;   // of the oldest packet that is kept
			uint32_t bytes;    // its size, 0: not read yet
			uint32_t packets;  // packets that were removed
			uint64_t end_time; // end of the oldest packet
			uint64_t gone;     // offset of the last packet that was removed
			uint64_t hole_end; // end of the hole in the file
		} oldest;              // for a flight recorder, see overwriting.h
	} copy;
};

// Stream of a thread that has none. `writing` is always set, so every event takes the slow path.
extern const struct qs_stream qs_no_stream;

// initial-exec: one instruction instead of a call. The recorder is part of the executable or preloaded, and is never
// opened by dlopen.
extern __thread struct qs_stream *qs_thread_stream __attribute__((tls_model("initial-exec")));

// This thread's stream, NULL when it has none.
static inline struct qs_stream *qs_own_stream(void)
{
	return qs_thread_stream != &qs_no_stream ? qs_thread_stream : NULL;
}

// The definitions stream, and the lock under which threads write it. Taken after the session's lock.
extern struct qs_stream qs_definitions_stream;
extern struct qs_lock qs_definitions_lock;

// The stream of this index, from 1 to qs_streams_count().
struct qs_stream *qs_stream_at(uint32_t index);
uint32_t qs_streams_count(void);

// Functions that are called when a thread that records begins and ends. A name is as in struct qs_stream. Context: the
// thread, which may record events.
struct qs_thread_listener {
	void (*starts)(uint32_t tid, const uint64_t *name);
	void (*ends)(uint32_t tid, const uint64_t *new_name); // the new name is NULL when the name has not changed
};

// Creates the table of streams, and the key whose destructor runs at a thread's end. Returns false when there is no
// memory. Context: a constructor, or a session's start.
bool qs_streams_prepare(const struct qs_thread_listener *thread_listener);

// Resets all streams for a new session; none has a chunk. Context: a session's start, under its lock.
void qs_streams_reset(void);

// Resets all streams in a forked child: none has an owner.
void qs_streams_forget(void);

// Gives this thread a stream of the recording session, and calls the listener if the thread is new in it. Returns NULL
// on failure, with `is_lost`: whether the event has to be counted as discarded. Context: not while this thread is
// already attaching.
struct qs_stream *qs_stream_attach(bool *is_lost);

// Gives up this thread's stream, which has an event that the thread left by siglongjmp. The next event takes another
// stream. The left stream has no owner from then on, because the jump may have left its state between two stores. So a
// wrong guess does no harm: a writer that continues after all ends its event in the left stream.
void qs_stream_leave(struct qs_stream *stream);

// Makes the next event of any thread wake the recorder thread, once. Context: the recorder thread.
void qs_streams_watch(void);

// Whether no thread has recorded an event since qs_streams_watch.
bool qs_streams_are_quiet(void);

// Stream for records of the kernel, NULL when there is none. The generated writers use `kernel_time` as the time of its
// events: the stream has the epoch of no session, so every event takes the slow path. qs_stream_give_back ends its use.
struct qs_stream *qs_stream_make_for_kernel(void);

// Takes a stream without an owner whose chunk may have to be freed, NULL when there is none; and returns one to the
// free list, or, when its chunk was freed or has to stay, to the list of drained streams.
struct qs_stream *qs_stream_take_free(void);
void qs_stream_give_back(struct qs_stream *stream);
void qs_stream_give_back_drained(struct qs_stream *stream);

// Room for the largest event. The system provides only the pages that are used.
enum { QS_STAGE_BYTES = 128 * 1024 };

// Gives the stream a stage instead of packets. Returns false when there is no memory.
bool qs_stream_set_stage(struct qs_stream *stream);

// Makes the stream, which this thread owns, part of the recording session: with a stage, or with a packet. Returns
// false when there is no memory.
bool qs_stream_open(struct qs_stream *stream, enum qs_stream_kind kind, uint32_t tid, uint64_t time);

// Takes a chunk with room for an event of `need` bytes. Returns false, with the stream unchanged, when there is none.
bool qs_stream_next_packet(struct qs_stream *stream, size_t need, uint64_t time);

// Whether the name of the owner, as last written to the trace, is this one of 16 bytes. Context: any thread.
bool qs_stream_has_name(const struct qs_stream *stream, const uint64_t *name);
void qs_stream_set_name(struct qs_stream *stream, const uint64_t *name);

// Number of events that threads, or the kernel, have recorded in this session. A thread that takes a new chunk at the
// same time adds an error of some thousand events. Context: any thread.
uint64_t qs_streams_events(enum qs_stream_kind kind);

// Counts the events of a packet of a thread's stream that the recorder thread takes away from the stream.
void qs_streams_count_closed(const struct qs_packet *packet);

// Counts an event that cannot be recorded.
void qs_stream_discard(struct qs_stream *stream);

// The same for an event at this time for which there is no memory. In a flight recorder in memory it counts as
// overwritten instead: the recording then begins after it.
void qs_stream_lose(struct qs_stream *stream, uint64_t time);

#endif
