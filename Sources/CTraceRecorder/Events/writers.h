// The end of all events: makes every thread stop writing into the streams.
#ifndef QS_WRITERS_H
#define QS_WRITERS_H

#include <stdbool.h>

// Closes the gate. After this, a thread that is about to write has either set `writing`, or sees that no session
// records.
void qs_writers_refuse(void);

// Waits until no thread is writing an event, for at most this time in total. Returns false when a thread is stopped
// within an event. Context: after qs_writers_refuse.
bool qs_writers_wait(int milliseconds);

#endif
