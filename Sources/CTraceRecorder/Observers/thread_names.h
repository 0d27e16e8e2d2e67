// The names that threads get after their first event. A program often names a thread from the thread that made it, at
// any time after the thread began to record.
//
//	maker    ── pthread_create ──────────── pthread_setname_np ──
//	thread                 └── first event: program's name ────────
//	trace                      thread_start "app"         thread_start "worker 3"
//	                           │← 100 ms →│ look │← 1 s →│ look
//
// The recorder thread looks twice, so a thread that is renamed later keeps its earlier name until it ends.
#ifndef QS_THREAD_NAMES_H
#define QS_THREAD_NAMES_H

#include "observer.h"

extern const struct qs_observer qs_names_observer;

// Notes that a thread began to record. Context: any thread; no system calls.
void qs_thread_names_note_start(void);

#endif
