// A session that begins late: at the first call of Dispatch in a program that loads libdispatch while it runs.
//
// A thread of the recorder's own begins it. The program's may have the smallest stack, and may be what another thread
// waits for that has the loader's lock: a library's constructor may join it.
#ifndef QS_LATE_START_H
#define QS_LATE_START_H

#include <stdbool.h>
#include <stdint.h>

// Runs `begin`, which starts the session, and then `load`, which needs the loader's lock, on a thread of their own, and
// waits for them, but not for long. Where the system has no thread they run here. Context: any thread, once.
void qs_start_late(void (*begin)(void), void (*load)(void));

// Whether the thread is the one that does so.
bool qs_is_late_starter(uint32_t tid);

// The program's thread that a session begins for on this one.
uint32_t qs_starter_tid(void);

// In a forked child, which has no such thread.
void qs_late_start_forget(void);

#endif
