// Copies the content of all streams from the arena into the files of the trace. Each run writes a chunk's current
// content as one packet; the next run writes what was added since. stream_copy.h copies one stream. A flight recorder
// in memory copies full chunks of definitions, and events for a reader only (memory_ring.h).
#ifndef QS_COPIER_H
#define QS_COPIER_H

#include <stdbool.h>
#include <stdint.h>

// `in_memory`: a flight recorder in memory. Context: a session's start.
void qs_copier_start(bool in_memory);

enum qs_copier_scope {
	QS_COPY_FULL_CHUNKS,   // and all definitions
	QS_COPY_ALL_CHUNKS,    // partly filled chunks, too
	QS_COPY_FOR_READER,    // the chunks that a flight recorder keeps in memory, too
};

// Copies the chunks. Returns the bytes of events that were copied.
uint64_t qs_copier_run(enum qs_copier_scope scope);

// Copies the rest when no thread writes any more. Counts events for which there is no room as discarded. Returns false
// when this process may not write: the rest then stays in the arena for recovery by a later reader.
bool qs_copier_finish(void);

// Number and size of the files of a trace. A reader detects removed or truncated files by it. All members are 0 until
// the trace is complete.
struct qs_extent {
	uint32_t streams; // streams that have a file with events, without the definitions
	uint64_t bytes;   // of all these files and of the definitions
};

// Extent of the files, without the files of a second recorder. Context: the recorder thread, when everything is copied.
struct qs_extent qs_copier_extent(void);

#endif
