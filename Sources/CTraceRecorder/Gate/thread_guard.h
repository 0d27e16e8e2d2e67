// Per-thread conditions under which the recorder does not record, or makes no system call.
#ifndef QS_THREAD_GUARD_H
#define QS_THREAD_GUARD_H

#include <stdbool.h>

// initial-exec: one instruction instead of a call. The recorder is part of the executable or preloaded, and is never
// opened by dlopen.

// True while this thread is in a cold path of the recorder. Its events are then discarded, because recording them could
// wait for a lock that the thread itself holds.
extern __thread bool qs_thread_inside __attribute__((tls_model("initial-exec")));

// Whether this thread makes no system calls for recording, see sandbox.h.
extern __thread bool qs_thread_is_sandboxed __attribute__((tls_model("initial-exec")));

#endif
