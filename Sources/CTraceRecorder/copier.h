// Copies what the streams have in the arena into the files of the trace. It waits for nobody, and nobody waits for
// it: what is in a chunk at one moment becomes a packet of the file, and what comes later the next.
//
// After every write it commits how far it is, in the arena. Whoever finds the arena when the process is gone goes on
// from there: a packet is in the file once, whatever instruction the process was killed at.
#ifndef QS_COPIER_H
#define QS_COPIER_H

#include <stdbool.h>
#include <stdint.h>

// Starts with what the trace may have, in bytes; 0: no limit. What comes then is discarded, or with `overwrites` the
// oldest goes (overwriting.h), beyond 256 MiB where there is no limit. Context: a session's start.
void qs_copier_start(uint64_t limit, bool overwrites);

// Notes that a chunk was taken, and wakes the recorder's thread when few are left. Context: any thread, also a signal
// handler.
void qs_copier_note_taken(void);

// Copies full chunks and, with `with_partial`, chunks that are being filled. Returns the bytes of events copied.
uint64_t qs_copier_run(bool with_partial);

// Has as many free chunks as are used between two runs, if there is memory. `was_short`: few were left before this run.
void qs_copier_make_room(void);

// Copies what is left when no thread writes any more. What there is no room for is counted as discarded. False when
// the process may not write: the rest stays in the arena, for whoever finds it.
bool qs_copier_finish(void);

// What the files of a trace have, by which a reader misses what was removed or cut off. All is 0 as long as that is not
// certain.
struct qs_extent {
	uint32_t streams; // besides the definitions, that have a file with events
	uint64_t bytes;   // of all these files and of the definitions
};

// The extent of the files, without those of a second recorder. Context: the recorder's thread, when everything is
// copied.
struct qs_extent qs_copier_extent(void);

#endif
