// The layout of the arena in memory. A reader in another process uses it too (Sources/CArenaLayout): a change needs a
// new QS_ARENA_VERSION.
//
//	            block 0                                               block 1  …  block 15
//	segment 0  ┌ head ┬ chunk table ┬ stream records ┬ small chunks … ┬ large ┬ … ┬ large
//	segment 1  ├ ──── ┼ chunk table ┼ stream records ┼ small chunks … ┼ large ┼ … ┼ large
//
// Offsets and numbers have the byte order of the machine.
#ifndef QS_ARENA_LAYOUT_H
#define QS_ARENA_LAYOUT_H

#include <stdint.h>

enum {
	QS_ARENA_VERSION = 5,
	QS_UNIT = 4096, // allocation unit of the arena; independent of the page size
	QS_SMALL_CHUNK = QS_UNIT,
	QS_LARGE_CHUNK = 64 * 1024,
	QS_SEGMENT = 1024 * 1024,
	QS_SEGMENT_UNITS = QS_SEGMENT / QS_UNIT,
	QS_SEGMENT_BLOCKS = QS_SEGMENT / QS_LARGE_CHUNK,
	QS_BLOCK_UNITS = QS_LARGE_CHUNK / QS_UNIT,
	// Offsets in units, within a segment.
	QS_CHUNK_TABLE = 1,
	QS_STREAM_RECORDS = 2,
	QS_FIRST_SMALL_CHUNK = 6,
	QS_SEGMENT_STREAMS = (QS_FIRST_SMALL_CHUNK - QS_STREAM_RECORDS) * QS_UNIT / 64,
	QS_ARENA_DIRECTORY = 3072, // longest directory in the head
	// First number of a stream of the second recorder of a process (shared_session.h).
	QS_SHARED_FIRST_STREAM = 20000,
	// Number of the stream that shows until when events were overwritten in memory. No other stream has it.
	QS_OVERWRITTEN_STREAM = 40000,
	// Number of the packet in that stream: of a flight recorder without a window, or whose window is not complete, and
	// when all overwritten events are older than the window.
	QS_OVERWRITTEN_PACKET = 1,
	QS_OVERWRITTEN_BEFORE_WINDOW = 2,
};

enum qs_stream_kind {
	QS_STREAM_UNUSED = 0,
	QS_STREAM_THREAD = 1,
	QS_STREAM_KERNEL = 2,      // written by the processor track
	QS_STREAM_DEFINITIONS = 3, // under the definitions lock
	QS_STREAM_DEFINITIONS_OF_LIBRARY = 4, // of a second recorder in the process
	QS_STREAM_OVERWRITTEN = 5, // a file only, without a record: see memory_ring.h
};

// At the start of the memory.
struct qs_arena_head {
	char magic[8];           // "QSARENA", written last
	uint32_t version;
	uint32_t pid;
	uint8_t uuid[16];        // of the trace
	uint32_t segments;       // atomic: segments from the first on whose tables are populated; a reader accesses no
	                         // others, because a page that is read gets memory
	uint32_t first_stream;   // added to the index of a record to get the number in a file's name
	uint64_t lost;           // atomic: discarded events that no stream record counts
	uint64_t overwritten;    // atomic: time of the newest event that was overwritten in memory, in ticks of the trace's
	                         // clock; 0: none. Written before the memory of the event is used again
	uint64_t window_begin;   // atomic: begin of the window at its last check, in the same ticks; 0: before the session,
	                         // or without a window
	uint64_t directory_length;
	char directory[QS_ARENA_DIRECTORY]; // of the trace, at the start of the session; not terminated
};

// Table entry of a unit: describes the chunk that starts there.
struct qs_chunk {
	uint32_t stream; // atomic: index of its record + 1, 0: not in a stream; written after the packet's head
	uint32_t order;  // position of the chunk in its stream, from 1
	uint32_t bytes;  // size of the chunk
	uint32_t next;   // atomic: next chunk + 1, in its stream or in the free list; 0: none
};

// Copy progress of a stream: how much of it is in its file.
struct qs_copied {
	uint64_t file_end;   // bytes of the file that belong to the trace; bytes after it are from an unfinished write
	uint32_t packets;    // packets in the file
	uint32_t order;      // order of the chunk that is being copied
	uint32_t chunk_bytes; // bytes of that chunk's packet that are in the file, including the head; 0: none
	uint32_t last_packet; // size of the last packet in the file, in bytes
};

// State of a stream that recovery needs after the process has ended.
struct qs_stream_record {
	uint32_t kind;        // enum qs_stream_kind; 0 while unused
	uint32_t committed;   // atomic: low bit: index of the valid entry of `copied`; changed after that was written
	uint64_t discarded;   // atomic
	struct qs_copied copied[2];
};

_Static_assert(sizeof(struct qs_arena_head) <= QS_UNIT, "one unit");
_Static_assert(sizeof(struct qs_chunk) * QS_SEGMENT_UNITS == QS_UNIT, "one unit");
_Static_assert(sizeof(struct qs_stream_record) * QS_SEGMENT_STREAMS
	== (QS_FIRST_SMALL_CHUNK - QS_STREAM_RECORDS) * QS_UNIT, "whole units");

#endif
