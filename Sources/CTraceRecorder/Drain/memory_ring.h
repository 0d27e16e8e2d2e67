// Flight recorder in memory: the arena is the ring. Full chunks stay in it, and while free chunks are scarce, the
// recorder thread frees the chunk whose last event is the oldest of all streams. Files get the events only for a
// reader: at a flush (a snapshot, an exec), at the end of the session, and from the recovery after a kill.
//
//	stream   ┊ file, from the last flush ┊ overwritten chunks ┊ chunk ─ chunk ─ current chunk ┤
//
// All events of the file are older than the overwritten chunks. The next write into the file removes them, so that the
// file has no gap (stream_copy.c).
//
// Definitions are not overwritten in memory: their full chunks go to their file, which generations.h keeps small.
//
// The memory has to outlive the process, because it is the only place of the events. Otherwise a flight recorder
// writes into files and overwrites in the files (overwriting.h).
#ifndef QS_MEMORY_RING_H
#define QS_MEMORY_RING_H

#include <stdbool.h>
#include <stdint.h>

// Context: a session's start, after the arena was opened.
void qs_memory_ring_start(bool is_wanted);

// Whether full chunks stay in the arena.
bool qs_memory_ring_is_on(void);

// Frees the oldest full chunks until this number of large chunks, or the same size in small ones, is free. Context: the
// recorder thread.
void qs_memory_ring_free(uint32_t chunks);

// Time of the newest event that was overwritten, in ticks of the trace's clock; 0: none was.
uint64_t qs_memory_ring_time(void);

#endif
