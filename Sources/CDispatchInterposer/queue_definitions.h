// The events that define queues, for all who come across one.
#ifndef QS_QUEUE_DEFINITIONS_H
#define QS_QUEUE_DEFINITIONS_H

#include "objects.h"

// Writes queue_state for a queue that the program made.
void qs_define_object(const struct qs_object_info *info);

// Writes queue_state for a queue that libdispatch made and that is there for ever, once in a session. `flags` are the
// catalogue's, without "seen".
void qs_define_permanent_queue(const void *queue, uint8_t flags);

#endif
