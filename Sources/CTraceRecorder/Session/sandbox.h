// Threads whose seccomp filter kills for system calls that the recorder makes, such as the question whether there is a
// filter. Such a thread makes no system call for recording: it keeps its stream and writes to memory that the arena
// has. When there is none, its events are discarded.
//
// The hooks report filters that the program installs through libc. Other filters are not detected before they act.
#ifndef QS_SANDBOX_H
#define QS_SANDBOX_H

#include "../Gate/thread_guard.h" // qs_thread_is_sandboxed

// Call before this thread installs such a filter: makes the system calls that its events need, such as for its id.
// Context: any thread. Blocks: no.
void qs_sandbox_begin(void);

// Call when the installation has failed.
void qs_sandbox_cancel(void);

// Call at the start of a thread that a sandboxed thread has created. It has the same filter, and a system call would be
// needed for its id, so it records nothing.
void qs_sandbox_inherit(void);

#endif
