// The chunks that a flight recorder in memory overwrites next, the oldest first (memory_ring.h). A thread that finds no
// free chunk takes one of them, so that no event is discarded while the recorder thread waits for a processor.
//
//	          0       next             count
//	chunks    ├ taken ─┼ can be taken ──┤
//
// The recorder thread writes the list while it is closed, and then opens it. A thread takes a chunk by an increment of
// `next`. While the list is open, the recorder thread accesses no chunk of the list, because a chunk that was taken
// belongs to another stream. After it has closed the list, it removes the taken chunks from their streams.
#ifndef QS_OLDEST_CHUNKS_H
#define QS_OLDEST_CHUNKS_H

#include <stdbool.h>
#include <stdint.h>

enum { QS_MOST_OLDEST_CHUNKS = 512 };

struct qs_old_chunk {
	uint32_t chunk;  // atomic: its number, as in arena.h
	uint32_t stream; // index of the stream
	uint32_t order;  // in the stream
	uint32_t next;   // chunk that follows in the stream; 0: none
	uint64_t time;   // atomic: of its last event
	bool is_copied;  // atomic: the events are in the file of the stream
};

// The list. Context: the recorder thread, while the list is closed.
struct qs_old_chunk *qs_oldest_chunks(void);

// Opens the list, which has this number of chunks, for threads. Context: the recorder thread.
void qs_oldest_chunks_open(uint32_t count);

// Closes the list. Returns the number of chunks that were taken. Context: the recorder thread, or while no session
// records.
uint32_t qs_oldest_chunks_close(void);

// Takes the oldest chunk. Returns its number, and the time of its last event, 0 if the events are in a file. Returns 0
// when the list is closed or empty. Context: any thread, also a signal handler.
uint32_t qs_oldest_chunks_take(uint64_t *time);

#endif
