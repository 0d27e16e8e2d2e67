// Flight recorder in memory: the arena is the ring. Full chunks stay in it, and while free chunks are scarce, the chunk
// whose last event is the oldest of all streams is overwritten. Files get the events only for a reader: at a flush (a
// snapshot, an exec), at the end of the session, and from the recovery after a kill.
//
//	stream   ┊ file, from the last flush ┊ overwritten chunks ┊ chunk ─ chunk ─ current chunk ┤
//
// The recorder thread frees the oldest chunks in advance. Further ones are in a list, from which threads take them when
// no chunk is free (../Events/oldest_chunks.h). If the recorder thread gets no processor until the program has used all
// of them, the recording begins again when it has one: events without memory count as overwritten, as do all events
// before them.
//
// The threads lose events up to different times, and a thread without a remaining chunk has no file. So the trace is
// incomplete for all threads before the time of the newest overwritten event. The head of the arena has this time, and
// the file `overwritten` of the trace has it for readers. The file is a stream with one packet without events at this
// time. The number of the packet is 1, or 0 when nothing was overwritten, so a reader finds the begin of the complete
// part as in every other stream whose first packets are missing. The number is 2 when all overwritten events are older
// than the window (window.h): the memory was large enough.
//
// All events of a stream's file are older than its overwritten chunks. The next write into the file removes them, so
// that the file has no gap (stream_copy.c).
//
// Definitions are not overwritten in memory: their full chunks go to their file, which generations.h keeps small.
//
// The memory has to outlive the process, because it is the only place of the events. Otherwise a flight recorder
// writes into files and overwrites in the files (overwriting.h).
//
// Context of all functions: the recorder thread.
#ifndef QS_MEMORY_RING_H
#define QS_MEMORY_RING_H

#include <stdbool.h>
#include <stdint.h>

struct qs_stream;

// Context: a session's start, after the arena was opened.
void qs_memory_ring_start(bool is_wanted);

// Writes the file `overwritten`, if the time has changed since the last call.
void qs_memory_ring_write_time(void);

// Closes the file.
void qs_memory_ring_finish(void);

// Lets threads take the oldest chunks, until the list is closed. No stream with one of these chunks may be accessed
// during this time.
void qs_memory_ring_open(void);

// Closes the list, and removes the taken chunks from their streams. Call it before all streams are accessed.
void qs_memory_ring_close(void);

// Lets threads take the oldest chunks, except for the first chunk of this stream. Only this chunk may be accessed until
// the list is closed.
void qs_memory_ring_hold(struct qs_stream *stream);

// Frees the oldest chunks, at least one, until this number of large chunks, or the same size in small ones, is free.
// Context: the list is closed.
void qs_memory_ring_free(uint32_t chunks);

// Frees the full chunks whose last event is older than this time. Context: the list is closed.
void qs_memory_ring_free_before(uint64_t time);

// Time of the newest event that was overwritten, in ticks of the trace's clock; 0: none was.
uint64_t qs_memory_ring_time(void);

#endif
