// Late start of a session: at the first call of Dispatch in a program that loads libdispatch while it runs.
//
// A thread of the recorder starts the session. A program thread may have a minimal stack, and a thread that holds the
// loader lock may be joining it (a library's constructor can do that).
#ifndef QS_LATE_START_H
#define QS_LATE_START_H

#include <stdbool.h>
#include <stdint.h>

// Runs `begin`, which starts the session, and then `load`, which needs the loader's lock, on a new thread, and waits
// for each with a time limit. If no thread can be created, they run on the calling thread. Context: any thread, once.
void qs_start_late(void (*begin)(void), void (*load)(void));

// Thread of the program for which the current thread starts a session: the caller of qs_start_late, the main thread for
// the control thread, or the current thread.
uint32_t qs_starter_tid(void);

#endif
