// Discarded events that no stream counts.
#ifndef QS_LOST_EVENTS_H
#define QS_LOST_EVENTS_H

#include <stdint.h>

// Counts discarded events that belong to no stream. Context: any thread, also a signal handler.
void qs_lost_events_add(uint64_t count);

// Returns that count and resets it. The caller adds it to another counter.
uint64_t qs_lost_events_take(void);

// Resets the count for a new session, or in a forked child.
void qs_lost_events_reset(void);

// Number of discarded definitions so far. A caller compares it to check whether its definition was recorded.
uint64_t qs_lost_definitions(void);

#endif
