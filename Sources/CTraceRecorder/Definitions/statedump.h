// Repeated definitions: everything that later events can refer to is defined again, because the earlier definitions may
// be missing from the part of the trace that is read.
#ifndef QS_STATEDUMP_H
#define QS_STATEDUMP_H

#include <stdint.h>

// Calls the functions of qs_add_statedump.
void qs_statedump_objects(void);

// Writes the definitions of all living threads that have recorded, of code and of stacks again. `note_thread` is called
// after each thread's definition; it may be NULL.
void qs_statedump(void (*note_thread)(uint32_t tid));

#endif
