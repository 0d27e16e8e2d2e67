// Repeated definitions: everything that later events can refer to is defined again, because the earlier definitions may
// be missing from the part of the trace that is read.
#ifndef QS_STATEDUMP_H
#define QS_STATEDUMP_H

// Writes all definitions of the session again, except the images. Context: the recorder thread or the watch thread, as
// a program thread (without qs_thread_inside).
void qs_statedump(void);

#endif
