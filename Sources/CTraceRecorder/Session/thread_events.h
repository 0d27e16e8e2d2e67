// Threads that record: their events, and the parts of the recorder that follow them.
#ifndef QS_THREAD_EVENTS_H
#define QS_THREAD_EVENTS_H

#include "../Events/stream.h"

// Records the begin, a later name, and the end of each thread that records.
extern const struct qs_thread_listener qs_thread_events;

#endif
