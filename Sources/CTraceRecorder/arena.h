// The memory that events are written into: one mapping for a session, which no file system can stall.
//
//	            block 0                                               block 1  …  block 15
//	segment 0  ┌ head ┬ chunk table ┬ stream records ┬ small chunks … ┬ large ┬ … ┬ large
//	segment 1  ├ ──── ┼ chunk table ┼ stream records ┼ small chunks … ┼ large ┼ … ┼ large
//
// Blocks get memory one after the other, when they are needed. A large chunk can be used as small ones.
//
// It is a file in a tmpfs, which outlives the process: what a killed program left is found there and copied into the
// trace by whoever reads the trace next (Sources/CTFReader/Repair/ArenaRecovery.swift, which knows this layout too).
// Without a tmpfs it is anonymous memory, and what the recorder's thread had not copied yet is lost with the process.
//
// A chunk holds one packet. A thread takes chunks from lock-free lists and links each to its stream's last one; the
// recorder's thread copies what is in them into files and gives them back (copier.h).
//
// Context of all functions, if not said otherwise: any thread, also a signal handler. They take no lock, allocate
// nothing and open nothing.
#ifndef QS_ARENA_H
#define QS_ARENA_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	QS_ARENA_VERSION = 2,
	QS_UNIT = 4096, // of which everything in the arena is a multiple; no page size
	QS_SMALL_CHUNK = QS_UNIT,
	QS_LARGE_CHUNK = 64 * 1024,
	QS_SEGMENT = 1024 * 1024,
	QS_SEGMENT_UNITS = QS_SEGMENT / QS_UNIT,
	QS_SEGMENT_BLOCKS = QS_SEGMENT / QS_LARGE_CHUNK,
	QS_BLOCK_UNITS = QS_LARGE_CHUNK / QS_UNIT,
	// In units, within a segment.
	QS_CHUNK_TABLE = 1,
	QS_STREAM_RECORDS = 2,
	QS_FIRST_SMALL_CHUNK = 4,
	QS_SEGMENT_STREAMS = 2 * QS_UNIT / 64,
};

// At the begin of the file.
struct qs_arena_head {
	char magic[8];           // "QSARENA", written last
	uint32_t version;
	uint32_t pid;
	uint8_t uuid[16];        // the trace's
	uint32_t blocks;         // of the arena at most
	uint32_t first_stream;   // what is added to a record's index to get the number in a file's name
	uint64_t lost;           // atomic: events that no stream's record counts
	uint64_t directory_length;
	char directory[PATH_MAX - 1024];
};

// One of a segment's units: the chunk that begins there.
struct qs_chunk {
	uint32_t stream; // atomic: its record's index + 1, 0 while no stream has it; written after the packet's head
	uint32_t order;  // of the chunk in its stream, from 1
	uint32_t bytes;  // its size
	uint32_t next;   // atomic: the chunk after it + 1, in its stream or in the list of free ones; 0: none
};

// How far a stream has been copied into its file.
struct qs_copied {
	uint64_t file_end;   // bytes of the file that are the trace; what a write left behind them is not
	uint32_t packets;    // in the file
	uint32_t order;      // of the chunk that is copied now
	uint32_t chunk_bytes; // of that chunk's packet that are in the file, with the head; 0: none
	uint32_t last_packet; // size of the file's last packet in bytes
};

// What there is to know of a stream when its process is gone.
struct qs_stream_record {
	uint32_t kind;        // enum qs_stream_kind; 0 while unused
	uint32_t committed;   // atomic: the low bit says which of the two holds; changed after the other one was written
	uint64_t discarded;   // atomic
	struct qs_copied copied[2];
};

_Static_assert(sizeof(struct qs_arena_head) <= QS_UNIT, "one unit");
_Static_assert(sizeof(struct qs_chunk) * QS_SEGMENT_UNITS == QS_UNIT, "one unit");
_Static_assert(sizeof(struct qs_stream_record) * QS_SEGMENT_STREAMS == 2 * QS_UNIT, "two units");

struct qs_arena {
	unsigned char *memory;    // reserved for the life of the process, mapped while a session records
	uint64_t reserved;        // bytes of address space
	uint64_t bytes;           // what this session may use
	uint32_t blocks;          // atomic: that have memory, or get it now
	uint32_t free_large;      // atomic: a count, right when nothing changes at the same time
	uint32_t records;         // atomic: that have memory
	bool is_exhausted;        // atomic: the system had no memory for one block more
	uint64_t large;           // atomic: head of a list of free chunks, see arena.c
	uint64_t small;           // atomic: the same
	bool grows_anywhere;      // any thread can have memory for a block; else only who has the file open
	char path[PATH_MAX];      // of its file; "" when it has none
};

extern struct qs_arena qs_arena;

// Makes the arena for a session: its file, the mapping, and the first blocks. `limit`: bytes of memory at most, 0 for
// what is usual. False with errno when there is no memory or no address space. Context: while no session records;
// opens files.
bool qs_arena_open(uint64_t limit, const uint8_t *uuid, const char *directory, uint32_t first_stream);

// Puts empty memory in the place of the mapping, so that a thread that was stopped in the middle of an event writes
// into nothing. `is_abandoned`: such a thread may exist; the address range is not used again. Context: the session
// has stopped.
void qs_arena_close(bool is_abandoned);

// In a forked child, which has a mapping of its parent's arena. `is_in_use`: a thread of the child still writes into
// it.
void qs_arena_forget(bool is_in_use);

// Takes a free chunk of this size, or makes room for one. Returns its number + 1, 0 when the memory is used up.
uint32_t qs_chunk_take(uint32_t bytes);

// Gives a chunk back.
void qs_chunk_give(uint32_t chunk);

// Gets memory for one block more, through `file` where that has to be, and puts its chunks into the lists. False when
// the arena has its size or the system no memory. `file`: of the arena, -1: a thread that does not have it.
bool qs_arena_grow(int file);

// Has the record of this index, and those before it, in memory. False when there is none left. `file`: as above.
bool qs_arena_has_record(uint32_t index, int file);

static inline struct qs_arena_head *qs_arena_head(void)
{
	return (struct qs_arena_head *)qs_arena.memory;
}

// `chunk`: number + 1, as everywhere.
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

// The record of this index; its segment must be populated.
static inline struct qs_stream_record *qs_arena_record(uint32_t index)
{
	unsigned char *segment = qs_arena.memory + (uint64_t)(index / QS_SEGMENT_STREAMS) * QS_SEGMENT;
	return (struct qs_stream_record *)(segment + QS_STREAM_RECORDS * QS_UNIT) + index % QS_SEGMENT_STREAMS;
}

#endif
