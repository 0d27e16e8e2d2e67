// Memory that events are written into: one mapping per session. A store into it never waits for a file system.
// arena_layout.h has its layout.
//
// Blocks are populated with memory one after the other, on demand. A large chunk can be split into small ones.
//
// The arena is a System V shared memory segment. It outlives the process. It has no path, so no other program can
// truncate it, which would end this one by SIGBUS. Its removal (ipcrm) takes effect when no process has it attached.
// After a kill, the next reader of the trace copies the uncopied events from it into the trace
// (Sources/CTFReader/Repair/ArenaRecovery.swift). Without such segments the arena is anonymous memory, and events that
// the recorder thread has not copied are lost with the process.
//
// A chunk holds one packet. A thread takes chunks from lock-free lists and links each chunk to the previous one of its
// stream. The recorder thread copies the content of the chunks into files and returns the chunks to the lists
// (copier.h).
//
// Context of all functions, unless stated otherwise: any thread, also a signal handler. They take no lock, allocate
// nothing and open no file.
#ifndef QS_ARENA_H
#define QS_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena_layout.h"

struct qs_arena {
	unsigned char *memory;    // reserved for the life of the process, mapped while a session records
	uint64_t reserved;        // bytes of address space
	uint64_t bytes;           // bytes that this session may use
	uint32_t blocks;          // atomic: blocks that are populated, or are being populated
	uint32_t free_large;      // atomic: number of free large chunks; exact only while no thread changes the lists
	uint32_t free_small;      // atomic: the same, of small chunks
	uint32_t low;             // atomic: number of free large chunks that wakes the recorder thread
	bool is_short;            // atomic: it has been woken
	uint32_t records;         // atomic: number of stream records that are populated
	bool is_exhausted;        // atomic: the system had no memory for another block
	uint64_t large;           // atomic: list of free chunks by number (tagged_list.h)
	uint64_t small;           // atomic: the same
	int memory_id;            // of the shared memory segment; -1: the memory ends with the process
	bool keeps_newest;        // a flight recorder in memory, if the memory outlives the process
};

extern struct qs_arena qs_arena;

// Creates the arena of a session: the memory, its name in the directory, and the first blocks. `limit`: most bytes of
// memory, 0 for the default. Returns false, with errno, when there is no memory or no address space. Context: while no
// session records; opens a file.
bool qs_arena_open(uint64_t limit, const uint8_t *uuid, const char *directory, uint32_t first_stream);

// Removes the segment: no later process finds it, and its memory is free when no process has it attached. If this
// process may not remove it, because the process has changed its user, frees the memory of all events.
void qs_arena_remove(void);

// Replaces the mapping with empty anonymous memory, so that a thread that was stopped in the middle of an event writes
// harmlessly. `is_abandoned`: such a thread may exist, so the address range is not used again. Context: the session has
// stopped.
void qs_arena_close(bool is_abandoned);

// Drops the parent's arena in a forked child. `is_in_use`: a thread of the child is still writing into the mapping, so
// it stays mapped.
void qs_arena_forget(bool is_in_use);

// Takes a free chunk of this size. If there is none, grows the arena, and then takes the oldest chunk of a flight
// recorder in memory (oldest_chunks.h). Returns its number + 1, 0 when there is no memory.
uint32_t qs_chunk_take(uint32_t bytes);

// Notes that chunks were taken, and wakes the recorder thread when few large ones are left.
void qs_chunk_note_taken(void);

// Sets the number of free large chunks below which the recorder thread is woken. Context: a session's start, or the
// recorder thread.
void qs_arena_set_low(uint32_t chunks);

// Whether the recorder thread was woken because chunks ran low since the last call. Context: as above.
bool qs_arena_take_shortage(void);

// Size of all free chunks in bytes.
uint64_t qs_arena_free_bytes(void);

// Returns a chunk to its free list.
void qs_chunk_give(uint32_t chunk);

// Notes that events up to this time are overwritten, before their chunk is used again. The time never decreases.
void qs_arena_note_overwritten(uint64_t time);

// Populates one more block and adds its chunks to the free lists. Returns false when the arena has its full size or the
// system has no memory.
bool qs_arena_grow(void);

// Populates the stream records up to this index. Returns false when there are no more, and for new records on a
// sandboxed thread.
bool qs_arena_has_record(uint32_t index);

// Whether the memory outlives the process, so that a later reader finds the events that are only there.
static inline bool qs_arena_outlives_process(void)
{
	return qs_arena.memory_id >= 0;
}

// Whether the arena is a ring that keeps the newest events: see memory_ring.h.
static inline bool qs_arena_is_ring(void)
{
	return qs_arena.keeps_newest && qs_arena_outlives_process();
}

static inline struct qs_arena_head *qs_arena_head(void)
{
	return (struct qs_arena_head *)qs_arena.memory;
}

// `chunk` is the chunk's number + 1, as in all functions.
static inline unsigned char *qs_chunk_memory(uint32_t chunk)
{
	return qs_arena.memory + (uint64_t)(chunk - 1) * QS_UNIT;
}

static inline struct qs_chunk *qs_chunk_entry(uint32_t chunk)
{
	uint32_t unit = chunk - 1;
	unsigned char *segment = qs_arena.memory + (uint64_t)(unit / QS_SEGMENT_UNITS) * QS_SEGMENT;
	return (struct qs_chunk *)(segment + QS_CHUNK_TABLE * QS_UNIT) + unit % QS_SEGMENT_UNITS;
}

// Stream record of this index. Its segment must be populated.
static inline struct qs_stream_record *qs_arena_record(uint32_t index)
{
	unsigned char *segment = qs_arena.memory + (uint64_t)(index / QS_SEGMENT_STREAMS) * QS_SEGMENT;
	return (struct qs_stream_record *)(segment + QS_STREAM_RECORDS * QS_UNIT) + index % QS_SEGMENT_STREAMS;
}

#endif
