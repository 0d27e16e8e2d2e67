// Keeps chunks free for the threads that record, so that they rarely have to grow the arena themselves.
//
// Context of all functions: the recorder thread, except for the start.
#ifndef QS_CHUNK_SUPPLY_H
#define QS_CHUNK_SUPPLY_H

// Context: a session's start.
void qs_chunk_supply_start(void);

// Grows the arena so that as many chunks are free as are used between two runs of the copier, if there is memory.
// Otherwise takes back the partly filled chunks of threads that have ended, and of quiet threads; a flight recorder in
// memory overwrites the oldest chunks. Doubles the number when chunks ran low since the last call. Context: after a run
// of the copier.
void qs_chunk_supply_refill(void);

#endif
