// Writers of the events that define queues.
#ifndef QS_QUEUE_DEFINITIONS_H
#define QS_QUEUE_DEFINITIONS_H

#include "objects.h"

// Writes queue_state for a queue that the program created.
void qs_define_object(const struct qs_object_info *info);

// Writes queue_state for a queue that libdispatch creates and never frees, once per session. `flags` are the flags of
// the catalogue without "seen".
void qs_define_permanent_queue(const void *queue, uint8_t flags);

#endif
